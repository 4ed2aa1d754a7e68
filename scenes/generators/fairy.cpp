// SPDX-License-Identifier: Apache-2.0
#include "scenes/generators/fairy.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "scenes/generators/architecture.hpp"

namespace reconverge::scenes {

namespace {

constexpr float two_pi = 2.0F * std::numbers::pi_v<float>;

void add_ball(MeshBuilder& mesh, Vec3 centre, Vec3 half, float grain) {
  const float girth = two_pi * max_component(half);
  mesh.add_cushion(centre, half, 1.0F, pieces(girth, grain, 6), pieces(0.5F * girth, grain, 4));
}

void add_limb(MeshBuilder& mesh, std::span<const Vec3> points, float radius, float grain) {
  float far = 0.0F;
  for (std::size_t i = 1; i < points.size(); ++i) far += length(points[i] - points[i - 1]);
  mesh.add_tube(smooth_path(points, pieces(far, grain, 4)), radius, pieces(two_pi * radius, grain, 5));
}

/// A body of revolution whose radius varies by the share `depth`, `pleats` times around.
void add_pleated(MeshBuilder& mesh, std::span<const ProfilePoint> profile, float pleats, float depth, float grain) {
  float far = 0.0F;
  float widest = 0.0F;
  for (std::size_t i = 0; i < profile.size(); ++i) {
    widest = std::max(widest, profile[i].radius);
    if (i > 0) far += std::hypot(profile[i].radius - profile[i - 1].radius, profile[i].height - profile[i - 1].height);
  }
  const std::vector<ProfilePoint> curve = smooth_profile(profile, pieces(far, grain, 6));
  const auto last = static_cast<int>(curve.size()) - 1;
  mesh.add_surface(
      [&](float u, float v) {
        const ProfilePoint& at = curve[static_cast<std::size_t>(std::lround(v * static_cast<float>(last)))];
        const float around = u < 1.0F ? two_pi * u : 0.0F;
        const float radius = at.radius * (1.0F + depth * std::sin(pleats * around));
        return Vec3{radius * std::cos(around), radius * std::sin(around), at.height};
      },
      pieces(two_pi * widest, grain, 8), last);
}

/// A wing from the back outwards: a bent, veined sheet.
void add_wing(MeshBuilder& mesh, float side, Vec3 tip, float width, float grain) {
  const Vec3 root{side * 0.03F, 0.06F, 0.66F};
  const Vec3 along = tip - root;
  const Vec3 over = normalize(cross(along, {0, 1, 0})) * width;
  mesh.add_surface(
      [&](float u, float v) {
        const float wide = std::sin(0.5F * two_pi * std::pow(u, 0.7F)) * 0.9F + 0.1F * u;
        const float vein = 0.006F * std::sin(9.0F * two_pi * v) * u;
        return root + along * u + over * ((v - 0.5F) * wide) + Vec3{0.0F, 0.12F * u * u + vein, 0.0F};
      },
      pieces(length(along), grain, 4), pieces(width, grain, 4));
}

}  // namespace

void add_fairy(Workshop& workshop, float grain) {
  MeshBuilder& mesh = workshop.mesh;
  workshop.use("dress");
  const std::array<ProfilePoint, 9> dress{{{0.0F, 0.1F},
                                           {0.15F, 0.1F},
                                           {0.235F, 0.12F},
                                           {0.19F, 0.25F},
                                           {0.12F, 0.42F},
                                           {0.075F, 0.52F},
                                           {0.095F, 0.64F},
                                           {0.075F, 0.71F},
                                           {0.03F, 0.735F}}};
  add_pleated(mesh, dress, 14.0F, 0.06F, grain);
  workshop.use("skin");
  add_ball(mesh, {0, 0, 0.83F}, {0.085F, 0.088F, 0.1F}, grain);
  add_ball(mesh, {0, -0.09F, 0.82F}, {0.015F, 0.02F, 0.018F}, 0.6F * grain);
  for (const float side : {-1.0F, 1.0F}) {
    add_ball(mesh, {side * 0.032F, -0.074F, 0.85F}, {0.014F, 0.014F, 0.018F}, 0.6F * grain);
    const std::array<Vec3, 4> arm{Vec3{side * 0.08F, 0, 0.68F}, Vec3{side * 0.16F, -0.02F, 0.58F},
                                  Vec3{side * 0.19F, -0.12F, 0.54F}, Vec3{side * 0.2F, -0.19F, 0.6F}};
    add_limb(mesh, arm, 0.025F, 0.8F * grain);
    add_ball(mesh, {side * 0.2F, -0.2F, 0.615F}, {0.03F, 0.024F, 0.034F}, 0.7F * grain);
    const std::array<Vec3, 3> leg{Vec3{side * 0.06F, 0, 0.2F}, Vec3{side * 0.065F, -0.01F, 0.1F},
                                  Vec3{side * 0.07F, -0.005F, 0.03F}};
    add_limb(mesh, leg, 0.03F, grain);
  }
  workshop.use("hair");
  // A pointed cap, its tip at one metre, and locks below it.
  const std::array<ProfilePoint, 6> cap{
      {{0.1F, 0.865F}, {0.108F, 0.88F}, {0.085F, 0.93F}, {0.045F, 0.97F}, {0.015F, 0.99F}, {0.0F, 1.0F}}};
  add_pleated(mesh, cap, 8.0F, 0.05F, grain);
  for (int i = 0; i < 14; ++i) {
    const float around = 0.5F * two_pi * (static_cast<float>(i) + 0.5F) / 14.0F;
    const Vec3 out{std::cos(around), std::sin(around), 0};
    const std::array<Vec3, 3> lock{out * 0.088F + Vec3{0, 0, 0.87F}, out * 0.11F + Vec3{0, 0, 0.78F},
                                   out * 0.1F + Vec3{0, 0.01F, 0.67F}};
    add_limb(mesh, lock, 0.013F, 0.7F * grain);
  }
  for (const float side : {-1.0F, 1.0F}) {
    const std::array<Vec3, 3> shoe{Vec3{side * 0.07F, 0.03F, 0.03F}, Vec3{side * 0.075F, -0.04F, 0.028F},
                                   Vec3{side * 0.08F, -0.1F, 0.05F}};
    add_limb(mesh, shoe, 0.03F, grain);
  }
  workshop.use("wing");
  for (const float side : {-1.0F, 1.0F}) {
    add_wing(mesh, side, {side * 0.27F, 0.08F, 0.99F}, 0.17F, grain);
    add_wing(mesh, side, {side * 0.25F, 0.06F, 0.36F}, 0.12F, grain);
  }
}

}  // namespace reconverge::scenes

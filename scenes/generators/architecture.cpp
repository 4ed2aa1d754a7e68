// SPDX-License-Identifier: Apache-2.0
#include "scenes/generators/architecture.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace reconverge::scenes {

namespace {

constexpr float pi = std::numbers::pi_v<float>;

float length_of(std::span<const ProfilePoint> profile) {
  float sum = 0.0F;
  for (std::size_t i = 1; i < profile.size(); ++i) {
    sum += std::hypot(profile[i].radius - profile[i - 1].radius, profile[i].height - profile[i - 1].height);
  }
  return sum;
}

/// One face of a bay: from the arch outwards to the rectangle around it. `place(x, z)` is the point of the wall.
void add_bay(MeshBuilder& builder, float width, const Arcade& arcade, const std::function<Vec3(float, float)>& place,
             float grain) {
  const float radius = 0.5F * (width - arcade.pier);
  const float rise = arcade.top - arcade.springing;
  builder.add_surface(
      [&](float u, float v) {
        const float angle = pi * (1.0F - u);
        const Vec3 inner{radius * std::cos(angle), 0, radius * std::sin(angle)};
        // The outer end runs up the side, along the top and down again.
        const float stretch = std::min(0.5F * width / std::max(std::abs(std::cos(angle)), 1e-6F),
                                       rise / std::max(std::sin(angle), 1e-6F));
        const Vec3 outer{stretch * std::cos(angle), 0, std::max(0.0F, stretch * std::sin(angle))};
        const Vec3 at = inner + (outer - inner) * v;
        return place(0.5F * width + at.x, arcade.springing + at.z);
      },
      pieces(pi * radius, grain, 8), pieces(0.4F * rise, grain));
}

}  // namespace

int pieces(float length, float grain, int least) {
  return std::max(least, static_cast<int>(std::lround(length / grain)));
}

void add_panel(MeshBuilder& builder, Vec3 corner, Vec3 u, Vec3 v, float grain) {
  builder.add_rectangle(corner, u, v, pieces(length(u), grain), pieces(length(v), grain));
}

void add_block(MeshBuilder& builder, Vec3 low, Vec3 high, float grain) {
  const Vec3 size = high - low;
  const Vec3 x{size.x, 0, 0};
  const Vec3 y{0, size.y, 0};
  const Vec3 z{0, 0, size.z};
  add_panel(builder, low, y, x, grain);
  add_panel(builder, low, x, z, grain);
  add_panel(builder, low, z, y, grain);
  add_panel(builder, low + z, x, y, grain);
  add_panel(builder, low + y, z, x, grain);
  add_panel(builder, low + x, y, z, grain);
}

void add_column(MeshBuilder& builder, Vec3 foot, float radius, float height, float grain) {
  const std::array<ProfilePoint, 12> profile{{{1.5F * radius, 0.0F},
                                              {1.5F * radius, 0.3F * radius},
                                              {1.25F * radius, 0.4F * radius},
                                              {1.3F * radius, 0.6F * radius},
                                              {1.02F * radius, 0.8F * radius},
                                              {radius, 0.25F * height},
                                              {0.98F * radius, 0.5F * height},
                                              {0.93F * radius, height - 1.6F * radius},
                                              {1.05F * radius, height - 1.4F * radius},
                                              {1.0F * radius, height - 1.2F * radius},
                                              {1.5F * radius, height - 0.4F * radius},
                                              {1.55F * radius, height}}};
  const int along = pieces(length_of(profile), grain, 22);
  builder.add_revolution(foot, smooth_profile(profile, along), pieces(2.0F * pi * radius, grain, 10));
}

void add_arcade(MeshBuilder& builder, const Arcade& arcade, float grain) {
  const float width = length(arcade.run);
  const Vec3 along = arcade.run * (1.0F / width);
  const Vec3 back = Vec3{-along.y, along.x, 0} * arcade.thickness;
  const float radius = 0.5F * (width - arcade.pier);
  for (int bay = 0; bay < arcade.bays; ++bay) {
    const Vec3 start = arcade.start + arcade.run * static_cast<float>(bay);
    const auto front = [&](float x, float z) { return start + along * x + Vec3{0, 0, z}; };
    add_bay(builder, width, arcade, front, grain);
    add_bay(
        builder, width, arcade, [&](float x, float z) { return front(x, z) + back; }, grain);
    const Vec3 middle = front(0.5F * width, arcade.springing);
    const auto arch = [&](float u) {
      return middle + along * (radius * std::cos(pi * u)) + Vec3{0, 0, radius * std::sin(pi * u)};
    };
    const int around = pieces(pi * radius, grain, 8);
    builder.add_surface([&](float u, float v) { return arch(u) + back * v; }, around, pieces(arcade.thickness, grain));
    std::vector<Vec3> path;
    for (int i = 0; i <= around; ++i) path.push_back(arch(static_cast<float>(i) / static_cast<float>(around)));
    builder.add_tube(path, 0.06F * radius, pieces(0.12F * pi * radius, 0.5F * grain, 6));
    // The undersides of the piers.
    add_panel(builder, front(0, arcade.springing), back, along * (0.5F * arcade.pier), grain);
    add_panel(builder, front(width - 0.5F * arcade.pier, arcade.springing), back, along * (0.5F * arcade.pier), grain);
  }
}

void add_cornice(MeshBuilder& builder, Vec3 start, Vec3 run, std::span<const ProfilePoint> profile, float grain) {
  const Vec3 along = normalize(run);
  const Vec3 out{along.y, -along.x, 0};
  const std::vector<ProfilePoint> curve =
      smooth_profile(profile, pieces(length_of(profile), 0.5F * grain, static_cast<int>(profile.size()) - 1));
  const auto last = static_cast<int>(curve.size()) - 1;
  builder.add_surface(
      [&](float u, float v) {
        const ProfilePoint& at = curve[static_cast<std::size_t>(std::lround(v * static_cast<float>(last)))];
        return start + run * u + out * at.radius + Vec3{0, 0, at.height};
      },
      pieces(length(run), grain), last);
}

void add_railing(MeshBuilder& builder, Vec3 start, Vec3 run, const Railing& railing) {
  const auto& [height, spacing, radius, cells] = railing;
  const Vec3 up{0, 0, height};
  const int posts = pieces(length(run), spacing);
  const std::array<Vec3, 2> ends{start + up, start + up + run};
  builder.add_tube(smooth_path(ends, posts), 2.0F * radius, 6);
  for (int i = 0; i < posts; ++i) {
    const Vec3 foot = start + run * ((static_cast<float>(i) + 0.5F) / static_cast<float>(posts));
    const std::array<Vec3, 2> post{foot, foot + up};
    builder.add_tube(smooth_path(post, cells), radius, 4);
  }
}

void add_ring(MeshBuilder& builder, Vec3 centre, Vec3 axis, const Ring& ring, float grain) {
  const float radius = ring.radius;
  const float thickness = ring.thickness;
  const auto [side, other] = tangent_frame(axis);
  const auto turn = [](float part) { return part < 1.0F ? 2.0F * pi * part : 0.0F; };
  builder.add_surface(
      [&, side = side, other = other](float u, float v) {
        const Vec3 out = side * std::cos(turn(u)) + other * std::sin(turn(u));
        return centre + out * (radius + thickness * std::cos(turn(v))) + axis * (thickness * std::sin(turn(v)));
      },
      pieces(2.0F * pi * radius, grain, 12), pieces(2.0F * pi * thickness, 0.6F * grain, 6));
}

void add_drape(MeshBuilder& builder, Vec3 corner, Vec3 across, const Drape& drape) {
  const Vec3 out = normalize(cross(across, {0, 0, 1}));
  builder.add_surface(
      [&](float u, float v) {
        // Gathered towards the top, and slightly wavy.
        const float fold = std::sin(2.0F * pi * drape.folds * u + 0.8F * std::sin(3.0F * v)) * (0.3F + 0.7F * v);
        return corner + across * (0.5F + (u - 0.5F) * (0.86F + 0.14F * v)) + out * (drape.depth * fold) -
               Vec3{0, 0, drape.drop * v};
      },
      drape.cells, drape.cells);
}

void add_urn(MeshBuilder& builder, Vec3 foot, float height, float grain) {
  const std::array<ProfilePoint, 8> profile{{{0.28F * height, 0.0F},
                                             {0.28F * height, 0.06F * height},
                                             {0.14F * height, 0.16F * height},
                                             {0.36F * height, 0.42F * height},
                                             {0.46F * height, 0.7F * height},
                                             {0.42F * height, 0.86F * height},
                                             {0.5F * height, height},
                                             {0.4F * height, 0.94F * height}}};
  builder.add_revolution(foot, smooth_profile(profile, pieces(length_of(profile), grain, 14)),
                         pieces(2.6F * height, grain, 10));
}

}  // namespace reconverge::scenes

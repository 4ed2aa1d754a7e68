// SPDX-License-Identifier: Apache-2.0
#include <numbers>

#include "scenes/generators/conference_parts.hpp"

namespace reconverge::scenes {

namespace {

constexpr float two_pi = 2.0F * std::numbers::pi_v<float>;

/// The pieces of a bend in a rod of steel, metres.
constexpr float bend_step = 0.01F;
/// The radius of a screw's head.
constexpr float screw = 0.00175F;

/// The curved surface of the back, which leans and bends around the sitter. `side` in -1..1, `height` in 0..1.
Vec3 back_at(float side, float height) {
  const float width = 0.235F - 0.03F * height * height;
  const float bend = 0.05F * side * side + 0.02F * std::sin(3.0F * height);
  return {width * side, -0.245F - 0.1F * height + bend, 0.58F + 0.44F * height};
}

/// Around the back, from the middle of its lower edge.
constexpr std::array<std::array<float, 2>, 9> back_outline{{{0.0F, 0.0F},
                                                            {1.0F, 0.0F},
                                                            {1.0F, 0.5F},
                                                            {1.0F, 1.0F},
                                                            {0.0F, 1.0F},
                                                            {-1.0F, 1.0F},
                                                            {-1.0F, 0.5F},
                                                            {-1.0F, 0.0F},
                                                            {0.0F, 0.0F}}};

/// Twin wheels with soft rounded treads, each with a screw in its hub, and the hood above them.
void add_caster(MeshBuilder& builder, const ConferenceMaterials& materials, Vec3 foot, float heading) {
  const Vec3 axis{std::cos(heading), std::sin(heading), 0.0F};
  constexpr float radius = 0.0165F;
  constexpr float tread = 0.0032F;
  std::vector<ProfilePoint> wheel{{0.0F, 0.001F}};
  const int pieces = builder.segments(7, 2);
  for (int i = 0; i <= pieces; ++i) {
    const float angle = 0.5F * two_pi * static_cast<float>(i) / static_cast<float>(pieces);
    wheel.push_back({radius - tread + tread * std::sin(angle), tread * (1.0F - std::cos(angle))});
  }
  wheel.push_back({0.0F, 2.0F * tread - 0.001F});
  const Vec3 hub = foot + Vec3{0.0F, 0.0F, radius};
  for (const Vec3 side : {axis, -axis}) {
    builder.use_material(materials.plastic);
    builder.add_revolution(hub + side * 0.004F, wheel, builder.segments(57, 5), side);
    builder.use_material(materials.metal);
    add_screw(builder, hub + side * 0.0094F, side, screw);
  }
  builder.add_cushion(hub + Vec3{0.0F, 0.0F, 0.022F}, {0.012F, 0.012F, 0.014F}, 0.7F, builder.segments(9, 4),
                      builder.segments(5, 3));
}

void add_base(MeshBuilder& builder, const ConferenceMaterials& materials, bool fine_parts) {
  for (int arm = 0; arm < 5; ++arm) {
    const float angle = two_pi * (static_cast<float>(arm) + 0.25F) / 5.0F;
    const Vec3 out{std::cos(angle), std::sin(angle), 0.0F};
    const float knee = fine_parts ? 0.24F : 0.15F;
    const std::array<Vec3, 3> spine{Vec3{0, 0, 0.105F}, out * knee + Vec3{0, 0, 0.095F},
                                    out * 0.3F + Vec3{0, 0, 0.065F}};
    builder.use_material(materials.metal);
    builder.add_tube(spine, 0.016F, builder.segments(12, 3));
    if (fine_parts) add_caster(builder, materials, out * 0.3F, angle + 0.9F * static_cast<float>(arm));
  }
  const std::array<ProfilePoint, 8> column{{{0.0F, 0.08F},
                                            {0.032F, 0.08F},
                                            {0.032F, 0.13F},
                                            {0.025F, 0.14F},
                                            {0.025F, 0.27F},
                                            {0.014F, 0.28F},
                                            {0.014F, 0.42F},
                                            {0.0F, 0.42F}}};
  builder.add_revolution({}, column, builder.segments(16, 4));
}

void add_mechanism(MeshBuilder& builder, const ConferenceMaterials& materials) {
  builder.use_material(materials.plastic);
  builder.add_cushion({0, 0, 0.42F}, {0.09F, 0.11F, 0.025F}, 0.3F, builder.segments(14, 4), builder.segments(5, 3));
  builder.use_material(materials.metal);
  const std::array<Vec3, 3> lever{Vec3{0.05F, 0.02F, 0.42F}, Vec3{0.18F, 0.03F, 0.418F}, Vec3{0.27F, 0.03F, 0.405F}};
  builder.add_tube(builder.smooth(lever, 2), 0.005F, builder.segments(8, 3));
  builder.use_material(materials.plastic);
  builder.add_cushion({0.28F, 0.03F, 0.403F}, {0.025F, 0.012F, 0.008F}, 0.6F, builder.segments(10, 4),
                      builder.segments(5, 3));
  // A hand wheel in front of the mechanism, ribbed.
  const int ribs = builder.segments(32, 6);
  builder.add_surface(
      [](float u, float v) {
        const float angle = two_pi * (u < 1.0F ? u : 0.0F);
        const float radius = 0.024F + 0.0015F * std::cos(10.0F * angle);
        const float ring = v < 0.25F ? v * 4.0F : (v > 0.75F ? (1.0F - v) * 4.0F : 1.0F);
        return Vec3{radius * ring * std::cos(angle), -0.12F - 0.02F * v, 0.425F + radius * ring * std::sin(angle)};
      },
      ribs, builder.segments(5, 4));
}

/// The steel that holds the upholstery: around the back, and around the pan under the seat; rods with tight bends.
void add_shell(MeshBuilder& builder, const ConferenceMaterials& materials) {
  builder.use_material(materials.metal);
  const auto rod = [&](std::span<const Vec3> corners, float bend) {
    builder.add_tube(builder.bend(corners, bend, bend_step), 0.005F, builder.segments(16, 3));
  };
  const std::array<Vec3, 6> pan{Vec3{0, 0.262F, 0.445F},       Vec3{0.262F, 0.262F, 0.445F},
                                Vec3{0.262F, -0.242F, 0.445F}, Vec3{-0.262F, -0.242F, 0.445F},
                                Vec3{-0.262F, 0.262F, 0.445F}, Vec3{0, 0.262F, 0.445F}};
  rod(pan, 0.02F);
  std::vector<Vec3> outline;
  for (const auto [side, height] : back_outline) outline.push_back(back_at(side, height));
  rod(outline, 0.015F);
  // The back's shell is screwed to its stay.
  for (const float side : {-0.12F, 0.12F}) {
    for (const float height : {0.2F, 0.35F}) {
      add_screw(builder, back_at(side, height) + Vec3{0, -0.0175F, 0}, {0, -1, 0}, screw);
    }
  }
}

void add_upholstery(MeshBuilder& builder, const ConferenceMaterials& materials, bool fine_parts) {
  builder.use_material(materials.fabric);
  builder.add_cushion({0, 0.01F, 0.475F}, {0.25F, 0.24F, 0.042F}, 0.42F, builder.segments(36, 8),
                      builder.segments(10, 4));
  // A cushion mapped onto a curved sheet.
  const auto back = [](float depth) {
    return [depth](float u, float v) {
      const float side = 2.0F * u - 1.0F;
      const float height = 2.0F * v - 1.0F;
      const float thick = depth * std::sqrt(std::max(0.0F, (1.0F - std::pow(std::abs(side), 6.0F)) *
                                                               (1.0F - std::pow(std::abs(height), 6.0F))));
      return back_at(side, v) + Vec3{0.0F, thick, 0.0F};
    };
  };
  builder.add_surface(back(0.022F), builder.segments(19, 4), builder.segments(19, 4));
  builder.use_material(materials.plastic);
  builder.add_surface(back(-0.018F), builder.segments(12, 4), builder.segments(12, 4));
  builder.use_material(materials.metal);
  if (fine_parts) add_shell(builder, materials);
  const std::array<Vec3, 4> stay{Vec3{0, -0.08F, 0.425F}, Vec3{0, -0.26F, 0.43F}, Vec3{0, -0.3F, 0.52F},
                                 Vec3{0, -0.29F, 0.72F}};
  builder.add_tube(builder.bend(stay, fine_parts ? 0.04F : 0.0F, bend_step), 0.017F, builder.segments(12, 3));
}

void add_arm(MeshBuilder& builder, const ConferenceMaterials& materials, float side, bool fine_parts) {
  const auto at = [side](float x, float y, float z) { return Vec3{side * x, y, z}; };
  const std::array<Vec3, 7> frame{at(0.1F, 0.02F, 0.43F),   at(0.26F, 0.02F, 0.435F), at(0.29F, 0.03F, 0.5F),
                                  at(0.285F, 0.1F, 0.655F), at(0.285F, 0.0F, 0.665F), at(0.285F, -0.12F, 0.66F),
                                  at(0.27F, -0.2F, 0.6F)};
  builder.use_material(materials.metal);
  builder.add_tube(builder.bend(frame, fine_parts ? 0.02F : 0.0F, 0.02F), 0.0125F, builder.segments(12, 3));
  builder.use_material(materials.plastic);
  builder.add_cushion(at(0.285F, -0.01F, 0.685F), {0.03F, 0.14F, 0.014F}, 0.5F, builder.segments(18, 6),
                      builder.segments(7, 3));
}

}  // namespace

void add_chair(MeshBuilder& builder, const ConferenceMaterials& materials, const Placement& place, bool fine_parts) {
  builder.place(place);
  add_base(builder, materials, fine_parts);
  add_upholstery(builder, materials, fine_parts);
  if (fine_parts) add_mechanism(builder, materials);
  for (const float side : {-1.0F, 1.0F}) add_arm(builder, materials, side, fine_parts);
  builder.place({});
}

}  // namespace reconverge::scenes

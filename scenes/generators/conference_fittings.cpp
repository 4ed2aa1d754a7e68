// SPDX-License-Identifier: Apache-2.0
// Small, frequent objects of a conference room. They have the room's shortest edges, like the rounded edges and corners
// of furniture in a real one; the flutes of its radiators are among the longest.
#include <cmath>
#include <numbers>

#include "scenes/generators/conference_parts.hpp"

namespace reconverge::scenes {

void add_flutes(MeshBuilder& builder, Vec3 corner, Vec3 along, Vec3 up, const Flutes& flutes) {
  const Vec3 out = normalize(cross(along, up)) * (0.5F * flutes.depth);
  const auto sheet = [=](float u, float v) {
    const float wave = std::cos(2.0F * std::numbers::pi_v<float> * u * static_cast<float>(flutes.count));
    return corner + along * u + up * v + out * (1.0F - wave);
  };
  builder.add_surface(sheet, 8 * flutes.count, 1);
}

void add_screw(MeshBuilder& builder, Vec3 place, Vec3 axis, float radius) {
  const std::array<ProfilePoint, 5> head{{{0.0F, 0.35F * radius},
                                          {0.35F * radius, 0.35F * radius},
                                          {0.45F * radius, 0.65F * radius},
                                          {0.85F * radius, 0.45F * radius},
                                          {radius, 0.0F}}};
  builder.add_revolution(place, head, builder.segments(14, 4), axis);
}

void add_microphone(MeshBuilder& builder, const ConferenceMaterials& materials, const Placement& place) {
  builder.place(place);
  builder.use_material(materials.plastic);
  builder.add_cushion({0, 0, 0.012F}, {0.032F, 0.045F, 0.012F}, 0.4F, builder.segments(22, 6), builder.segments(7, 3));
  builder.use_material(materials.metal);
  for (const float side : {-1.0F, 1.0F}) add_screw(builder, {side * 0.02F, -0.03F, 0.0225F}, {0, 0, 1}, 0.00175F);
  const std::array<Vec3, 3> neck{Vec3{0, -0.015F, 0.015F}, Vec3{0, -0.005F, 0.245F}, Vec3{0, 0.07F, 0.3F}};
  builder.add_tube(builder.bend(neck, 0.035F, 0.003F), 0.003F, builder.segments(12, 3));
  // The foam wind shield, shaped like a drop around the end of the neck.
  builder.use_material(materials.plastic);
  const std::array<ProfilePoint, 5> shield{
      {{0.0F, -0.012F}, {0.0065F, -0.01F}, {0.0105F, 0.003F}, {0.0085F, 0.015F}, {0.0F, 0.02F}}};
  builder.add_revolution({0, 0.074F, 0.303F}, builder.smooth(shield, 3), builder.segments(22, 5),
                         normalize(Vec3{0, 0.075F, 0.055F}));
  builder.place({});
}

void add_radiator(MeshBuilder& builder, const ConferenceMaterials& materials, float left, float width) {
  constexpr float low = 0.16F;
  constexpr float high = 0.78F;
  builder.use_material(materials.white);
  builder.add_box({left, 0.03F, low}, {left + width, 0.07F, high});
  add_flutes(builder, {left + width, 0.071F, low}, {-width, 0, 0}, {0, 0, high - low},
             {0.014F, builder.segments(36, 4)});
  builder.use_material(materials.metal);
  const float end = left + width;
  const std::array<Vec3, 3> pipe{Vec3{end, 0.05F, low + 0.04F}, Vec3{end + 0.05F, 0.05F, low + 0.04F},
                                 Vec3{end + 0.05F, 0.05F, 0.0F}};
  builder.add_tube(builder.bend(pipe, 0.02F, 0.003F), 0.0075F, builder.segments(16, 4));
  builder.use_material(materials.white);
  const std::array<ProfilePoint, 6> valve{
      {{0.0F, 0.07F}, {0.014F, 0.068F}, {0.019F, 0.06F}, {0.019F, 0.015F}, {0.012F, 0.01F}, {0.012F, 0.0F}}};
  builder.add_revolution({end + 0.05F, 0.05F, low + 0.04F}, builder.smooth(valve, 3), builder.segments(36, 6),
                         {1, 0, 0});
}

}  // namespace reconverge::scenes

// SPDX-License-Identifier: Apache-2.0
#include <numbers>

#include "scenes/generators/conference_parts.hpp"
#include "scenes/sampler.hpp"

namespace reconverge::scenes {

namespace {

constexpr float two_pi = 2.0F * std::numbers::pi_v<float>;
constexpr float half_length = 2.85F;
constexpr float table_height = 0.74F;

/// A number in 0..1 that depends only on its arguments, so that the arrangement on the table never changes.
float scatter(std::uint32_t thing, std::uint32_t property) {
  return static_cast<float>(hash_pair(thing, property) >> 8U) * 0x1p-24F;
}

float half_width(float x) { return 0.72F - 0.16F * (x / half_length) * (x / half_length); }

void add_cup(MeshBuilder& builder, const ConferenceMaterials& materials, Vec3 foot, float angle) {
  builder.place({foot, angle});
  builder.use_material(materials.ceramic);
  const std::array<ProfilePoint, 9> saucer{{{0.0F, 0.004F},
                                            {0.03F, 0.003F},
                                            {0.034F, 0.0F},
                                            {0.04F, 0.004F},
                                            {0.07F, 0.014F},
                                            {0.072F, 0.017F},
                                            {0.05F, 0.011F},
                                            {0.03F, 0.008F},
                                            {0.0F, 0.008F}}};
  builder.add_revolution({}, builder.smooth(saucer, 1), builder.segments(36, 6));
  const std::array<ProfilePoint, 10> cup{{{0.0F, 0.009F},
                                          {0.02F, 0.009F},
                                          {0.023F, 0.014F},
                                          {0.034F, 0.035F},
                                          {0.039F, 0.065F},
                                          {0.0385F, 0.067F},
                                          {0.036F, 0.064F},
                                          {0.031F, 0.036F},
                                          {0.02F, 0.017F},
                                          {0.0F, 0.015F}}};
  builder.add_revolution({}, builder.smooth(cup, 2), builder.segments(36, 6));
  const std::array<Vec3, 5> handle{Vec3{0.034F, 0, 0.052F}, Vec3{0.052F, 0, 0.054F}, Vec3{0.058F, 0, 0.042F},
                                   Vec3{0.05F, 0, 0.03F}, Vec3{0.031F, 0, 0.027F}};
  builder.add_tube(builder.smooth(handle, 5), 0.0035F, builder.segments(10, 3));
  builder.place({});
}

/// A body of revolution with lid and knob, a spout that narrows as it rises, and a handle.
void add_pot(MeshBuilder& builder, const ConferenceMaterials& materials, Vec3 foot, float angle) {
  builder.place({foot, angle});
  builder.use_material(materials.ceramic);
  const std::array<ProfilePoint, 13> body{{{0.0F, 0.002F},
                                           {0.055F, 0.0F},
                                           {0.06F, 0.008F},
                                           {0.092F, 0.045F},
                                           {0.1F, 0.085F},
                                           {0.084F, 0.125F},
                                           {0.06F, 0.148F},
                                           {0.063F, 0.154F},
                                           {0.05F, 0.162F},
                                           {0.02F, 0.172F},
                                           {0.009F, 0.178F},
                                           {0.014F, 0.192F},
                                           {0.0F, 0.199F}}};
  builder.add_revolution({}, builder.smooth(body, 4), builder.segments(56, 8));
  const std::array<Vec3, 5> rise{Vec3{0.08F, 0, 0.06F}, Vec3{0.125F, 0, 0.07F}, Vec3{0.145F, 0, 0.105F},
                                 Vec3{0.16F, 0, 0.14F}, Vec3{0.185F, 0, 0.152F}};
  const auto spine = builder.smooth(rise, 8);
  const int last = static_cast<int>(spine.size()) - 1;
  builder.add_surface(
      [&](float u, float v) {
        const Vec3 centre = spine[static_cast<std::size_t>(std::lround(v * static_cast<float>(last)))];
        const float radius = 0.024F - 0.014F * std::sqrt(v);
        const float turned = two_pi * (u < 1.0F ? u : 0.0F);
        return centre + Vec3{-0.6F * std::cos(turned), std::sin(turned), 0.8F * std::cos(turned)} * radius;
      },
      builder.segments(24, 5), last);
  const std::array<Vec3, 5> handle{Vec3{-0.078F, 0, 0.13F}, Vec3{-0.125F, 0, 0.138F}, Vec3{-0.148F, 0, 0.105F},
                                   Vec3{-0.13F, 0, 0.065F}, Vec3{-0.085F, 0, 0.04F}};
  builder.add_tube(builder.smooth(handle, 10), 0.009F, builder.segments(16, 4));
  builder.place({});
}

void add_fruit_bowl(MeshBuilder& builder, const ConferenceMaterials& materials, Vec3 foot, std::uint32_t fruits) {
  builder.use_material(materials.glass);
  const std::array<ProfilePoint, 9> bowl{{{0.0F, 0.0F},
                                          {0.06F, 0.0F},
                                          {0.062F, 0.01F},
                                          {0.11F, 0.035F},
                                          {0.15F, 0.075F},
                                          {0.152F, 0.078F},
                                          {0.147F, 0.077F},
                                          {0.1F, 0.04F},
                                          {0.0F, 0.016F}}};
  builder.add_revolution(foot, builder.smooth(bowl, 4), builder.segments(56, 8));
  builder.use_material(materials.fruit);
  const std::array<ProfilePoint, 7> apple{{{0.0F, 0.006F},
                                           {0.02F, 0.0F},
                                           {0.036F, 0.02F},
                                           {0.04F, 0.042F},
                                           {0.03F, 0.066F},
                                           {0.012F, 0.07F},
                                           {0.0F, 0.062F}}};
  const auto profile = builder.smooth(apple, 3);
  for (std::uint32_t i = 0; i < fruits; ++i) {
    const float angle = two_pi * static_cast<float>(i) / 6.0F;
    const float radius = i < 6 ? 0.078F : 0.0F;
    builder.add_revolution(foot + Vec3{radius * std::cos(angle), radius * std::sin(angle), i < 6 ? 0.035F : 0.072F},
                           profile, builder.segments(24, 5));
  }
}

void add_pen(MeshBuilder& builder, const ConferenceMaterials& materials, std::uint32_t number, Vec3 place) {
  builder.use_material(number % 3 == 0 ? materials.fabric : (number % 3 == 1 ? materials.plastic : materials.fruit));
  const float angle = two_pi * scatter(number, 7);
  const std::array<ProfilePoint, 9> pen{{{0.0F, 0.0F},
                                         {0.001F, 0.0F},
                                         {0.0045F, 0.014F},
                                         {0.0045F, 0.09F},
                                         {0.0052F, 0.092F},
                                         {0.0052F, 0.134F},
                                         {0.003F, 0.136F},
                                         {0.003F, 0.141F},
                                         {0.0F, 0.141F}}};
  builder.add_revolution(place + Vec3{0, 0, 0.0055F}, builder.smooth(pen, 2), builder.segments(14, 4),
                         {std::cos(angle), std::sin(angle), 0.0F});
}

/// A conference telephone: three feet, a grille of small knobs, keys.
void add_telephone(MeshBuilder& builder, const ConferenceMaterials& materials, Vec3 foot) {
  builder.use_material(materials.plastic);
  builder.add_surface(
      [foot](float u, float v) {
        const float angle = two_pi * (u < 1.0F ? u : 0.0F);
        const float reach = (0.13F + 0.05F * std::cos(3.0F * angle)) * (1.0F - v);
        return foot + Vec3{reach * std::cos(angle), reach * std::sin(angle), 0.012F + 0.045F * std::sqrt(v)};
      },
      builder.segments(48, 9), builder.segments(8, 3));
  const int rows = builder.segments(10, 2);
  builder.use_material(materials.metal);
  const auto at = [rows](int i) { return (static_cast<float>(i) / static_cast<float>(rows - 1) - 0.5F) * 0.07F; };
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < rows; ++i) {
      const float x = at(i);
      const float y = at(row);
      builder.add_box(foot + Vec3{x - 0.0022F, y - 0.0022F, 0.03F}, foot + Vec3{x + 0.0022F, y + 0.0022F, 0.0605F});
    }
  }
}

void add_cable(MeshBuilder& builder, const ConferenceMaterials& materials, std::uint32_t number, Vec3 from) {
  builder.use_material(materials.plastic);
  std::vector<Vec3> knots{from + Vec3{0, 0, 0.004F}};
  const float heading = two_pi * scatter(number, 20);
  for (std::uint32_t i = 1; i < 9; ++i) {
    const float along = 0.05F * static_cast<float>(i);
    const float aside = 0.05F * (scatter(number, 30 + i) - 0.5F);
    knots.push_back(from + Vec3{along * std::cos(heading) - aside * std::sin(heading),
                                0.6F * along * std::sin(heading) + aside * std::cos(heading), 0.004F});
  }
  builder.add_tube(builder.smooth(knots, 5), 0.0032F, builder.segments(9, 3));
}

void add_papers(MeshBuilder& builder, const ConferenceMaterials& materials, std::uint32_t number, Vec3 place) {
  builder.place({place, 0.5F * (scatter(number, 3) - 0.5F)});
  const std::array<std::uint32_t, 4> covers{materials.paper, materials.accent, materials.paper, materials.fabric};
  builder.use_material(covers.at(number % 4));
  builder.add_box({-0.105F, -0.148F, 0.0005F}, {0.105F, 0.148F, 0.004F + 0.014F * scatter(number, 4)});
  builder.place({});
}

}  // namespace

void add_table(MeshBuilder& builder, const ConferenceMaterials& materials, Vec3 centre) {
  builder.use_material(materials.wood);
  const int along = builder.segments(26, 8);
  const auto sheet = [centre](float z) {
    return [centre, z](float u, float v) {
      const float x = half_length * (2.0F * u - 1.0F);
      return centre + Vec3{x, half_width(x) * (2.0F * v - 1.0F), z};
    };
  };
  builder.add_surface(sheet(table_height), along, 2);
  builder.add_surface(sheet(table_height - 0.035F), along, 2);
  // The rim: around the outline, rounded in height.
  for (const float side : {-1.0F, 1.0F}) {
    builder.add_surface(
        [=](float u, float v) {
          const float x = half_length * (2.0F * u - 1.0F);
          const float bulge = 0.012F * std::sin(std::numbers::pi_v<float> * v);
          return centre + Vec3{x, side * (half_width(x) + bulge), table_height - 0.035F * v};
        },
        along, builder.segments(16, 1));
    const float end = side * half_length;
    builder.add_rectangle(centre + Vec3{end, -half_width(end), table_height - 0.035F}, {0, 2.0F * half_width(end), 0},
                          {0, 0, 0.035F}, builder.segments(6, 1));
  }
  for (const float side : {-1.0F, 1.0F}) {
    const Vec3 leg = centre + Vec3{side * 1.7F, 0, 0};
    builder.use_material(materials.plastic);
    builder.add_box(leg + Vec3{-0.06F, -0.35F, 0.03F}, leg + Vec3{0.06F, 0.35F, table_height - 0.035F});
    builder.use_material(materials.metal);
    builder.add_box(leg + Vec3{-0.18F, -0.42F, 0.0F}, leg + Vec3{0.18F, 0.42F, 0.03F});
  }
}

void add_table_ware(MeshBuilder& builder, const ConferenceMaterials& materials, Vec3 centre, bool fine_parts) {
  add_pot(builder, materials, centre + Vec3{0.55F, 0.05F, 0.0F}, 0.7F);
  add_fruit_bowl(builder, materials, centre + Vec3{-0.45F, -0.02F, 0.0F}, fine_parts ? 7 : 1);
  for (std::uint32_t seat = 0; seat < (fine_parts ? 14U : 3U); ++seat) {
    const float side = seat % 2 == 0 ? 1.0F : -1.0F;
    const std::uint32_t column = seat / 2;
    const float x = -2.34F + 0.78F * static_cast<float>(column);
    const float edge = side * (half_width(x) - 0.22F);
    add_papers(builder, materials, seat, centre + Vec3{x + 0.05F * scatter(seat, 1), edge, 0});
    if (fine_parts ? seat % 3 != 1 : seat == 2) {
      add_cup(builder, materials, centre + Vec3{x + 0.2F, edge - side * 0.1F, 0}, two_pi * scatter(seat, 2));
    }
    if (!fine_parts) continue;
    add_microphone(
        builder, materials,
        {centre + Vec3{x - 0.05F, side * (half_width(x) - 0.42F), 0}, side > 0.0F ? 0.0F : std::numbers::pi_v<float>});
    add_pen(builder, materials, seat, centre + Vec3{x - 0.17F, edge + 0.05F * (scatter(seat, 5) - 0.5F), 0});
  }
  if (!fine_parts) return;
  add_telephone(builder, materials, centre + Vec3{1.35F, 0, 0});
  add_telephone(builder, materials, centre + Vec3{-1.5F, 0, 0});
  for (std::uint32_t i = 0; i < 8; ++i) {
    add_cable(builder, materials, i, centre + Vec3{i % 2 == 0 ? 1.45F : -1.42F, 0.06F * (scatter(i, 9) - 0.5F), 0});
  }
}

void add_plant(MeshBuilder& builder, const ConferenceMaterials& materials, Vec3 foot) {
  builder.use_material(materials.ceramic);
  const std::array<ProfilePoint, 8> pot{{{0.0F, 0.0F},
                                         {0.13F, 0.0F},
                                         {0.15F, 0.03F},
                                         {0.2F, 0.32F},
                                         {0.215F, 0.34F},
                                         {0.2F, 0.35F},
                                         {0.185F, 0.31F},
                                         {0.0F, 0.3F}}};
  builder.add_revolution(foot, builder.smooth(pot, 3), builder.segments(40, 8));
  builder.use_material(materials.leaf);
  const int leaves = builder.segments(56, 8);
  for (int i = 0; i < leaves; ++i) {
    const auto leaf = static_cast<std::uint32_t>(i);
    const float heading = two_pi * scatter(leaf, 50);
    const float reach = 0.25F + 0.3F * scatter(leaf, 51);
    const float rise = 0.35F + 0.95F * scatter(leaf, 52);
    const float width = 0.035F + 0.03F * scatter(leaf, 53);
    builder.add_surface(
        [=](float u, float v) {
          const float out = reach * u;
          const float height = 0.3F + rise * (1.6F * u - 0.75F * u * u);
          const float aside = width * (2.0F * v - 1.0F) * std::sqrt(std::max(0.0F, u * (1.0F - u))) * 2.0F;
          const float fold = 0.4F * std::abs(aside);
          return foot + Vec3{out * std::cos(heading) - aside * std::sin(heading),
                             out * std::sin(heading) + aside * std::cos(heading), height + fold};
        },
        builder.segments(12, 3), builder.segments(4, 2));
  }
}

}  // namespace reconverge::scenes

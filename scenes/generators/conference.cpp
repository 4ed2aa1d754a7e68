// SPDX-License-Identifier: Apache-2.0
// A conference room: huge plain walls around finely tessellated chairs and tableware. It stands in for the room that
// Lü et al. (MICRO 2017) and Steffen and Zambreno (MICRO 2010) trace, with the properties that make that room hard:
// half of the triangles lie in well under half a per cent of the volume, and no ray escapes. 11 x 7 x 2.7 m, z up,
// lights in the ceiling and outside the blinds.
#include <array>
#include <cmath>
#include <numbers>

#include "scenes/generators/conference_parts.hpp"
#include "scenes/generators/generator.hpp"

namespace reconverge::scenes {

namespace {

constexpr float pi = std::numbers::pi_v<float>;
constexpr Vec3 room{11.0F, 7.0F, 2.7F};
/// The tessellation factor at which a room of detail 1 has about as many triangles as the real one.
constexpr float standard_detail = 0.826F;

constexpr std::array<std::string_view, 16> materials{"carpet", "wall",    "accent",  "ceiling", "wood",  "fabric",
                                                     "metal",  "plastic", "ceramic", "white",   "glass", "leaf",
                                                     "fruit",  "paper",   "lamp",    "daylight"};

/// `detail` scales all tessellation; triangles grow with its square. `chairs`: the first sixteen are at the table.
/// `fine_parts`: casters, cables, pens and the plant; without them, a few thousand triangles suffice.
constexpr std::array<Setting, 3> settings{{{"detail", 1, 0.05, 8}, {"chairs", 18, 0, 18}, {"fine_parts", 1, 0, 1}}};

constexpr Vec3 table_centre{5.2F, 3.5F, 0.0F};

void add_walls(MeshBuilder& builder, const ConferenceMaterials& m, bool fine_parts) {
  const float x = room.x;
  const float y = room.y;
  const float z = room.z;
  builder.use_material(m.carpet);
  builder.add_rectangle({0, 0, 0}, {x, 0, 0}, {0, y, 0});
  builder.use_material(m.ceiling);
  builder.add_rectangle({0, 0, z}, {0, y, 0}, {x, 0, 0});
  builder.use_material(m.accent);
  builder.add_rectangle({0, 0, 0}, {0, y, 0}, {0, 0, z});
  builder.use_material(m.wall);
  builder.add_rectangle({x, 0, 0}, {0, 0, z}, {0, y, 0});
  builder.add_rectangle({0, 0, 0}, {0, 0, z}, {x, 0, 0});
  builder.add_rectangle({0, y, 0}, {x, 0, 0}, {0, 0, z});
  builder.use_material(m.white);
  for (const float side : {0.0F, y - 0.015F}) builder.add_box({0.016F, side, 0.0F}, {x - 0.016F, side + 0.015F, 0.09F});
  for (const float side : {0.0F, x - 0.015F}) builder.add_box({side, 0.016F, 0.0F}, {side + 0.015F, y - 0.016F, 0.09F});
  if (fine_parts) {
    // Fluted wooden panels, which reduce the echo.
    builder.use_material(m.wood);
    add_flutes(builder, {0.4F, y - 0.002F, 0.1F}, {7.5F, 0, 0}, {0, 0, 2.5F}, {0.02F, builder.segments(200, 4)});
    add_flutes(builder, {x - 0.002F, 6.7F, 0.1F}, {0, -6.4F, 0}, {0, 0, 2.5F}, {0.02F, builder.segments(170, 4)});
    builder.use_material(m.white);
  }
  // The ceiling's grid of thin rails.
  for (int i = 1; fine_parts && i < 9; ++i) {
    const float at = 1.22F * static_cast<float>(i);
    builder.add_box({at - 0.012F, 0.02F, z - 0.008F}, {at + 0.012F, y - 0.02F, z});
  }
}

/// A panel that emits light downwards through fins, in a frame.
void add_lamp(MeshBuilder& builder, const ConferenceMaterials& m, Vec3 centre, bool fine_parts) {
  const float half_x = 0.6F;
  const float half_y = 0.3F;
  builder.use_material(m.lamp);
  builder.add_rectangle(centre + Vec3{-half_x, -half_y, -0.02F}, {0, 2 * half_y, 0}, {2 * half_x, 0, 0});
  if (!fine_parts) return;
  builder.use_material(m.metal);
  for (const float side : {-1.0F, 1.0F}) {
    const float y = side * half_y;
    const float x = side * half_x;
    builder.add_box(centre + Vec3{-half_x - 0.02F, y - 0.02F, -0.07F},
                    centre + Vec3{half_x + 0.02F, y + 0.02F, -0.001F});
    builder.add_box(centre + Vec3{x - 0.02F, -half_y + 0.021F, -0.07F},
                    centre + Vec3{x + 0.02F, half_y - 0.021F, -0.001F});
  }
  const int fins = builder.segments(7, 1);
  for (int i = 1; i <= fins; ++i) {
    const float x = -half_x + 2.0F * half_x * static_cast<float>(i) / static_cast<float>(fins + 1);
    builder.add_box(centre + Vec3{x - 0.002F, -half_y + 0.022F, -0.065F},
                    centre + Vec3{x + 0.002F, half_y - 0.022F, -0.035F});
  }
}

/// A window in the wall y = 0: daylight through the slats of a blind.
void add_window(MeshBuilder& builder, const ConferenceMaterials& m, float left, bool fine_parts) {
  const float width = 2.1F;
  const float sill = 0.95F;
  const float height = 1.4F;
  builder.use_material(m.daylight);
  builder.add_rectangle({left, 0.01F, sill}, {0, 0, height}, {width, 0, 0});
  builder.use_material(m.white);
  builder.add_box({left - 0.06F, 0.0F, sill - 0.06F}, {left + width + 0.06F, 0.14F, sill - 0.01F});
  builder.add_box({left - 0.06F, 0.0F, sill + height}, {left + width + 0.06F, 0.09F, sill + height + 0.07F});
  for (const float side : {left - 0.06F, left + width}) {
    builder.add_box({side, 0.0F, sill}, {side + 0.06F, 0.05F, sill + height - 0.001F});
  }
  const int slats = builder.segments(fine_parts ? 60 : 34, 3);
  const float pitch = height / static_cast<float>(slats);
  for (int i = 0; i < slats; ++i) {
    const float z = sill + pitch * (static_cast<float>(i) + 0.5F);
    builder.add_surface(
        [=](float u, float v) {
          const float across = v - 0.5F;
          const float crown = 0.1F * (0.25F - across * across);
          const float depth = 0.75F * pitch;
          return Vec3{left + 0.01F + (width - 0.02F) * u, 0.07F + depth * across, z + depth * (0.55F * across + crown)};
        },
        1, builder.segments(12, 1));
  }
  if (!fine_parts) return;
  add_radiator(builder, m, left + 0.1F, width - 0.2F);
  builder.use_material(m.paper);
  for (const float part : {0.15F, 0.5F, 0.85F}) {
    const std::array<Vec3, 2> cord{Vec3{left + width * part, 0.088F, sill},
                                   Vec3{left + width * part, 0.088F, sill + height}};
    builder.add_tube(cord, 0.0012F, builder.segments(6, 3));
  }
}

/// Whiteboard with pens, two screens and a clock on the wall x = 0.
void add_front_wall(MeshBuilder& builder, const ConferenceMaterials& m, bool fine_parts) {
  builder.use_material(m.metal);
  builder.add_box({0.0F, 1.2F, 0.85F}, {0.03F, 4.0F, 2.15F});
  builder.use_material(m.white);
  builder.add_rectangle({0.032F, 1.24F, 0.89F}, {0, 2.72F, 0}, {0, 0, 1.22F}, builder.segments(4, 1),
                        builder.segments(2, 1));
  builder.use_material(m.metal);
  builder.add_box({0.031F, 1.7F, 0.84F}, {0.1F, 3.5F, 0.855F});
  for (int i = 0; i < (fine_parts ? 5 : 0); ++i) {
    const std::array<std::uint32_t, 5> inks{m.fabric, m.fruit, m.leaf, m.plastic, m.accent};
    builder.use_material(inks.at(static_cast<std::size_t>(i)));
    const float y = 1.95F + 0.25F * static_cast<float>(i);
    const std::array<Vec3, 2> pen{Vec3{0.065F, y, 0.864F}, Vec3{0.065F, y + 0.13F, 0.864F}};
    builder.add_tube(pen, 0.008F, builder.segments(16, 4));
  }
  for (const float y : {4.35F, 5.6F}) {
    builder.use_material(m.plastic);
    builder.add_box({0.0F, y, 1.15F}, {0.06F, y + 1.1F, 1.8F});
    builder.use_material(m.glass);
    builder.add_rectangle({0.062F, y + 0.02F, 1.17F}, {0, 1.06F, 0}, {0, 0, 0.61F});
    // A chart on the screen.
    for (int bar = 0; bar < 5; ++bar) {
      builder.use_material(bar % 2 == 0 ? m.fruit : m.leaf);
      const float low = y + 0.12F + 0.18F * static_cast<float>(bar);
      const float tall = 0.1F + 0.35F * std::abs(std::sin(2.0F * static_cast<float>(bar) + y));
      builder.add_rectangle({0.064F, low, 1.24F}, {0, 0.11F, 0}, {0, 0, tall});
    }
  }
  builder.use_material(m.white);
  const std::array<ProfilePoint, 5> clock{
      {{0.0F, 0.03F}, {0.13F, 0.03F}, {0.14F, 0.04F}, {0.15F, 0.03F}, {0.15F, 0.001F}}};
  builder.add_revolution({0.0F, 0.62F, 2.2F}, builder.smooth(clock, 4), builder.segments(64, 8), {1, 0, 0});
  builder.use_material(m.plastic);
  builder.add_box({0.033F, 0.615F, 2.2F}, {0.036F, 0.625F, 2.31F});
  builder.add_box({0.033F, 0.55F, 2.195F}, {0.036F, 0.62F, 2.205F});
}

void add_door(MeshBuilder& builder, const ConferenceMaterials& m) {
  builder.use_material(m.wood);
  builder.add_box({8.2F, 6.95F, 0.0F}, {9.1F, 6.985F, 2.05F});
  builder.use_material(m.white);
  for (const float x : {8.12F, 9.105F}) builder.add_box({x, 6.93F, 0.0F}, {x + 0.075F, 6.99F, 2.13F});
  builder.add_box({8.2F, 6.93F, 2.055F}, {9.1F, 6.99F, 2.13F});
  builder.use_material(m.metal);
  const std::array<Vec3, 4> handle{Vec3{8.3F, 6.95F, 1.02F}, Vec3{8.3F, 6.9F, 1.02F}, Vec3{8.33F, 6.885F, 1.02F},
                                   Vec3{8.43F, 6.885F, 1.02F}};
  builder.add_tube(builder.smooth(handle, 6), 0.01F, builder.segments(14, 4));
}

void add_chairs(MeshBuilder& builder, const ConferenceMaterials& m, int chairs, bool fine_parts) {
  for (int i = 0; i < chairs; ++i) {
    const float turned = 0.35F * std::sin(5.0F * static_cast<float>(i) + 1.0F);
    Placement place;
    if (i < 14) {
      const bool far_side = i % 2 == 0;
      const int column = i / 2;
      const float x = table_centre.x - 2.34F + 0.78F * static_cast<float>(column);
      const float away = 0.98F + 0.12F * std::sin(3.0F * static_cast<float>(i));
      place = {{x, table_centre.y + (far_side ? -away : away), 0.0F}, (far_side ? 0.0F : pi) + turned};
    } else if (i < 16) {
      const float side = i == 14 ? -1.0F : 1.0F;
      place = {{table_centre.x + side * 3.25F, table_centre.y, 0.0F}, side * 0.5F * pi + turned};
    } else {
      place = {{1.2F + 1.1F * static_cast<float>(i - 16), 6.2F, 0.0F}, pi + turned};
    }
    add_chair(builder, m, place, fine_parts);
  }
}

/// Scraps of paper under the table make up the remaining triangles.
void add_scraps(Workshop& shop) {
  shop.use("paper");
  Dice dice = shop.dice(1);
  for (std::size_t left = shop.missing(); left > 0; --left) {
    const Vec3 at{table_centre.x + dice.in(-2.0F, 2.0F), table_centre.y + dice.in(-0.4F, 0.4F), 0};
    const float turn = dice.angle();
    const auto corner = [&](float angle) {
      return at + Vec3{0.01F * std::cos(turn + angle), 0.01F * std::sin(turn + angle), dice.in(0.001F, 0.006F)};
    };
    const Vec3 first = corner(0);
    const Vec3 second = corner(1.9F);
    shop.mesh.add_corner_triangle(first, second, corner(4.1F));
  }
}

void build(Workshop& shop) {
  MeshBuilder& builder = shop.mesh;
  builder.set_detail(standard_detail * shop.setting("detail"));
  const ConferenceMaterials m(shop);
  const bool fine_parts = shop.setting("fine_parts") != 0.0F;
  add_walls(builder, m, fine_parts);
  for (int column = 0; column < 4; ++column) {
    for (const float y : {2.2F, 4.8F}) {
      add_lamp(builder, m, {1.83F + 2.44F * static_cast<float>(column), y, room.z}, fine_parts);
    }
  }
  for (int i = 0; i < 4; ++i) add_window(builder, m, 0.55F + 2.6F * static_cast<float>(i), fine_parts);
  add_front_wall(builder, m, fine_parts);
  add_door(builder, m);
  add_table(builder, m, table_centre);
  add_table_ware(builder, m, table_centre + Vec3{0, 0, 0.7401F}, fine_parts);
  if (fine_parts) add_plant(builder, m, {0.6F, 6.4F, 0.0F});
  add_chairs(builder, m, shop.count("chairs"), fine_parts);
  builder.place({});
  add_scraps(shop);
}

}  // namespace

ConferenceMaterials::ConferenceMaterials(const Workshop& shop)
    : carpet(shop.material("carpet")),
      wall(shop.material("wall")),
      accent(shop.material("accent")),
      ceiling(shop.material("ceiling")),
      wood(shop.material("wood")),
      fabric(shop.material("fabric")),
      metal(shop.material("metal")),
      plastic(shop.material("plastic")),
      ceramic(shop.material("ceramic")),
      white(shop.material("white")),
      glass(shop.material("glass")),
      leaf(shop.material("leaf")),
      fruit(shop.material("fruit")),
      paper(shop.material("paper")),
      lamp(shop.material("lamp")),
      daylight(shop.material("daylight")) {}

const Generator conference_generator{"conference", materials, settings, build};

}  // namespace reconverge::scenes

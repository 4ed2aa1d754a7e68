// SPDX-License-Identifier: Apache-2.0
#include "scenes/generators/vegetation.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace reconverge::scenes {

namespace {

constexpr float two_pi = 2.0F * std::numbers::pi_v<float>;

/// The horizontal direction perpendicular to `along`; arbitrary if `along` is vertical.
Vec3 across(Vec3 along) {
  const Vec3 side = cross(along, {0, 0, 1});
  return length(side) > 1e-4F * length(along) ? normalize(side) : Vec3{1, 0, 0};
}

}  // namespace

void add_leaf(MeshBuilder& builder, Vec3 foot, Vec3 along, const Leaf& leaf) {
  const auto [width, droop, pieces] = leaf;
  const Vec3 side = across(along);
  const Vec3 fold = normalize(cross(side, along)) * 0.3F;
  const float leaf_length = length(along);
  const auto rib = [&, droop = droop](float t) { return foot + along * t - Vec3{0, 0, droop * leaf_length * t * t}; };
  // Widest at a third of its length, as a heart or a lance is.
  const auto half = [width = width](float t) { return 1.3F * width * std::sqrt(t) * (1.0F - t); };
  for (const float s : {-1.0F, 1.0F}) {
    const auto edge = [&](float t) { return rib(t) + (side * s + fold) * half(t); };
    for (int i = 0; i < pieces; ++i) {
      const float t = static_cast<float>(i) / static_cast<float>(pieces);
      const float next = static_cast<float>(i + 1) / static_cast<float>(pieces);
      if (i > 0) builder.add_corner_triangle(rib(t), edge(t), i + 1 < pieces ? edge(next) : rib(next));
      if (i + 1 < pieces) builder.add_corner_triangle(rib(t), edge(next), rib(next));
    }
  }
}

void add_blade(MeshBuilder& builder, Vec3 foot, Vec3 tip, float width) {
  const Vec3 side = across(tip - foot) * (0.5F * width);
  builder.add_corner_triangle(foot - side, foot + side, tip);
}

void add_card(MeshBuilder& builder, Dice& dice, Vec3 centre, float size) {
  const Vec3 normal = dice.direction();
  const auto [side, other] = tangent_frame(normal);
  const float angle = dice.angle();
  const Vec3 u = (side * std::cos(angle) + other * std::sin(angle)) * (0.5F * size);
  const Vec3 v = cross(normal, u);
  const auto away = [&dice] { return dice.in(0.75F, 1.25F); };
  const float a = away();
  const float b = away();
  const float c = away();
  const float d = away();
  const std::array<Vec3, 4> corners{centre - (u + v) * a, centre + (u - v) * b, centre + (u + v) * c,
                                    centre + (v - u) * d};
  builder.add_polygon(corners);
}

void add_tree(MeshBuilder& builder, Dice& dice, const Tree& tree, std::uint32_t bark, std::uint32_t foliage) {
  const float lean = 0.06F * tree.height;
  const float to = dice.angle();
  const float phase = dice.angle();
  const auto middle = [&](float t) {
    const float off = lean * t * t + 0.15F * std::sin(4.0F * t + phase);
    return Vec3{off * std::cos(to), off * std::sin(to), tree.height * t - 0.3F};
  };
  const auto thickness = [&](float t) {
    return tree.radius * (0.33F + 0.4F * std::exp(-9.0F * t) + 0.27F * (1.0F - t));
  };
  builder.use_material(bark);
  builder.add_surface(
      [&](float u, float v) {
        const float around = two_pi * u;
        const float ridge = 1.0F + 0.18F * (1.0F - v) * std::sin(5.0F * around + phase);
        const float radius = 0.55F * thickness(v) * ridge;
        return middle(v) + Vec3{radius * std::cos(around), radius * std::sin(around), 0.0F};
      },
      tree.around, tree.along);
  const Vec3 top = middle(1.0F) - Vec3{0, 0, 0.35F * tree.crown.z};
  for (int i = 0; i < tree.boughs; ++i) {
    const float t = dice.in(0.62F, 0.95F);
    const float around = dice.angle();
    const Vec3 out{std::cos(around), std::sin(around), dice.in(0.3F, 0.9F)};
    const Vec3 from = middle(t);
    const std::array<Vec3, 3> path{from, from + tree.crown * out * 0.4F,
                                   from + tree.crown * out * 0.75F + Vec3{0, 0, 0.2F}};
    builder.add_tube(path, 0.12F * tree.radius, 4);
  }
  builder.use_material(foliage);
  for (int i = 0; i < tree.cards; ++i) {
    const float away = std::cbrt(dice.in(0.15F, 1.0F));
    const Vec3 where = dice.direction() * away;
    add_card(builder, dice, top + tree.crown * where, tree.card_size);
  }
}

float ground_height(float x, float y, float swell) {
  return swell * (0.5F * std::sin(0.31F * x + 0.4F) * std::cos(0.27F * y) + 0.4F * std::sin(0.11F * x - 0.23F * y) +
                  0.3F * std::cos(0.9F * x + 0.4F * y) * 0.5F);
}

void add_ground(MeshBuilder& builder, float half, int cells, float swell) {
  builder.add_surface(
      [=](float u, float v) {
        const float x = half * (2.0F * u - 1.0F);
        const float y = half * (2.0F * v - 1.0F);
        return Vec3{x, y, ground_height(x, y, swell)};
      },
      cells, cells);
}

}  // namespace reconverge::scenes

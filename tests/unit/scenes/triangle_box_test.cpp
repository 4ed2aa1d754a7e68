// SPDX-License-Identifier: Apache-2.0
#include "scenes/structures/triangle_box.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/scenes/test_support.hpp"

using namespace reconverge::scenes;

namespace {

constexpr double margin = 0x1p-40;
constexpr std::array<double, 3> no_slack{0.0, 0.0, 0.0};

bool inside(const Box& box, Vec3 p) { return min(box.low, p) == box.low && max(box.high, p) == box.high; }

bool meet(const Box& a, const Box& b) { return !Box{max(a.low, b.low), min(a.high, b.high)}.empty(); }

}  // namespace

TEST_CASE("The bounds of the part of a triangle in a box match a calculation by hand") {
  const Corners corners{Vec3{0, 0, 0}, Vec3{4, 0, 0}, Vec3{0, 4, 2}};
  SECTION("the box clips a corner") {
    const Box part = clipped_bounds(corners, {{-1, 2, -1}, {5, 5, 5}}, margin);
    CHECK(part.low.x == 0.0F);
    CHECK(part.high.x == Approx(2.0F));
    CHECK(part.low.y == 2.0F);
    CHECK(part.high.y == 4.0F);
    CHECK(part.low.z == Approx(1.0F));
    CHECK(part.high.z == 2.0F);
  }
  SECTION("the box is in the bounds of the triangle but does not overlap it") {
    CHECK(clipped_bounds(corners, {{3, 3, 0}, {4, 4, 2}}, margin).empty());
    CHECK_FALSE(overlaps(corners, {{3, 3, 0}, {4, 4, 2}}, no_slack));
  }
  SECTION("the box clips nothing") {
    const Box part = clipped_bounds(corners, {{-1, -1, -1}, {5, 5, 5}}, margin);
    CHECK(part.low == Vec3{0, 0, 0});
    CHECK(part.high == Vec3{4, 4, 2});
  }
  SECTION("a box that touches the triangle overlaps, except with negative slack") {
    const Box touching{{-1, 0, 0}, {0, 1, 1}};
    CHECK(overlaps(corners, touching, no_slack));
    CHECK_FALSE(overlaps(corners, touching, {-1e-9, -1e-9, -1e-9}));
    CHECK_FALSE(overlaps(corners, {{-2, 0, 0}, {-1, 1, 1}}, no_slack));
    CHECK(overlaps(corners, {{-2, 0, 0}, {-1, 1, 1}}, {1.0, 0.0, 0.0}));
  }
  SECTION("a box that is empty after negative slack") {
    CHECK_FALSE(overlaps(corners, {{0, 0, 0}, {1, 1, 1}}, {-1.0, 0.0, 0.0}));
  }
}

TEST_CASE("Overlap and clipping are consistent with each other and with points of the triangle") {
  Numbers numbers(11);
  std::size_t met = 0;
  std::size_t missed = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Corners corners{numbers.point(1.0F), numbers.point(1.0F), numbers.point(1.0F)};
    const Vec3 low = numbers.point(1.0F);
    const Box box{low, low + Vec3{numbers.next(0.05F, 0.6F), numbers.next(0.05F, 0.6F), numbers.next(0.05F, 0.6F)}};
    if (!meet(bounds_of(corners), box)) {
      REQUIRE_FALSE(overlaps(corners, box, no_slack));
      continue;
    }
    const Box part = clipped_bounds(corners, box, margin);
    // The margin may have an effect only on triangles that touch the box.
    if (overlaps(corners, box, {-1e-9, -1e-9, -1e-9})) REQUIRE_FALSE(part.empty());
    if (!overlaps(corners, box, {1e-9, 1e-9, 1e-9})) REQUIRE(part.empty());
    (part.empty() ? missed : met) += 1;
    for (int k = 0; k < 20; ++k) {
      float u = numbers.next(0.0F, 1.0F);
      float v = numbers.next(0.0F, 1.0F);
      if (u + v > 1.0F) u = 1.0F - u, v = 1.0F - v;
      const Vec3 p = corners[0] + (corners[1] - corners[0]) * u + (corners[2] - corners[0]) * v;
      // The point is rounded to float, so its distance from the triangle may be up to the rounding error.
      const Vec3 rounding{1e-6F, 1e-6F, 1e-6F};
      if (inside(box, p)) REQUIRE(inside({part.low - rounding, part.high + rounding}, p));
    }
  }
  CHECK(met > 1000);
  CHECK(missed > 1000);
}

TEST_CASE("The bounds on both sides of a plane match a calculation by hand") {
  const Corners corners{Vec3{0, 0, 0}, Vec3{4, 0, 0}, Vec3{0, 4, 2}};
  const Box whole = bounds_of(corners);
  SECTION("a plane through two sides") {
    const auto [low, high] = split_bounds(corners, whole, 1, 1.0F);
    CHECK((low.low == Vec3{0, 0, 0} && low.high == Vec3{4, 1, 0.5F}));
    CHECK((high.low == Vec3{0, 1, 0.5F} && high.high == Vec3{3, 4, 2}));
  }
  SECTION("a box that also clips the triangle") {
    const auto [low, high] = split_bounds(corners, {{0, 0, 0}, {2, 4, 2}}, 1, 1.0F);
    CHECK((low.high == Vec3{2, 1, 0.5F} && high.high == Vec3{2, 4, 2}));
  }
  SECTION("planes through a corner, along a side, and outside the triangle") {
    const auto [all, point] = split_bounds(corners, whole, 0, 4.0F);
    CHECK((all.high == whole.high && point.low == Vec3{4, 0, 0} && point.high == point.low));
    const auto [side, rest] = split_bounds(corners, whole, 1, 0.0F);
    CHECK((side.low == Vec3{0, 0, 0} && side.high == Vec3{4, 0, 0} && rest.high == whole.high));
    const auto [nothing, everything] = split_bounds(corners, whole, 0, -1.0F);
    CHECK(nothing.empty());
    CHECK((everything.low == whole.low && everything.high == whole.high));
  }
}

TEST_CASE("The boxes on both sides of a plane together cover a triangle, but neither does") {
  Numbers numbers(12);
  std::size_t divided = 0;
  for (int i = 0; i < 5'000; ++i) {
    const Corners corners{numbers.point(1.0F), numbers.point(1.0F), numbers.point(1.0F)};
    const Box box = bounds_of(corners);
    const auto axis = static_cast<std::size_t>(i % 3);
    const float low = component(box.low, axis);
    const float plane = low + (component(box.high, axis) - low) * numbers.next(0.05F, 0.95F);
    const auto sides = split_bounds(corners, box, axis, plane);
    REQUIRE(is_covered(corners, sides, 1e-9));
    REQUIRE(component(sides[0].high, axis) == plane);
    REQUIRE(component(sides[1].low, axis) == plane);
    REQUIRE(is_covered(corners, {&box, 1}, 0.0));
    for (const Box& side : sides) REQUIRE_FALSE(is_covered(corners, {&side, 1}, 1e-9));
    // Another split on a second axis: three boxes cover the triangle, and two do not.
    const std::size_t other = (axis + 1) % 3;
    const auto quarters = split_bounds(corners, sides[0], other, component(sides[0].centre(), other));
    const std::array<Box, 3> three{quarters[0], quarters[1], sides[1]};
    REQUIRE(is_covered(corners, three, 1e-9));
    REQUIRE_FALSE(is_covered(corners, std::span(three).first(2), 1e-9));
    divided += is_covered(corners, std::span(three).last(2), 1e-9) ? 0 : 1;
  }
  CHECK(divided > 1'000);
}

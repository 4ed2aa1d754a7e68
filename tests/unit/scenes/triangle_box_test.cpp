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

TEST_CASE("The part of a triangle within a box has the bounds that one finds on paper") {
  const Corners corners{Vec3{0, 0, 0}, Vec3{4, 0, 0}, Vec3{0, 4, 2}};
  SECTION("a corner cut off") {
    const Box part = clipped_bounds(corners, {{-1, 2, -1}, {5, 5, 5}}, margin);
    CHECK(part.low.x == 0.0F);
    CHECK(part.high.x == Approx(2.0F));
    CHECK(part.low.y == 2.0F);
    CHECK(part.high.y == 4.0F);
    CHECK(part.low.z == Approx(1.0F));
    CHECK(part.high.z == 2.0F);
  }
  SECTION("the box within the triangle's bounds but beside the triangle") {
    CHECK(clipped_bounds(corners, {{3, 3, 0}, {4, 4, 2}}, margin).empty());
    CHECK_FALSE(overlaps(corners, {{3, 3, 0}, {4, 4, 2}}, no_slack));
  }
  SECTION("nothing cut off") {
    const Box part = clipped_bounds(corners, {{-1, -1, -1}, {5, 5, 5}}, margin);
    CHECK(part.low == Vec3{0, 0, 0});
    CHECK(part.high == Vec3{4, 4, 2});
  }
  SECTION("touching counts unless the inside is asked for") {
    const Box beside{{-1, 0, 0}, {0, 1, 1}};
    CHECK(overlaps(corners, beside, no_slack));
    CHECK_FALSE(overlaps(corners, beside, {-1e-9, -1e-9, -1e-9}));
    CHECK_FALSE(overlaps(corners, {{-2, 0, 0}, {-1, 1, 1}}, no_slack));
    CHECK(overlaps(corners, {{-2, 0, 0}, {-1, 1, 1}}, {1.0, 0.0, 0.0}));
  }
  SECTION("a box that the slack leaves nothing of") {
    CHECK_FALSE(overlaps(corners, {{0, 0, 0}, {1, 1, 1}}, {-1.0, 0.0, 0.0}));
  }
}

TEST_CASE("Overlap and clipping agree with each other and with points of the triangle") {
  Numbers numbers(11);
  std::size_t met = 0;
  std::size_t beside = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Corners corners{numbers.point(1.0F), numbers.point(1.0F), numbers.point(1.0F)};
    const Vec3 low = numbers.point(1.0F);
    const Box box{low, low + Vec3{numbers.next(0.05F, 0.6F), numbers.next(0.05F, 0.6F), numbers.next(0.05F, 0.6F)}};
    if (!meet(bounds_of(corners), box)) {
      REQUIRE_FALSE(overlaps(corners, box, no_slack));
      continue;
    }
    const Box part = clipped_bounds(corners, box, margin);
    // The margin may only matter to triangles that touch the box.
    if (overlaps(corners, box, {-1e-9, -1e-9, -1e-9})) REQUIRE_FALSE(part.empty());
    if (!overlaps(corners, box, {1e-9, 1e-9, 1e-9})) REQUIRE(part.empty());
    (part.empty() ? beside : met) += 1;
    for (int k = 0; k < 20; ++k) {
      float u = numbers.next(0.0F, 1.0F);
      float v = numbers.next(0.0F, 1.0F);
      if (u + v > 1.0F) u = 1.0F - u, v = 1.0F - v;
      const Vec3 p = corners[0] + (corners[1] - corners[0]) * u + (corners[2] - corners[0]) * v;
      // The point is rounded to float and may lie beside the triangle by as much.
      const Vec3 rounding{1e-6F, 1e-6F, 1e-6F};
      if (inside(box, p)) REQUIRE(inside({part.low - rounding, part.high + rounding}, p));
    }
  }
  CHECK(met > 1000);
  CHECK(beside > 1000);
}

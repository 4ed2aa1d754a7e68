// SPDX-License-Identifier: Apache-2.0
#include "scenes/structures/precise_hit.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/scenes/test_support.hpp"

using namespace reconverge::scenes;

namespace {

constexpr std::array<Vec3, 3> unit_triangle{Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}};

}  // namespace

TEST_CASE("The intersection of a ray and a triangle's plane matches a calculation by hand") {
  const auto straight = meet_plane(unit_triangle, ray_at({0.25F, 0.5F, 2}, {0, 0, -1}));
  REQUIRE(straight);
  CHECK(straight->t == 2.0);
  CHECK(straight->u == 0.25);
  CHECK(straight->v == 0.5);
  CHECK(straight->cosine == 1.0);
  // The ray comes from below at 45 degrees, with a direction of length sqrt(8), and misses the triangle.
  const auto slanted = meet_plane(unit_triangle, ray_at({0.5F, -1, -4}, {0, 2, 2}));
  REQUIRE(slanted);
  CHECK(slanted->t == 2.0);
  CHECK(slanted->u == 0.5);
  CHECK(slanted->v == 3.0);
  CHECK(slanted->cosine == Approx(std::sqrt(0.5)));
}

TEST_CASE("A plane before the origin of a ray has a negative distance") {
  CHECK(meet_plane(unit_triangle, ray_at({0, 0, 1}, {0, 0, 1}))->t == -1.0);
}

TEST_CASE("A parallel ray and a triangle without area have no intersection") {
  CHECK_FALSE(meet_plane(unit_triangle, ray_at({0, 0, 1}, {1, 0, 0})));
  CHECK_FALSE(meet_plane(unit_triangle, ray_at({-1, 0, 0}, {1, 0, 0})));
  CHECK_FALSE(meet_plane({Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{2, 0, 0}}, ray_at({0, 0, 1}, {0, 0, -1})));
}

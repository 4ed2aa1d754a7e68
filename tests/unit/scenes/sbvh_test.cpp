// SPDX-License-Identifier: Apache-2.0
#include "scenes/structures/sbvh.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <cstring>

#include "scenes/generators/small_scenes.hpp"
#include "scenes/scene_library.hpp"
#include "scenes/structures/trace_scalar.hpp"
#include "tests/repetition.hpp"
#include "tests/unit/scenes/mesh_kinds.hpp"

using namespace reconverge::scenes;

namespace {

Mesh mesh_of(const std::vector<std::array<Vec3, 3>>& triangles) {
  Mesh mesh = one_triangle();
  mesh.positions.clear();
  mesh.triangles.clear();
  for (const auto& corners : triangles) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.insert(mesh.positions.end(), corners.begin(), corners.end());
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  mesh.material_of_triangle.assign(triangles.size(), 0);
  return mesh;
}

/// Two groups of seven coincident triangles each, at x from 0 to 1 and from `second` on, and a thin triangle through
/// both. Half of the surface of a group's box is 3.
std::vector<std::array<Vec3, 3>> heaps(float second) {
  std::vector<std::array<Vec3, 3>> triangles;
  for (const float x : {0.0F, second})
    for (int i = 0; i < 7; ++i) triangles.push_back({Vec3{x, 0, 0}, Vec3{x + 1, 1, 0}, Vec3{x, 0, 1}});
  triangles.push_back({Vec3{0, 0, 0}, Vec3{second + 1, 0, 0}, Vec3{0, 0.125F, 0}});
  return triangles;
}

Mesh two_heaps() { return mesh_of(heaps(1.125F)); }

double cost(const Bvh& bvh) { return 2.0 * quality(bvh).node_visits + quality(bvh).triangle_tests; }

bool same_bits(const Hit& a, const Hit& b) {
  using Bits = std::array<unsigned, 4>;
  return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

/// The conference room with 48,000 triangles, or 2,158 in the short form.
Mesh room() { return reconverge::tests::short_form() ? load_scene("conference_small").mesh : coarse_conference(); }

std::string complaint(const Bvh& bvh, const Mesh& mesh) {
  try {
    check_sbvh(bvh, mesh);
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("A triangle through two groups is in the leaves of both") {
  const Mesh mesh = two_heaps();
  const Bvh split = build_sbvh(mesh);
  CHECK(complaint(split, mesh).empty());
  CHECK(split.nodes.size() == 1);
  CHECK(split.leaves == 2);
  CHECK(references(split) == 16);
  CHECK(size_in_memory(split) == 64 + (16 * 3 + 2 + 2) * 20);
  // The boxes are clipped where the groups start or end, and extended by the margin.
  CHECK(split.nodes[0].c0_hi_x < 1.2F);
  CHECK(split.nodes[0].c1_lo_x > 0.9F);
  CHECK(split.nodes[0].c0_hi_x - split.nodes[0].c1_lo_x == Approx(2 * bvh_margin(mesh)).epsilon(0.1));
  SECTION("without spatial splits the triangle is in one leaf") {
    const Bvh whole = build_sbvh(mesh, {.split_alpha = 2.0F});
    CHECK(references(whole) == 15);
    CHECK(whole.leaves == whole.nodes.size() + 1);
    CHECK_NOTHROW(check_bvh(whole, mesh));
    CHECK(cost(whole) > cost(split));
  }
}

TEST_CASE("A triangle that barely crosses a plane is not split") {
  // The last triangle of the first group nearly reaches the second, across the plane at 1.0474. The cost is
  // 8 x 3.12 + 8 x 3.03 if it is not split, and 8 x 3.09 + 9 x 3.03 if it is split.
  auto triangles = heaps(1.0625F);
  triangles[6][1].x = 1.06F;
  const Mesh mesh = mesh_of(triangles);
  const Bvh bvh = build_sbvh(mesh);
  CHECK(complaint(bvh, mesh).empty());
  CHECK(references(bvh) == 16);
  CHECK(bvh.leaves == 2);
  CHECK(bvh.nodes[0].c0_hi_x == Approx(1.06F));
  CHECK(bvh.nodes[0].c1_lo_x == Approx(1.0474F).epsilon(1e-4));
}

TEST_CASE("One triangle is a leaf below an inner root with an empty second leaf") {
  const Mesh mesh = one_triangle();
  const Bvh bvh = build_sbvh(mesh);
  CHECK(complaint(bvh, mesh).empty());
  CHECK(bvh.triangle_of_row == std::vector<int>{0, -1, -1, -1, -1, -1, -1});
  CHECK(trace_scalar(bvh, ray_at({0.25F, 0.5F, 2.0F}, {0, 0, -1})).t == 2.0F);
}

TEST_CASE("Sibling nodes are adjacent, and leaves have the order of their parents") {
  const Bvh bvh = build_sbvh(room());
  int nodes = 1;
  int below = ~0;
  std::vector<int> open{0};
  while (!open.empty()) {
    const BvhNode& node = bvh.nodes[static_cast<std::size_t>(open.back())];
    open.pop_back();
    for (const int child : {node.child0, node.child1}) {
      if (child >= 0) {
        REQUIRE(child == nodes++);
        open.push_back(child);
      } else {
        REQUIRE(child <= below);
        below = child - 1;
      }
    }
  }
  CHECK(static_cast<std::size_t>(nodes) == bvh.nodes.size());
}

TEST_CASE("Hits through spatial splits match a test of every triangle") {
  for (std::uint32_t seed = 1; seed <= (reconverge::tests::short_form() ? 1 : 2); ++seed) {
    for (const auto& [name, mesh] : mesh_kinds(seed)) {
      INFO(name << ", seed " << seed);
      for (const int leaf : {1, 8}) {
        const Bvh bvh = build_sbvh(mesh, {.max_leaf_size = leaf});
        REQUIRE(complaint(bvh, mesh).empty());
        CHECK(references(bvh) >= mesh.triangle_count());
        TraceWork work;
        std::size_t found = 0;
        for (const Ray& ray : random_rays(seed, 800, 1.0F)) {
          const Hit expected = trace_brute_force(mesh, ray);
          const Hit actual = trace_scalar(bvh, ray, false, &work);
          // Of two triangles at the same distance, the first tested is the hit.
          REQUIRE((same_bits(actual, expected) || (actual.triangle >= 0 && actual.t == expected.t)));
          REQUIRE((trace_scalar(bvh, ray, true).triangle >= 0) == (expected.triangle >= 0));
          found += expected.triangle >= 0 ? 1 : 0;
        }
        CHECK(found > 0);
        CHECK(work.deepest_stack <= bvh.depth);
      }
    }
  }
}

TEST_CASE("Spatial splits lower the heuristic's cost in a room") {
  const Mesh mesh = room();
  const Bvh split = build_sbvh(mesh);
  CHECK(complaint(split, mesh).empty());
  CHECK(references(split) > mesh.triangle_count());
  CHECK(references(split) < 2 * mesh.triangle_count());
  const double with_planes = cost(split);
  CHECK(with_planes < cost(build_sbvh(mesh, {.split_alpha = 2.0F})));
  CHECK(with_planes < cost(build_bvh(mesh)));
}

TEST_CASE("Two builds with spatial splits are equal byte for byte") {
  const Mesh mesh = room();
  const Bvh first = build_sbvh(mesh);
  const Bvh second = build_sbvh(mesh);
  REQUIRE(first.nodes.size() == second.nodes.size());
  REQUIRE(first.rows.size() == second.rows.size());
  CHECK(std::memcmp(first.nodes.data(), second.nodes.data(), first.nodes.size() * sizeof(BvhNode)) == 0);
  CHECK(std::memcmp(first.rows.data(), second.rows.data(), first.rows.size() * sizeof(TriangleRow)) == 0);
  CHECK(first.triangle_of_row == second.triangle_of_row);
}

TEST_CASE("The check of spatial splits finds uncovered parts") {
  const Mesh mesh = two_heaps();
  const Bvh good = build_sbvh(mesh);
  REQUIRE(complaint(good, mesh).empty());
  Bvh bad = good;
  const auto leaf = [](int child) {
    const int row = ~child;
    return static_cast<std::size_t>(row);
  };
  const std::size_t first = leaf(good.nodes[0].child0);
  const std::size_t second = leaf(good.nodes[0].child1);
  const auto put = [&](std::size_t row, int triangle) {
    const auto rows =
        std::bit_cast<std::array<TriangleRow, 3>>(woop_triangle(mesh.corners(static_cast<unsigned>(triangle))));
    std::ranges::copy(rows, bad.rows.begin() + static_cast<std::ptrdiff_t>(row));
    bad.triangle_of_row[row] = triangle;
  };
  const auto row_of = [&](std::size_t row, int triangle) {
    while (bad.triangle_of_row[row] != triangle) row += 3;
    return row;
  };
  SECTION("a gap between the children's boxes") {
    bad.nodes[0].c1_lo_x += 4.0F * bvh_margin(mesh);
    CHECK(complaint(bad, mesh) == "BVH: a part of triangle 14 is outside the boxes of its leaves");
  }
  SECTION("no gap, but only half of the margin") {
    bad.nodes[0].c0_hi_y -= 0.5F * bvh_margin(mesh);
    CHECK(complaint(bad, mesh).find("is outside the boxes of its leaves") != std::string::npos);
  }
  SECTION("a triangle of the other group instead of a part") {
    put(row_of(second, 14), 0);
    CHECK(complaint(bad, mesh) == "BVH: a part of triangle 14 is outside the boxes of its leaves");
  }
  SECTION("a triangle twice in a leaf") {
    put(row_of(first, 14), 3);
    CHECK(complaint(bad, mesh).find("is twice in the leaf before row") != std::string::npos);
  }
  SECTION("a triangle in no leaf") {
    put(row_of(first, 6), 7);
    CHECK(complaint(bad, mesh) == "BVH: triangle 6 is in no leaf");
  }
  SECTION("the check of object splits does not accept parts") {
    CHECK_THROWS_WITH(check_bvh(good, mesh), Catch::Contains("triangle 14 sticks out of its boxes"));
  }
}

TEST_CASE("Invalid spatial splits are refused") {
  CHECK(refusal([] { build_sbvh(Mesh{}); }).find("no triangles") != std::string::npos);
  CHECK(refusal([] { build_sbvh(quad(), {.max_leaf_size = 33}); }).find("give 1 to 32") != std::string::npos);
  CHECK(refusal([] { build_sbvh(quad(), {.traversal_cost = 0.0F}); }).find("above zero") != std::string::npos);
  CHECK(refusal([] { build_sbvh(quad(), {.split_alpha = -1.0F}); }).find("0 or more") != std::string::npos);
}

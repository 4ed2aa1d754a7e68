// SPDX-License-Identifier: Apache-2.0
#include "scenes/structures/bvh.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <cstring>

#include "scenes/generators/small_scenes.hpp"
#include "scenes/structures/trace_scalar.hpp"
#include "tests/unit/scenes/test_support.hpp"

using namespace reconverge::scenes;

namespace {

template <typename T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

}  // namespace

TEST_CASE("One ray hits one triangle at the paper's point") {
  const Mesh mesh = one_triangle();
  const Bvh bvh = build_bvh(mesh);
  CHECK_NOTHROW(check_bvh(bvh, mesh));
  const Hit hit = trace_scalar(bvh, ray_at({0.25F, 0.5F, 2.0F}, {0, 0, -1}));
  CHECK(hit.triangle == 0);
  CHECK(hit.t == 2.0F);
  CHECK(hit.u == 0.25F);
  CHECK(hit.v == 0.5F);
  SECTION("distances are multiples of the direction") {
    CHECK(trace_scalar(bvh, ray_at({0.25F, 0.5F, 2.0F}, {0, 0, -4})).t == 0.5F);
  }
  SECTION("rays from the back hit") { CHECK(trace_scalar(bvh, ray_at({0.25F, 0.5F, -3.0F}, {0, 0, 1})).t == 3.0F); }
  SECTION("rays outside the edge, away from the triangle, or with another interval miss") {
    for (const Ray& ray :
         {ray_at({0.75F, 0.75F, 2.0F}, {0, 0, -1}), ray_at({0.25F, 0.25F, 2.0F}, {0, 0, 1}),
          ray_at({0.25F, 0.25F, 2.0F}, {0, 0, -1}, 0.0F, 1.5F), ray_at({0.25F, 0.25F, 2.0F}, {0, 0, -1}, 2.5F, 9.0F)}) {
      const Hit miss = trace_scalar(bvh, ray);
      CHECK(miss.triangle == -1);
      CHECK(miss.t == ray.t_max);
    }
  }
}

TEST_CASE("The root is an inner node, even of a tree of one triangle") {
  const Bvh bvh = build_bvh(one_triangle());
  REQUIRE(bvh.nodes.size() == 1);
  CHECK(bvh.nodes[0].child0 < 0);
  CHECK(bvh.nodes[0].child1 < 0);
  CHECK(bvh.leaves == 2);
  CHECK(bvh.depth == 1);
  CHECK(bvh.rows.size() == 7);  // three rows and an end, the empty leaf's end, and two spare ones
  CHECK(bvh.triangle_of_row == std::vector<int>{0, -1, -1, -1, -1, -1, -1});
}

TEST_CASE("A ray through a shared edge hits one of its triangles") {
  const Mesh mesh = quad();
  const Bvh bvh = build_bvh(mesh);
  for (const float at : {0.125F, 0.25F, 0.5F, 0.75F}) {
    const Hit hit = trace_scalar(bvh, ray_at({at, at, 1.0F}, {0, 0, -1}));
    CHECK((hit.triangle == 0 || hit.triangle == 1));
    CHECK(hit.t == 1.0F);
  }
}

TEST_CASE("Hits through the BVH match a test of every triangle") {
  for (const std::uint32_t seed : {1U, 2U, 3U}) {
    const Mesh mesh = random_mesh(seed, 20 + 300 * seed, 1.0F, 0.2F);
    for (const int leaf : {1, 4, 8}) {
      const Bvh bvh = build_bvh(mesh, {.max_leaf_size = leaf});
      check_bvh(bvh, mesh);
      std::size_t found = 0;
      TraceWork work;
      for (const Ray& ray : random_rays(seed, 2000, 1.0F)) {
        const Hit expected = trace_brute_force(mesh, ray);
        const Hit actual = trace_scalar(bvh, ray, false, &work);
        // Both use the same arithmetic, so the hits are equal bit for bit.
        REQUIRE(std::bit_cast<std::array<unsigned, 4>>(actual) == std::bit_cast<std::array<unsigned, 4>>(expected));
        REQUIRE((trace_scalar(bvh, ray, true).triangle >= 0) == (expected.triangle >= 0));
        found += expected.triangle >= 0 ? 1 : 0;
      }
      CHECK(found > 500);
      CHECK(work.deepest_stack <= bvh.depth);
      CHECK(work.triangles < 2000 * mesh.triangle_count() / 4);
    }
  }
}

TEST_CASE("Two builds are equal byte for byte") {
  const Mesh mesh = coarse_conference();
  const Bvh first = build_bvh(mesh);
  const Bvh second = build_bvh(mesh);
  CHECK(same_bytes(first.nodes, second.nodes));
  CHECK(same_bytes(first.rows, second.rows));
  CHECK(first.triangle_of_row == second.triangle_of_row);
  CHECK(first.depth == second.depth);
}

TEST_CASE("The check of boxes and leaves finds errors") {
  const Mesh mesh = random_mesh(7, 200, 1.0F, 0.2F);
  const Bvh good = build_bvh(mesh);
  REQUIRE_NOTHROW(check_bvh(good, mesh));
  CHECK(good.leaves == good.nodes.size() + 1);
  Bvh bad = good;
  SECTION("a box that is too small") { bad.nodes[0].c0_hi_x = bad.nodes[0].c0_lo_x; }
  SECTION("a child visited twice") { bad.nodes[0].child1 = bad.nodes[0].child0; }
  SECTION("a child that does not exist") { bad.nodes[0].child0 = 1 << 20; }
  SECTION("a missing triangle") { bad.rows[0].x = std::bit_cast<float>(leaf_end_bits); }
  SECTION("a leaf without an end") { bad.rows[bad.rows.size() - 1 - spare_rows].x = 1.0F; }
  SECTION("no spare rows") {
    bad.rows.resize(bad.rows.size() - spare_rows);
    bad.triangle_of_row.resize(bad.rows.size());
  }
  SECTION("a wrong triangle") { bad.triangle_of_row[0] = (bad.triangle_of_row[0] + 1) % 200; }
  SECTION("a changed row") { bad.rows[1].y += 1.0F; }
  SECTION("a wrong depth") { ++bad.depth; }
  CHECK_THROWS_AS(check_bvh(bad, mesh), std::logic_error);
}

TEST_CASE("A triangle's first row never looks like the end of a leaf") {
  // For a triangle parallel to x, the x of the normal is zero, of either sign.
  for (const float side : {1.0F, -1.0F}) {
    const WoopTriangle triangle = woop_triangle({Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, side, 0}});
    CHECK(std::bit_cast<unsigned>(triangle.row0[0]) != leaf_end_bits);
  }
}

TEST_CASE("A BVH that cannot be built is refused") {
  CHECK(refusal([] { build_bvh(Mesh{}); }).find("no triangles") != std::string::npos);
  CHECK(refusal([] { build_bvh(quad(), {.max_leaf_size = 0}); }).find("give 1 to 32") != std::string::npos);
}

TEST_CASE("The cost by the heuristic is lower if leaves may be small") {
  const Mesh mesh = random_mesh(5, 500, 1.0F, 0.1F);
  const BvhQuality small = quality(build_bvh(mesh, {.max_leaf_size = 2}));
  const BvhQuality large = quality(build_bvh(mesh, {.max_leaf_size = 32, .traversal_cost = 20.0F}));
  CHECK(small.triangle_tests < large.triangle_tests);
  CHECK(small.node_visits > large.node_visits);
}

// SPDX-License-Identifier: Apache-2.0
#include "scenes/structures/kd_tree.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

#include "scenes/generators/small_scenes.hpp"
#include "scenes/light/path_tracer.hpp"
#include "scenes/structures/hit_comparison.hpp"
#include "scenes/structures/trace_scalar.hpp"
#include "tests/unit/scenes/mesh_kinds.hpp"

using namespace reconverge::scenes;

namespace {

template <typename T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

bool same(const KdTree& a, const KdTree& b) {
  return same_bytes(a.nodes, b.nodes) && a.leaf_triangles == b.leaf_triangles && same_bytes(a.triangles, b.triangles) &&
         a.depth == b.depth && a.leaves == b.leaves && a.empty_leaves == b.empty_leaves;
}

}  // namespace

TEST_CASE("A kd-tree of one triangle finds the triangle in its leaf") {
  const Mesh mesh = one_triangle();
  const KdTree tree = build_kd_tree(mesh);
  CHECK_NOTHROW(check_kd_tree(tree, mesh));
  const Hit hit = trace_scalar(tree, ray_at({0.25F, 0.5F, 2.0F}, {0, 0, -4}));
  CHECK(hit.triangle == 0);
  CHECK(hit.t == 0.5F);
  CHECK(hit.u == 0.25F);
  CHECK(hit.v == 0.5F);
  for (const Ray& ray :
       {ray_at({0.75F, 0.75F, 2.0F}, {0, 0, -1}), ray_at({0.25F, 0.25F, 2.0F}, {0, 0, 1}),
        ray_at({0.25F, 0.25F, 2.0F}, {0, 0, -1}, 0.0F, 1.5F), ray_at({0.25F, 0.25F, 2.0F}, {0, 0, -1}, 2.5F, 9.0F)}) {
    const Hit miss = trace_scalar(tree, ray);
    CHECK(miss.triangle == -1);
    CHECK(miss.t == ray.t_max);
  }
}

TEST_CASE("Nodes of a kd-tree have the bits that the device reads") {
  static_assert(sizeof(KdNode) == 8);
  const KdNode inner{(77U << 2U) | 1U, std::bit_cast<unsigned>(0.25F)};
  CHECK_FALSE(kd::is_leaf(inner));
  CHECK(kd::axis(inner) == 1);
  CHECK(kd::index(inner) == 77);
  CHECK(kd::plane(inner) == 0.25F);
  CHECK(kd::is_leaf({(5U << 2U) | kd_leaf, 3}));
}

TEST_CASE("Hits through a kd-tree match a test of every triangle") {
  for (const std::uint32_t seed : {1U, 2U, 3U}) {
    for (const auto& [name, mesh] : mesh_kinds(seed)) {
      INFO(name << ", seed " << seed);
      const KdTree tree = build_kd_tree(mesh);
      REQUIRE_NOTHROW(check_kd_tree(tree, mesh));
      const std::vector<Ray> rays = random_rays(seed, 1000, 1.0F);
      TraceWork work;
      const std::vector<Hit> hits = trace_scalar(tree, rays, false, &work);
      std::size_t found = 0;
      for (std::size_t i = 0; i < rays.size(); ++i) {
        const Hit expected = trace_brute_force(mesh, rays[i]);
        // Both use the same arithmetic, so distances are equal. At equal distances either triangle may be reported.
        REQUIRE(std::bit_cast<unsigned>(hits[i].t) == std::bit_cast<unsigned>(expected.t));
        REQUIRE((hits[i].triangle >= 0) == (expected.triangle >= 0));
        REQUIRE((trace_scalar(tree, rays[i], true).triangle >= 0) == (expected.triangle >= 0));
        found += expected.triangle >= 0 ? 1 : 0;
      }
      CHECK(found > 0);
      CHECK(work.deepest_stack <= tree.depth);
      const HitComparison verdict = compare_hits(mesh, EmbreeScene(mesh), rays, hits);
      INFO(to_string(verdict));
      CHECK(verdict.ok());
    }
  }
}

TEST_CASE("Hits through a kd-tree of the conference room match Embree") {
  for (const Mesh& mesh : {load_scene("conference_small").mesh, coarse_conference()}) {
    const KdTree tree = build_kd_tree(mesh);
    REQUIRE_NOTHROW(check_kd_tree(tree, mesh));
    CHECK(tree.depth <= std::lround(8.0 + 1.3 * std::log2(static_cast<double>(mesh.triangle_count()))));
    const EmbreeScene oracle(mesh);
    const RayStreams streams = trace_paths(mesh, {.width = 96, .height = 72, .samples_per_pixel = 1, .bounces = 3});
    for (std::size_t bounce = 0; bounce < 3; ++bounce) {
      const auto& rays = streams.extension[bounce].rays;
      TraceWork work;
      const HitComparison hits = compare_hits(mesh, oracle, rays, trace_scalar(tree, rays, false, &work));
      INFO(to_string(hits));
      CHECK(hits.ok());
      CHECK(hits.ties + hits.edges < hits.rays / 100);
      CHECK(work.triangles < 10 * rays.size());
      const auto& shadows = streams.shadow[bounce].rays;
      const HitComparison blocked = compare_occlusion(mesh, oracle, shadows, trace_scalar(tree, shadows, true));
      INFO(to_string(blocked));
      CHECK(blocked.ok());
    }
  }
}

TEST_CASE("Rays along planes of a kd-tree and through its corners miss no triangle") {
  // The mesh is in a closed box, so every ray from inside must hit a wall.
  Mesh mesh = snapped(random_mesh(5, 200, 1.0F, 0.3F), 4.0F);
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  for (int i = 0; i < 8; ++i) {
    const auto side = [i](int bit) { return (i & bit) != 0 ? 2.0F : -2.0F; };
    mesh.positions.push_back({side(1), side(2), side(4)});
  }
  for (const std::array<std::uint32_t, 4> face : {std::array<std::uint32_t, 4>{0, 1, 3, 2},
                                                  {4, 5, 7, 6},
                                                  {0, 1, 5, 4},
                                                  {2, 3, 7, 6},
                                                  {0, 2, 6, 4},
                                                  {1, 3, 7, 5}}) {
    mesh.triangles.push_back({first + face[0], first + face[1], first + face[2]});
    mesh.triangles.push_back({first + face[0], first + face[2], first + face[3]});
    mesh.material_of_triangle.insert(mesh.material_of_triangle.end(), 2, 0);
  }
  const KdTree tree = build_kd_tree(mesh);
  REQUIRE_NOTHROW(check_kd_tree(tree, mesh));
  std::vector<Ray> rays;
  Numbers numbers(3);
  for (int i = 0; i < 4000; ++i) {
    const auto on_grid = [&] { return std::round(numbers.next(-4.0F, 4.0F)) * 0.25F; };
    const Vec3 origin{on_grid(), on_grid(), on_grid()};
    const Vec3 direction{on_grid(), i % 2 == 0 ? 0.0F : on_grid(), i % 3 == 0 ? 0.0F : on_grid()};
    if (length(direction) > 0.0F) rays.push_back(ray_at(origin, direction));
  }
  const std::vector<Hit> hits = trace_scalar(tree, rays);
  for (const Hit& hit : hits) REQUIRE(hit.triangle >= 0);
  const HitComparison verdict = compare_hits(mesh, EmbreeScene(mesh), rays, hits);
  INFO(to_string(verdict));
  CHECK(verdict.ok());
}

TEST_CASE("Kd-trees are equal byte for byte, regardless of the number of threads that build them") {
  const Mesh mesh = coarse_conference();
  const KdTree first = build_kd_tree(mesh, {.threads = 1});
  CHECK(same(first, build_kd_tree(mesh, {.threads = 1})));
  CHECK(same(first, build_kd_tree(mesh, {.threads = 4})));
}

TEST_CASE("The check of a kd-tree finds errors") {
  const Mesh mesh = random_mesh(7, 200, 1.0F, 0.2F);
  const KdTree good = build_kd_tree(mesh);
  REQUIRE_NOTHROW(check_kd_tree(good, mesh));
  REQUIRE_FALSE(kd::is_leaf(good.nodes[0]));
  CHECK(good.nodes.size() == 2 * good.leaves - 1);
  KdTree bad = good;
  const auto leaf =
      static_cast<std::size_t>(std::find_if(bad.nodes.begin(), bad.nodes.end(),
                                            [](const KdNode& node) { return kd::is_leaf(node) && node.value >= 2; }) -
                               bad.nodes.begin());
  REQUIRE(leaf < bad.nodes.size());
  SECTION("a plane outside its voxel") { bad.nodes[0].value = std::bit_cast<unsigned>(100.0F); }
  SECTION("a changed plane") { bad.nodes[0].value = std::bit_cast<unsigned>(kd::plane(bad.nodes[0]) + 0.05F); }
  SECTION("a changed axis") { bad.nodes[0].bits ^= kd::axis(bad.nodes[0]) == 0 ? 1U : kd::axis(bad.nodes[0]); }
  SECTION("children that do not exist") { bad.nodes[0].bits += 1U << 30U; }
  SECTION("children visited twice") { bad.nodes[kd::index(bad.nodes[0])] = bad.nodes[kd::index(bad.nodes[0]) + 1]; }
  SECTION("a truncated list") { --bad.nodes[leaf].value; }
  SECTION("a list with more entries than exist") { bad.nodes[leaf].value = 1U << 20U; }
  SECTION("a wrong triangle") { bad.leaf_triangles[kd::index(bad.nodes[leaf])] = 200; }
  SECTION("entries in descending order") {
    std::swap(bad.leaf_triangles[kd::index(bad.nodes[leaf])], bad.leaf_triangles[kd::index(bad.nodes[leaf]) + 1]);
  }
  SECTION("an unreachable node") { bad.nodes.push_back({kd_leaf, 0}); }
  SECTION("a changed row") { bad.triangles[3].row1[2] += 1.0F; }
  SECTION("a wrong depth") { ++bad.depth; }
  SECTION("a wrong count of leaves") { ++bad.empty_leaves; }
  SECTION("a root that does not contain the mesh") { bad.bounds.high.x = 0.0F; }
  CHECK_THROWS_AS(check_kd_tree(bad, mesh), std::logic_error);
}

TEST_CASE("The options of a kd-tree have their documented effect") {
  const Mesh mesh = load_scene("conference_small").mesh;
  const KdTree usual = build_kd_tree(mesh);
  for (const int depth : {1, 5, 12}) {
    const KdTree tree = build_kd_tree(mesh, {.max_depth = depth});
    CHECK(tree.depth == depth);
    CHECK_NOTHROW(check_kd_tree(tree, mesh));
  }
  CHECK(build_kd_tree(mesh, {.empty_bonus = 0.0F}).empty_leaves < usual.empty_leaves);
  const KdTree coarse = build_kd_tree(mesh, {.traversal_cost = 500.0F});
  CHECK(coarse.nodes.size() < usual.nodes.size());
  CHECK(quality(coarse).steps_down < quality(usual).steps_down);
  CHECK(quality(coarse).triangle_tests > quality(usual).triangle_tests);
}

TEST_CASE("A kd-tree that cannot be built is refused") {
  CHECK(refusal([] { build_kd_tree(Mesh{}); }).find("no triangles") != std::string::npos);
  CHECK(refusal([] { build_kd_tree(quad(), {.max_depth = 65}); }).find("give 1 to 64") != std::string::npos);
  CHECK(refusal([] { build_kd_tree(quad(), {.traversal_cost = 0.0F}); }).find("above zero") != std::string::npos);
  CHECK(refusal([] { build_kd_tree(quad(), {.empty_bonus = 1.0F}); }).find("below 1") != std::string::npos);
}

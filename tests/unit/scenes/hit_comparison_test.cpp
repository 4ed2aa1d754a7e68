// SPDX-License-Identifier: Apache-2.0
#include "scenes/structures/hit_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "scenes/generators/small_scenes.hpp"
#include "scenes/structures/bvh.hpp"
#include "scenes/structures/trace_scalar.hpp"
#include "tests/unit/scenes/test_support.hpp"

using namespace reconverge::scenes;

TEST_CASE("Embree's hit matches a calculation by hand") {
  const EmbreeScene scene(one_triangle());
  const std::vector<Ray> rays{ray_at({0.25F, 0.5F, 2.0F}, {0, 0, -1}), ray_at({0.75F, 0.75F, 2.0F}, {0, 0, -1}, 0, 7)};
  const std::vector<Hit> hits = scene.intersect(rays);
  CHECK(hits[0].triangle == 0);
  CHECK(hits[0].t == Approx(2.0));
  CHECK(hits[0].u == Approx(0.25));
  CHECK(hits[0].v == Approx(0.5));
  CHECK(hits[1].triangle == -1);
  CHECK(hits[1].t == 7.0F);
  CHECK(scene.occluded(rays) == std::vector<std::uint8_t>{1, 0});
}

TEST_CASE("The scalar traversal matches Embree on random meshes") {
  const Mesh mesh = random_mesh(11, 2000, 1.0F, 0.1F);
  const EmbreeScene scene(mesh);
  const Bvh bvh = build_bvh(mesh);
  const std::vector<Ray> rays = random_rays(12, 20'000, 1.0F);
  const HitComparison closest = compare_hits(mesh, scene, rays, trace_scalar(bvh, rays));
  INFO(to_string(closest));
  CHECK(closest.ok());
  CHECK(closest.rays == rays.size());
  CHECK(closest.equal > rays.size() - 20);
  CHECK(closest.equal + closest.ties + closest.edges == closest.rays);
  const HitComparison any = compare_occlusion(mesh, scene, rays, trace_scalar(bvh, rays, true));
  INFO(to_string(any));
  CHECK(any.ok());
}

TEST_CASE("Rays near the short side of slivers hit, regardless of which corner is first") {
  // The slivers are 2.5 m by 6 mm, ten metres from the origin. Both long sides end at the first corner.
  Numbers numbers(3);
  std::string slivers;
  std::vector<Ray> rays;
  for (int i = 0; i < 2000; ++i) {
    const Vec3 tip = Vec3{7, -5, 5} + numbers.point(1.0F);
    const Vec3 along = normalize(numbers.point(1.0F));
    const Vec3 across = normalize(cross(along, numbers.point(1.0F)));
    const Vec3 a = tip + along * 2.5F - across * 0.003F;
    const Vec3 b = tip + along * 2.5F + across * 0.003F;
    for (const Vec3 p : {tip, a, b}) slivers += fmt::format("v {} {} {}\n", p.x, p.y, p.z);
    slivers += "f -3 -2 -1\n";
    const float w = numbers.next(0.3F, 0.7F);
    const Vec3 target = a * w + b * (1.0F - w) - along * numbers.next(2e-5F, 2e-4F);
    const Vec3 from = target + cross(along, across) * 0.01F;
    const Vec3 d = target - from;
    rays.push_back({{from.x, from.y, from.z}, 0.0F, {d.x, d.y, d.z}, 2.0F});
  }
  const TemporaryFolder folder("slivers");
  const Mesh mesh = load_scene(folder.write("slivers.obj", slivers).string()).mesh;
  const HitComparison turned = compare_hits(mesh, EmbreeScene(mesh), rays, trace_scalar(build_bvh(mesh), rays));
  INFO(to_string(turned));
  CHECK(turned.ok());
  Mesh as_in_file = mesh;
  for (TriangleIndices& triangle : as_in_file.triangles) std::ranges::sort(triangle);
  CHECK_FALSE(compare_hits(as_in_file, EmbreeScene(as_in_file), rays, trace_scalar(build_bvh(as_in_file), rays)).ok());
}

TEST_CASE("A shared edge is a tie, not a mismatch") {
  const Mesh mesh = quad();
  const EmbreeScene scene(mesh);
  const std::vector<Ray> rays{ray_at({0.5F, 0.5F, 1.0F}, {0, 0, -1})};
  const Hit expected = scene.intersect(rays)[0];
  const std::vector<Hit> other{{1 - expected.triangle, 1.0F, 0.5F, 0.5F}};
  const HitComparison comparison = compare_hits(mesh, scene, rays, other);
  CHECK(comparison.ties == 1);
  CHECK(comparison.ok());
}

TEST_CASE("A hit at an edge that only one of both tests finds is not an error") {
  const Mesh mesh = one_triangle();
  const EmbreeScene scene(mesh);
  const std::vector<Hit> nothing{{-1, 1e30F, 0, 0}};
  const std::vector<Ray> on_edge{ray_at({0.5F, 0.0F, 1.0F}, {0, 0, -1})};
  REQUIRE(scene.intersect(on_edge)[0].triangle == 0);
  CHECK(compare_hits(mesh, scene, on_edge, nothing).edges == 1);
  CHECK(compare_occlusion(mesh, scene, on_edge, nothing).edges == 1);
  const std::vector<Ray> well_inside{ray_at({0.5F, 0.001F, 1.0F}, {0, 0, -1})};
  CHECK(compare_hits(mesh, scene, well_inside, nothing).mismatches == 1);
  CHECK(compare_occlusion(mesh, scene, well_inside, nothing).mismatches == 1);
  const std::vector<Ray> well_outside{ray_at({0.5F, -0.001F, 1.0F}, {0, 0, -1})};
  const std::vector<Hit> invented{{0, 1.0F, 0.5F, 0.0F}};
  CHECK(compare_hits(mesh, scene, well_outside, invented).mismatches == 1);
  CHECK(compare_occlusion(mesh, scene, well_outside, invented).mismatches == 1);
}

TEST_CASE("Wrong hits are found and explained") {
  const Mesh mesh = random_mesh(21, 400, 1.0F, 0.4F);
  const EmbreeScene scene(mesh);
  const std::vector<Ray> rays = random_rays(22, 500, 1.0F);
  const std::vector<Hit> right = trace_scalar(build_bvh(mesh), rays);
  const auto first = static_cast<std::size_t>(
      std::ranges::find_if(right, [](const Hit& hit) { return hit.triangle >= 0; }) - right.begin());
  REQUIRE(first < right.size());
  std::vector<Hit> wrong = right;
  std::string reason;
  SECTION("a wrong distance") {
    wrong[first].t *= 1.01F;
    reason = "the distance is";
  }
  SECTION("a triangle that the ray does not hit") {
    wrong[first].triangle = (right[first].triangle + 200) % 400;
    reason = "the ray misses this triangle";
  }
  SECTION("a triangle that does not exist") {
    wrong[first].triangle = 400;
    reason = "no such triangle";
  }
  SECTION("a miss") {
    wrong[first] = {-1, rays[first].t_max, 0, 0};
    reason = "a nearer triangle was missed";
  }
  SECTION("a distance that is NaN") {
    wrong[first].t = NAN;
    reason = "the distance is";
  }
  const HitComparison comparison = compare_hits(mesh, scene, rays, wrong);
  CHECK(comparison.mismatches == 1);
  CHECK_FALSE(comparison.ok());
  REQUIRE(comparison.examples.size() == 1);
  CHECK(comparison.examples[0].ray == first);
  CHECK(comparison.examples[0].reason.find(reason) != std::string::npos);
  CHECK(compare_hits(mesh, scene, rays, right).ok());
}

TEST_CASE("A hit that is farther than the nearest one is a mismatch") {
  Mesh mesh = quad();
  for (int i = 0; i < 4; ++i) mesh.positions.push_back(mesh.positions[static_cast<std::size_t>(i)] - Vec3{0, 0, 1});
  mesh.triangles.push_back({4, 5, 6});
  mesh.material_of_triangle.push_back(0);
  const EmbreeScene scene(mesh);
  const std::vector<Ray> rays{ray_at({0.7F, 0.2F, 1.0F}, {0, 0, -1})};
  const std::vector<Hit> farther{{2, 2.0F, 0.5F, 0.2F}};
  const HitComparison comparison = compare_hits(mesh, scene, rays, farther);
  CHECK(comparison.mismatches == 1);
  // For occlusion the hit is correct, because any triangle may block the ray.
  CHECK(compare_occlusion(mesh, scene, rays, farther).ok());
}

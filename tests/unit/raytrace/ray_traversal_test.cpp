// SPDX-License-Identifier: Apache-2.0
// The results of the traversal unit: its hits equal those of the software tracers bit for bit, and match Embree.

#include <catch2/catch.hpp>
#include <random>

#include "platforms/kernels/twins.hpp"
#include "scenes/generators/small_scenes.hpp"
#include "scenes/light/path_tracer.hpp"
#include "scenes/scene_library.hpp"
#include "scenes/structures/embree_scene.hpp"
#include "scenes/structures/hit_comparison.hpp"
#include "tests/unit/raytrace/host_thread.hpp"

namespace reconverge::tests {
namespace {

using scenes::Bvh;
using scenes::Hit;
using scenes::Ray;

/// Rays of two bounces of a path tracer, and rays between random points around the scene.
std::vector<Ray> rays_through(const scenes::Mesh& mesh) {
  scenes::PathTracerOptions options;
  options.width = 32;
  options.height = 24;
  options.samples_per_pixel = 1;
  options.bounces = 2;
  std::vector<Ray> rays;
  const scenes::RayStreams streams = scenes::trace_paths(mesh, options);
  for (const auto* kind : {&streams.extension, &streams.shadow}) {
    for (const auto& stream : *kind) rays.insert(rays.end(), stream.rays.begin(), stream.rays.end());
  }
  std::mt19937 random(5);
  std::uniform_int_distribution<std::size_t> place(0, mesh.positions.size() - 1);
  std::uniform_real_distribution<float> aside(-0.3F, 0.3F);
  for (unsigned i = 0; i < 500; ++i) {
    const scenes::Vec3 from = mesh.positions[place(random)];
    const scenes::Vec3 to = mesh.positions[place(random)];
    Ray ray{{from.x + aside(random), from.y + aside(random), from.z + aside(random)}, 0, {}, 1e30F};
    ray.direction[0] = to.x + aside(random) - ray.origin[0];
    ray.direction[1] = to.y + aside(random) - ray.origin[1];
    ray.direction[2] = to.z + aside(random) - ray.origin[2];
    if (i % 4 == 0) ray.direction[i / 4 % 3] = i % 8 == 0 ? 0.0F : -0.0F;
    if (i % 5 == 0) ray.t_max = 1.0F;
    if (i % 7 == 0) ray.t_min = 0.5F;
    rays.push_back(ray);
  }
  return rays;
}

std::vector<Hit> trace_by(const char* kernel, const Bvh& bvh, const std::vector<Ray>& rays) {
  std::vector<Hit> hits(rays.size());
  const auto count = static_cast<unsigned>(rays.size());
  kernels::twin(kernel)(kernels::shape_for(count), bvh.nodes.data(), bvh.rows.data(), bvh.triangle_of_row.data(),
                        rays.data(), hits.data(), count);
  return hits;
}

bool same_bits(const Hit& a, const Hit& b) { return std::memcmp(&a, &b, sizeof(Hit)) == 0; }

}  // namespace

TEST_CASE("the unit's hits match the software tracers bit for bit and match Embree") {
  const char* const name = GENERATE("box", "conference", "forest");
  const scenes::Mesh mesh = scenes::load_scene(name).mesh;
  const Bvh bvh = scenes::build_bvh(mesh);
  const std::vector<Ray> rays = rays_through(mesh);
  const std::vector<Hit> software = trace_by("trace_while_while", bvh, rays);
  std::vector<Hit> hits;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    INFO(name << ", ray " << i);
    hits.push_back(HostThread(bvh, rays[i]).trace());
    REQUIRE(same_bits(hits[i], software[i]));
    CHECK((HostThread(bvh, rays[i]).trace(true).triangle >= 0) == (hits[i].triangle >= 0));
  }
  const scenes::EmbreeScene oracle(mesh);
  const scenes::HitComparison comparison = scenes::compare_hits(mesh, oracle, rays, hits);
  INFO(to_string(comparison));
  CHECK(comparison.ok());
  CHECK(comparison.equal > rays.size() / 2);
  const std::vector<Hit> twin = trace_by("trace_unit", bvh, rays);
  CHECK(std::equal(hits.begin(), hits.end(), twin.begin(), twin.end(), same_bits));
}

TEST_CASE("a ray fetches visited nodes and triangles in order and no triangle number for a miss") {
  const Bvh bvh = scenes::build_bvh(scenes::one_triangle());
  const Ray meets{{0.25F, 0.5F, 2.0F}, 0.0F, {0.0F, 0.0F, -1.0F}, 10.0F};
  HostThread thread(bvh, meets);
  CHECK(thread.trace().triangle == 0);
  REQUIRE(thread.fetches().size() >= 4);
  CHECK(thread.fetches()[0].purpose == TraceFetch::ray);
  CHECK(thread.fetches()[0].bytes == 32);
  CHECK(thread.fetches()[1].purpose == TraceFetch::node);
  CHECK(thread.fetches()[1].bytes == 64);
  CHECK(thread.count(TraceFetch::triangle) == 1);
  CHECK(thread.fetches().back().purpose == TraceFetch::number);
  CHECK(thread.fetches().back().bytes == 4);

  const Ray misses{{0.75F, 0.5F, 2.0F}, 0.0F, {0.0F, 0.0F, -1.0F}, 10.0F};
  HostThread missing(bvh, misses);
  const Hit hit = missing.trace();
  CHECK(hit.triangle == -1);
  CHECK(hit.t == 10.0F);
  CHECK(missing.count(TraceFetch::number) == 0);
}

TEST_CASE("any hit: the first hit ends the ray") {
  const scenes::Mesh mesh = scenes::load_scene("conference").mesh;
  const Bvh bvh = scenes::build_bvh(mesh);
  std::size_t closest_fetches = 0;
  std::size_t any_fetches = 0;
  for (const Ray& ray : rays_through(mesh)) {
    HostThread closest(bvh, ray);
    HostThread any(bvh, ray);
    closest.trace();
    any.trace(true);
    CHECK(any.fetches().size() <= closest.fetches().size());
    closest_fetches += closest.fetches().size();
    any_fetches += any.fetches().size();
  }
  CHECK(any_fetches < closest_fetches);
}

TEST_CASE("an empty leaf is one row, also at the end of the rows") {
  Bvh bvh = scenes::build_bvh(scenes::one_triangle());
  scenes::BvhNode& root = bvh.nodes.front();
  root.child0 = root.child1 = ~static_cast<int>(bvh.rows.size() - 1);
  const Ray ray{{0.25F, 0.5F, 2.0F}, 0.0F, {0.0F, 0.0F, -1.0F}, 10.0F};
  HostThread thread(bvh, ray);
  CHECK(thread.trace().triangle == -1);
  CHECK(thread.count(TraceFetch::triangle) == 0);
  CHECK(thread.count(TraceFetch::empty_leaf) > 0);
}

TEST_CASE("trees that no stack holds, or that have no end, are refused") {
  constexpr float far = 100.0F;
  const auto wide = [](int child0, int child1) {
    return scenes::BvhNode{-far, far, -far, far, -far, far, -far, far, -far, far, -far, far, child0, child1, 0, 0};
  };
  const Ray ray{{0.25F, 0.5F, 2.0F}, 0.0F, {0.0F, 0.0F, -1.0F}, 10.0F};
  Bvh deep = scenes::build_bvh(scenes::one_triangle());
  deep.nodes.clear();
  const int empty = ~static_cast<int>(deep.rows.size() - 1);
  const int nodes = GENERATE(63, 64);
  for (int i = 1; i < nodes; ++i) deep.nodes.push_back(wide(i, empty));
  deep.nodes.push_back(wide(empty, empty));
  if (nodes == 63) {
    CHECK(HostThread(deep, ray).trace().triangle == -1);
  } else {
    CHECK_THROWS_WITH(HostThread(deep, ray).trace(), "the tree is deeper than 63");
  }
  Bvh circle = deep;
  circle.nodes = {wide(0, empty)};
  circle.nodes[0].c1_lo_x = 2 * far;  // never hit
  CHECK_THROWS_WITH(HostThread(circle, ray).trace(), Catch::Contains("the tree has a cycle"));
}

}  // namespace reconverge::tests

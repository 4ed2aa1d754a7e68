// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <random>
#include <string_view>
#include <vector>

#include "platforms/kernels/traversals.hpp"
#include "platforms/kernels/twins.hpp"
#include "scenes/generators/small_scenes.hpp"
#include "scenes/light/path_tracer.hpp"
#include "scenes/structures/bvh.hpp"
#include "scenes/structures/embree_scene.hpp"
#include "scenes/structures/hit_comparison.hpp"
#include "scenes/structures/sbvh.hpp"
#include "scenes/structures/trace_scalar.hpp"

namespace reconverge::kernels {

namespace {

using scenes::Bvh;
using scenes::BvhNode;
using scenes::Hit;
using scenes::Mesh;
using scenes::Ray;
using scenes::TriangleRow;
using scenes::Vec3;

std::vector<Hit> trace_by(const Traversal& kernel, const Bvh& bvh, const std::vector<Ray>& rays) {
  constexpr Hit never{-7, -7.0F, -7.0F, -7.0F};
  std::vector<Hit> hits(rays.size() + 1, never);
  const auto count = static_cast<unsigned>(rays.size());
  const Twin& run = twin(kernel.entry);
  if (kernel.persistent) {
    unsigned counter = 0;
    run({{2, 1, 1}, {32, 1, 1}}, bvh.nodes.data(), bvh.rows.data(), bvh.triangle_of_row.data(), rays.data(),
        hits.data(), count, &counter);
    CHECK(counter >= count);
  } else {
    run(shape_for(count), bvh.nodes.data(), bvh.rows.data(), bvh.triangle_of_row.data(), rays.data(), hits.data(),
        count);
  }
  CHECK(hits.back().triangle == never.triangle);
  hits.pop_back();
  return hits;
}

/// Traces with a kernel for ray shuffling. Each of its slots has a stack in global memory.
std::vector<Hit> trace_shuffled(std::string_view kernel, const Bvh& bvh, const std::vector<Ray>& rays) {
  std::vector<Hit> hits(rays.size());
  const auto count = static_cast<unsigned>(rays.size());
  std::array<unsigned, 2> counters{};
  // Threads of the twin run one after the other, so the first traces all rays before another requests a slot.
  constexpr std::size_t places = 32;
  constexpr int untouched = -77;
  std::vector<int> stacks((1 + 64) * places, untouched);
  twin(kernel)({{2, 1, 1}, {32, 1, 1}}, bvh.nodes.data(), bvh.rows.data(), bvh.triangle_of_row.data(), rays.data(),
               hits.data(), count, counters.data(), stacks.data());
  CHECK(counters[0] == count + 64);
  CHECK(counters[1] == 1);
  for (std::size_t i = 0; i < stacks.size(); ++i) {
    if (i % places != 0) REQUIRE(stacks[i] == untouched);
  }
  return hits;
}

/// Whether values are equal except for the last bits, which differ because the kernel uses fused multiply-add.
bool near(float a, float b) { return std::abs(a - b) <= 1e-4F * (1.0F + std::abs(b)); }

bool near(const Hit& a, const Hit& b) {
  return a.triangle == b.triangle && near(a.t, b.t) && near(a.u, b.u) && near(a.v, b.v);
}

bool same_bits(const Hit& a, const Hit& b) { return std::memcmp(&a, &b, sizeof(Hit)) == 0; }

/// Traces with every traversal kernel; all must find the same hits. Those of kernels for ray shuffling are rounded
/// differently if t_min is not 0, because they start rays at t_min.
std::vector<Hit> trace(Bvh bvh, const std::vector<Ray>& rays) {
  for (unsigned i = 0; i < scenes::spare_rows; ++i) {  // Handmade trees have none yet.
    bvh.rows.push_back({std::bit_cast<float>(scenes::leaf_end_bits), 0.0F, 0.0F, 0.0F});
    bvh.triangle_of_row.push_back(-1);
  }
  std::vector<Hit> hits = trace_by(traversals[0], bvh, rays);
  for (const Traversal& kernel : traversals) {
    INFO(kernel.entry);
    const std::vector<Hit> others = trace_by(kernel, bvh, rays);
    CHECK(std::equal(hits.begin(), hits.end(), others.begin(), others.end(), same_bits));
  }
  for (const std::string_view kernel : {"trace_shuffled", "trace_shuffled_three_rows"}) {
    INFO(kernel);
    const std::vector<Hit> shuffled = trace_shuffled(kernel, bvh, rays);
    for (std::size_t i = 0; i < rays.size(); ++i) {
      INFO("ray " << i);
      CHECK((same_bits(shuffled[i], hits[i]) || (rays[i].t_min != 0.0F && near(shuffled[i], hits[i]))));
    }
  }
  return hits;
}

/// Appends the triangles as one leaf; returns the child reference.
int append_leaf(Bvh& bvh, const Mesh& mesh, std::size_t first, std::size_t end) {
  const int child = ~static_cast<int>(bvh.rows.size());
  for (std::size_t i = first; i < end; ++i) {
    for (const TriangleRow& row : std::bit_cast<std::array<TriangleRow, 3>>(scenes::woop_triangle(mesh.corners(i)))) {
      bvh.rows.push_back(row);
      bvh.triangle_of_row.push_back(-1);
    }
    bvh.triangle_of_row[bvh.rows.size() - 3] = static_cast<int>(i);
  }
  bvh.rows.push_back({std::bit_cast<float>(scenes::leaf_end_bits), 0.0F, 0.0F, 0.0F});
  bvh.triangle_of_row.push_back(-1);
  return child;
}

/// A node whose boxes contain everything, so that they have no effect.
BvhNode wide_node(int child0, int child1) {
  constexpr float far = 100.0F;
  return {-far, far, -far, far, -far, far, -far, far, -far, far, -far, far, child0, child1, 0, 0};
}

Mesh random_triangles(std::mt19937& random, unsigned count) {
  std::uniform_real_distribution<float> coordinate(-1.0F, 1.0F);
  Mesh mesh;
  for (unsigned i = 0; i < 3 * count; ++i) {
    mesh.positions.push_back({coordinate(random), coordinate(random), coordinate(random)});
  }
  for (unsigned i = 0; i < count; ++i) mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  return mesh;
}

std::vector<Ray> random_rays(std::mt19937& random, unsigned count) {
  std::uniform_real_distribution<float> coordinate(-1.0F, 1.0F);
  std::vector<Ray> rays;
  for (unsigned i = 0; i < count; ++i) {
    Ray ray{{2 * coordinate(random), 2 * coordinate(random), 2 * coordinate(random)}, 0.0F, {}, 1e30F};
    for (int c = 0; c < 3; ++c)
      ray.direction[c] = coordinate(random) - ray.origin[c];               // to the region of the triangles
    if (i % 4 == 0) ray.direction[i / 4 % 3] = i % 8 == 0 ? 0.0F : -0.0F;  // parallel to a plane of the axes
    if (i % 5 == 0) ray.t_max = 1.0F;
    if (i % 7 == 0) ray.t_min = 0.5F;
    rays.push_back(ray);
  }
  return rays;
}

unsigned count_hits(const std::vector<Hit>& hits) {
  return static_cast<unsigned>(std::count_if(hits.begin(), hits.end(), [](const Hit& h) { return h.triangle >= 0; }));
}

}  // namespace

TEST_CASE("hits of one triangle match those calculated by hand") {
  const Mesh mesh = scenes::one_triangle();
  Bvh bvh;
  bvh.nodes.push_back(wide_node(append_leaf(bvh, mesh, 0, 1), append_leaf(bvh, mesh, 0, 0)));
  const std::vector<Ray> rays{
      {{0.25F, 0.5F, 2.0F}, 0.0F, {0.0F, 0.0F, -1.0F}, 10.0F},  // hits at t = 2
      {{0.25F, 0.5F, 2.0F}, 0.0F, {0.0F, 0.0F, -4.0F}, 10.0F},  // distances are multiples of the direction
      {{0.25F, 0.5F, -2.0F}, 0.0F, {0.0F, 0.0F, 1.0F}, 10.0F},  // from the back
      {{0.25F, 0.5F, 2.0F}, 0.0F, {0.0F, 0.0F, 1.0F}, 10.0F},   // away from it
      {{0.25F, 0.5F, 2.0F}, 0.0F, {0.0F, 0.0F, -1.0F}, 2.0F},   // at t_max: no hit
      {{0.25F, 0.5F, 2.0F}, 2.0F, {0.0F, 0.0F, -1.0F}, 10.0F},  // at t_min: no hit
      {{0.75F, 0.5F, 2.0F}, 0.0F, {0.0F, 0.0F, -1.0F}, 10.0F},  // outside the long edge
      {{0.25F, 0.5F, 2.0F}, 0.0F, {1.0F, 0.0F, 0.0F}, 10.0F},   // parallel to its plane
  };
  const std::vector<Hit> hits = trace(bvh, rays);
  const std::vector<Hit> known{{0, 2.0F, 0.25F, 0.5F},  {0, 0.5F, 0.25F, 0.5F}, {0, 2.0F, 0.25F, 0.5F},
                               {-1, 10.0F, 0.0F, 0.0F}, {-1, 2.0F, 0.0F, 0.0F}, {-1, 10.0F, 0.0F, 0.0F},
                               {-1, 10.0F, 0.0F, 0.0F}, {-1, 10.0F, 0.0F, 0.0F}};
  for (std::size_t i = 0; i < known.size(); ++i) {
    INFO("ray " << i);
    CHECK(hits[i].triangle == known[i].triangle);
    CHECK(hits[i].t == known[i].t);
    CHECK(hits[i].u == known[i].u);
    CHECK(hits[i].v == known[i].v);
  }
}

TEST_CASE("a small handmade tree matches a test of every triangle") {
  std::mt19937 random(11);
  const Mesh mesh = random_triangles(random, 12);
  Bvh bvh;
  bvh.nodes.resize(3);
  bvh.nodes[1] = wide_node(append_leaf(bvh, mesh, 0, 5), append_leaf(bvh, mesh, 5, 6));
  bvh.nodes[2] = wide_node(append_leaf(bvh, mesh, 6, 6), append_leaf(bvh, mesh, 6, 12));
  bvh.nodes[0] = wide_node(1, 2);
  const std::vector<Ray> rays = random_rays(random, 1000);
  const std::vector<Hit> hits = trace(bvh, rays);
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const Hit expected = scenes::trace_brute_force(mesh, rays[i]);
    INFO("ray " << i);
    CHECK(hits[i].triangle == expected.triangle);
    CHECK(near(hits[i].t, expected.t));
    CHECK(near(hits[i].u, expected.u));
    CHECK(near(hits[i].v, expected.v));
  }
  CHECK(count_hits(hits) > 100);
  CHECK(count_hits(hits) < 900);
}

TEST_CASE("missed boxes are not entered, and the nearer child is visited first") {
  const Mesh mesh = scenes::one_triangle();
  Bvh bvh;
  const int leaf = append_leaf(bvh, mesh, 0, 1);
  const Ray ray{{0.25F, 0.5F, 2.0F}, 0.0F, {0.0F, 0.0F, -1.0F}, 10.0F};

  SECTION("a box that the ray misses") {
    BvhNode node = wide_node(leaf, leaf);
    node.c0_lo_x = node.c1_lo_x = 50.0F;
    bvh.nodes = {node};
    CHECK(trace(bvh, {ray})[0].triangle == -1);
  }
  SECTION("a box before the origin of the ray or before t_min") {
    BvhNode node = wide_node(leaf, leaf);
    node.c0_lo_z = node.c1_lo_z = 1.5F;
    bvh.nodes = {node};
    CHECK(trace(bvh, {ray})[0].triangle == 0);
    Ray later = ray;
    later.t_min = 1.0F;
    CHECK(trace(bvh, {later})[0].triangle == -1);
    bvh.nodes[0].c0_lo_z = bvh.nodes[0].c1_lo_z = 2.5F;
    CHECK(trace(bvh, {ray})[0].triangle == -1);
  }
  SECTION("a hit in either child") {
    BvhNode node = wide_node(leaf, leaf);
    (GENERATE(false, true) ? node.c0_lo_y : node.c1_lo_y) = 50.0F;
    bvh.nodes = {node};
    CHECK(trace(bvh, {ray})[0].triangle == 0);
  }
  SECTION("boxes after the nearest hit are not entered") {
    // The children of the farther node have, illegally, a triangle that is nearer than their boxes. A kernel finds it
    // only if it visits that node first or does not shorten the ray.
    Mesh two = mesh;
    two.positions.insert(two.positions.end(), {{0.0F, 0.0F, 1.0F}, {1.0F, 0.0F, 1.0F}, {0.0F, 1.0F, 1.0F}});
    two.triangles.push_back({3, 4, 5});
    const int nearer_triangle = append_leaf(bvh, two, 1, 2);
    BvhNode inner = wide_node(nearer_triangle, nearer_triangle);
    inner.c0_hi_z = inner.c1_hi_z = -1.0F;
    const bool farther_is_first = GENERATE(false, true);
    BvhNode root = farther_is_first ? wide_node(1, leaf) : wide_node(leaf, 1);
    (farther_is_first ? root.c0_hi_z : root.c1_hi_z) = 0.5F;
    bvh.nodes = {root, inner};
    const Hit hit = trace(bvh, {ray})[0];
    CHECK(hit.triangle == 0);
    CHECK(hit.t == 2.0F);

    // Without the first triangle the kernel finds it, so the test is effective.
    bvh.nodes[0] = wide_node(1, 1);
    CHECK(trace(bvh, {ray})[0].triangle == 1);
  }
}

TEST_CASE("a tree of the greatest depth uses every entry of the stack") {
  const Mesh mesh = scenes::one_triangle();
  Bvh bvh;
  const int empty = append_leaf(bvh, mesh, 0, 0);
  const int leaf = append_leaf(bvh, mesh, 0, 1);
  constexpr int depth = 63;
  for (int i = 0; i < depth; ++i) {
    // At equal distances the kernel visits the first child and pushes the second. The triangle is found last.
    bvh.nodes.push_back(wide_node(i + 1 < depth ? i + 1 : empty, i == 0 ? leaf : empty));
  }
  const Ray ray{{0.25F, 0.5F, 2.0F}, 0.0F, {0.0F, 0.0F, -1.0F}, 10.0F};
  CHECK(trace(bvh, {ray})[0].triangle == 0);
}

TEST_CASE("path tracer rays in a box: every hit matches Embree") {
  const Mesh mesh = scenes::box();
  const Bvh bvh = GENERATE(false, true) ? scenes::build_sbvh(mesh, {.max_leaf_size = 1}) : scenes::build_bvh(mesh);
  const scenes::EmbreeScene oracle(mesh);
  scenes::PathTracerOptions options;
  options.width = 32;
  options.height = 24;
  options.samples_per_pixel = 2;
  options.bounces = 4;
  const scenes::RayStreams streams = scenes::trace_paths(mesh, options);
  for (const auto* kind : {&streams.extension, &streams.shadow}) {
    for (const scenes::RayStream& stream : *kind) {
      const std::vector<Hit> hits = trace(bvh, stream.rays);
      const scenes::HitComparison comparison = scenes::compare_hits(mesh, oracle, stream.rays, hits);
      INFO(scenes::to_string(comparison));
      CHECK(comparison.rays == stream.rays.size());
      CHECK(comparison.ok());
    }
  }
  CHECK(count_hits(trace(bvh, streams.extension[0].rays)) > 100);
}

}  // namespace reconverge::kernels

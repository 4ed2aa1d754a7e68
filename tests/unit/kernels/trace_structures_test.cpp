// SPDX-License-Identifier: Apache-2.0
// The kernels that trace with a kd-tree and with a grid, compared with the host's traversal of the same arrays and with
// Embree.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "models/kernel/analysis/loops.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "platforms/kernels/twins.hpp"
#include "scenes/generators/small_scenes.hpp"
#include "scenes/light/path_tracer.hpp"
#include "scenes/structures/embree_scene.hpp"
#include "scenes/structures/hit_comparison.hpp"
#include "scenes/structures/trace_scalar.hpp"

namespace reconverge::kernels {

namespace {

using scenes::Grid;
using scenes::Hit;
using scenes::KdNode;
using scenes::KdTree;
using scenes::Mesh;
using scenes::Ray;
using scenes::Vec3;

constexpr Hit never{-7, -7.0F, -7.0F, -7.0F};

/// One more hit than rays; no thread may write the last.
std::vector<Hit> place_for(const std::vector<Ray>& rays) { return std::vector<Hit>(rays.size() + 1, never); }

std::vector<Hit> without_last(std::vector<Hit> hits) {
  CHECK(hits.back().triangle == never.triangle);
  hits.pop_back();
  return hits;
}

std::vector<Hit> trace(const KdTree& tree, const std::vector<Ray>& rays) {
  std::vector<Hit> hits = place_for(rays);
  const auto count = static_cast<unsigned>(rays.size());
  const auto& [low, high] = tree.bounds;
  twin("trace_kd_tree")(shape_for(count), tree.nodes.data(), tree.leaf_triangles.data(), tree.triangles.data(),
                        rays.data(), hits.data(), count, low.x, low.y, low.z, high.x, high.y, high.z);
  return without_last(std::move(hits));
}

std::vector<Hit> trace(const Grid& grid, const std::vector<Ray>& rays) {
  std::vector<Hit> hits = place_for(rays);
  const auto count = static_cast<unsigned>(rays.size());
  twin("trace_grid")(shape_for(count), &grid.frame, grid.first.data(), grid.cell_triangles.data(),
                     grid.triangles.data(), rays.data(), hits.data(), count);
  return without_last(std::move(hits));
}

bool same_bits(const Hit& a, const Hit& b) { return std::memcmp(&a, &b, sizeof(Hit)) == 0; }

/// Whether hits are equal except for the last bits, which differ because the kernels use fused multiply-add.
bool near(const Hit& a, const Hit& b) {
  const auto close = [](float x, float y) { return std::abs(x - y) <= 1e-4F * (1.0F + std::abs(y)); };
  return a.triangle == b.triangle && close(a.t, b.t) && close(a.u, b.u) && close(a.v, b.v);
}

std::ptrdiff_t count_hits(const std::vector<Hit>& hits) {
  return std::count_if(hits.begin(), hits.end(), [](const Hit& hit) { return hit.triangle >= 0; });
}

/// A triangle with its right angle at `corner` and legs along two of the axes.
void append_right_triangle(Mesh& mesh, Vec3 corner, Vec3 leg, Vec3 other_leg) {
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  mesh.positions.insert(mesh.positions.end(), {corner, corner + leg, corner + other_leg});
  mesh.triangles.push_back({first, first + 1, first + 2});
}

/// Triangles with legs along the axes. Corners are multiples of a half, and lengths of legs are powers of two.
Mesh triangles_of_few_bits(std::mt19937& random, int count) {
  Mesh mesh;
  for (int i = 0; i < count; ++i) {
    const auto place = [&] { return 0.5F * static_cast<float>(random() % 33U) - 8.0F; };
    const auto leg = [&] { return (random() % 2U != 0 ? -0.5F : 0.5F) * static_cast<float>(1U << random() % 4U); };
    const Vec3 corner{place(), place(), place()};
    const float a = leg();
    const float b = leg();
    switch (i % 3) {
      case 0:
        append_right_triangle(mesh, corner, {a, 0, 0}, {0, b, 0});
        break;
      case 1:
        append_right_triangle(mesh, corner, {0, a, 0}, {0, 0, b});
        break;
      default:
        append_right_triangle(mesh, corner, {a, 0, 0}, {0, 0, b});
        break;
    }
  }
  return mesh;
}

/// Rays with origins at multiples of a quarter, and directions whose reciprocals are exact.
std::vector<Ray> rays_of_few_bits(std::mt19937& random, int count) {
  constexpr float directions[] = {-2.0F, -1.0F, -0.5F, 0.0F, 0.5F, 1.0F, 2.0F};
  std::vector<Ray> rays;
  while (rays.size() < static_cast<std::size_t>(count)) {
    Ray ray{{}, 0.0F, {}, 64.0F};
    for (float& origin : ray.origin) origin = 0.25F * static_cast<float>(random() % 81U) - 10.0F;
    for (float& direction : ray.direction) direction = directions[random() % 7U];
    if (rays.size() % 5 == 0) ray.t_max = 6.0F;
    if (rays.size() % 7 == 0) ray.t_min = 2.5F;
    if (ray.direction[0] != 0 || ray.direction[1] != 0 || ray.direction[2] != 0) rays.push_back(ray);
  }
  return rays;
}

template <typename Structure>
void expect_same_bits(const Structure& structure, const std::vector<Ray>& rays) {
  const std::vector<Hit> hits = trace(structure, rays);
  const std::vector<Hit> expected = scenes::trace_scalar(structure, rays);
  CHECK(std::equal(hits.begin(), hits.end(), expected.begin(), expected.end(), same_bits));
  CHECK(count_hits(hits) > static_cast<std::ptrdiff_t>(rays.size() / 8));
  CHECK(count_hits(hits) < static_cast<std::ptrdiff_t>(rays.size()));
}

template <typename Structure>
void expect_embree(const Structure& structure, const Mesh& mesh, const std::vector<Ray>& rays) {
  const std::vector<Hit> hits = trace(structure, rays);
  const scenes::EmbreeScene oracle(mesh);
  const scenes::HitComparison comparison = scenes::compare_hits(mesh, oracle, rays, hits);
  INFO(scenes::to_string(comparison));
  CHECK(comparison.rays == rays.size());
  CHECK(comparison.ok());
  const std::vector<Hit> expected = scenes::trace_scalar(structure, rays);
  std::size_t differences = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) differences += near(hits[i], expected[i]) ? 0 : 1;
  CHECK(differences <= comparison.ties + comparison.edges);
}

/// The rays of all bounces of a small picture, including shadow rays, in sequence.
std::vector<Ray> path_rays(const Mesh& mesh) {
  scenes::PathTracerOptions options;
  options.width = 32;
  options.height = 24;
  options.samples_per_pixel = 2;
  options.bounces = 3;
  const scenes::RayStreams streams = scenes::trace_paths(mesh, options);
  std::vector<Ray> rays;
  for (const auto* kind : {&streams.extension, &streams.shadow}) {
    for (const scenes::RayStream& stream : *kind) rays.insert(rays.end(), stream.rays.begin(), stream.rays.end());
  }
  return rays;
}

KdNode inner_node(unsigned axis, unsigned below, float plane) { return {below << 2U | axis, float_bits(plane)}; }
KdNode leaf_node(unsigned first, unsigned count) { return {first << 2U | scenes::kd_leaf, count}; }

}  // namespace

TEST_CASE("without rounding the kd-tree and grid kernels find the host's hits bit for bit") {
  const auto seed = GENERATE(1U, 2U, 3U);
  std::mt19937 random(seed);
  const Mesh mesh = triangles_of_few_bits(random, 300);
  const std::vector<Ray> rays = rays_of_few_bits(random, 4000);
  expect_same_bits(scenes::build_kd_tree(mesh), rays);
  expect_same_bits(scenes::build_kd_tree(mesh, {.traversal_cost = 1.0F, .max_depth = 48}), rays);
  expect_same_bits(scenes::build_grid(mesh, {.resolution = {16, 8, 32}}), rays);
  expect_same_bits(scenes::build_grid(mesh, {.resolution = {1, 1, 1}}), rays);
}

TEST_CASE("path tracer rays in kd-trees and grids: every hit matches Embree and the host") {
  const Mesh mesh = scenes::box();
  const std::vector<Ray> rays = path_rays(mesh);
  for (const int depth : {1, 4, 0}) expect_embree(scenes::build_kd_tree(mesh, {.max_depth = depth}), mesh, rays);
  for (const int cells : {1, 7, 40}) {
    expect_embree(scenes::build_grid(mesh, {.resolution = {cells, cells + 1, cells}}), mesh, rays);
  }
}

TEST_CASE("a kd-tree of the greatest depth uses every entry of the stack, front to back") {
  // A ray along x visits the leaves of 48 nested nodes, the deepest first. Only the last leaf has a triangle.
  constexpr unsigned depth = 48;
  Mesh mesh;
  append_right_triangle(mesh, {48.5F, -1.0F, -1.0F}, {0.0F, 4.0F, 0.0F}, {0.0F, 0.0F, 4.0F});
  KdTree tree;
  tree.bounds = {{0.0F, -1.0F, -1.0F}, {49.0F, 3.0F, 3.0F}};
  tree.leaf_triangles = {0};
  tree.triangles = {scenes::woop_triangle(mesh.corners(0))};
  tree.depth = depth;
  tree.nodes = {inner_node(0, 1, static_cast<float>(depth))};
  for (unsigned level = 1; level < depth; ++level) {
    tree.nodes.push_back(inner_node(0, 2 * level + 1, static_cast<float>(depth - level)));
    tree.nodes.push_back(leaf_node(0, level == 1 ? 1 : 0));
  }
  tree.nodes.insert(tree.nodes.end(), {leaf_node(0, 0), leaf_node(0, 0)});
  const Ray ray{{-1.0F, 0.0F, 0.0F}, 0.0F, {1.0F, 0.0F, 0.0F}, 100.0F};
  scenes::TraceWork work;
  CHECK(scenes::trace_scalar(tree, ray, false, &work).triangle == 0);
  CHECK(work.deepest_stack == static_cast<int>(depth));
  CHECK(same_bits(trace(tree, {ray})[0], {0, 49.5F, 0.25F, 0.25F}));

  SECTION("from the other side the leaf with the triangle is first, and the stack stays empty") {
    const Ray back{{50.0F, 0.0F, 0.0F}, 0.0F, {-1.0F, 0.0F, 0.0F}, 100.0F};
    CHECK(same_bits(trace(tree, {back})[0], {0, 1.5F, 0.25F, 0.25F}));
  }
  SECTION("leaves after the nearest hit are not visited") {
    // A farther leaf lists, illegally, a triangle that is nearer than its voxel.
    append_right_triangle(mesh, {0.5F, -1.0F, -1.0F}, {0.0F, 4.0F, 0.0F}, {0.0F, 0.0F, 4.0F});
    append_right_triangle(mesh, {0.75F, -1.0F, -1.0F}, {0.0F, 4.0F, 0.0F}, {0.0F, 0.0F, 4.0F});
    tree.triangles = {scenes::woop_triangle(mesh.corners(1)), scenes::woop_triangle(mesh.corners(2))};
    tree.leaf_triangles = {0, 1};
    CHECK(trace(tree, {ray})[0].triangle == 0);
    tree.nodes[2 * depth - 1] = leaf_node(1, 1);
    CHECK(trace(tree, {ray})[0].triangle == 1);
  }
}

TEST_CASE("trace_kd_tree and trace_grid keep their loops: two inner loops in one, each with one latch") {
  for (const std::string name : {"trace_kd_tree", "trace_grid"}) {
    INFO(name);
    const kernel::Program program =
        kernel::load_program(std::string(RECONVERGE_SOURCE_DIR "/platforms/kernels/") + name + ".ptx", name);
    const kernel::LoopForest forest = kernel::find_loops(program.blocks);
    CHECK(forest.irreducible.empty());
    std::vector<std::ptrdiff_t> inside;
    for (std::uint32_t outer = 0; outer < forest.loops.size(); ++outer) {
      inside.push_back(std::ranges::count(forest.loops, outer, &kernel::Loop::parent));
    }
    CHECK(std::ranges::count(inside, 2) == 1);
    CHECK(std::ranges::count(inside, 0) + 1 == std::ssize(inside));
    for (std::uint32_t loop = 0; loop < forest.loops.size(); ++loop) {
      CHECK(forest.loops[loop].latches.size() == 1);
      CHECK(forest.exits_of(program.blocks, loop).size() == 1);
    }
    CHECK(program.local_bytes == (name == "trace_kd_tree" ? 384U : 0U));
  }
}

}  // namespace reconverge::kernels

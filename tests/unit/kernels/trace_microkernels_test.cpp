// SPDX-License-Identifier: Apache-2.0
// The tracers as dynamic micro-kernels: the state that an iteration passes on, and their hits, which equal those of the
// kernels with loops. Also tests the hits of the kd-tree kernel for dynamic ray shuffling.

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "models/kernel/analysis/loops.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "models/schemes/dynamic_microkernel/spawn_instructions.hpp"
#include "platforms/kernels/twins.hpp"
#include "scenes/generators/small_scenes.hpp"
#include "scenes/light/path_tracer.hpp"
#include "scenes/scene_library.hpp"
#include "scenes/structures/bvh.hpp"
#include "scenes/structures/embree_scene.hpp"
#include "scenes/structures/hit_comparison.hpp"
#include "scenes/structures/kd_tree.hpp"
#include "scenes/structures/sbvh.hpp"

namespace reconverge::kernels {

namespace {

using kernel::BasicBlock;
using kernel::Instruction;
using kernel::Program;
using scenes::Hit;
using scenes::Mesh;
using scenes::Ray;

Program load(const std::string& name) {
  return kernel::load_program(RECONVERGE_SOURCE_DIR "/platforms/kernels/" + name + ".ptx", name, spawn_instructions());
}

/// The instructions from a micro-kernel's label to its exit.
std::vector<Instruction> microkernel(const Program& program, const std::string& label) {
  const auto begin = std::ranges::find(program.blocks, label, &BasicBlock::label);
  REQUIRE(begin != program.blocks.end());
  const auto end = std::find_if(program.instructions.begin() + begin->first, program.instructions.end(),
                                [](const Instruction& one) { return one.opcode == kernel::Opcode::exit; });
  return {program.instructions.begin() + begin->first, end};
}

/// The number of accesses to spawn memory of this width, except spawns.
std::ptrdiff_t moves(const std::vector<Instruction>& code, kernel::Opcode opcode, unsigned words) {
  return std::ranges::count_if(code, [&](const Instruction& one) {
    return one.space == kernel::Space::spawn && !is_spawn(one) && one.opcode == opcode && one.vector_width == words;
  });
}

/// The labels that the micro-kernel spawns threads at, in program order.
std::vector<std::string> spawned_by(const Program& program, const std::string& label) {
  std::vector<std::string> labels;
  for (const Instruction& one : microkernel(program, label)) {
    if (is_spawn(one)) labels.push_back(std::ranges::find(program.blocks, one.target, &BasicBlock::first)->label);
  }
  return labels;
}

/// The number of used bytes of a thread's state.
std::int64_t state_bytes(const Program& program) {
  std::int64_t bytes = 0;
  for (const Instruction& one : program.instructions) {
    if (one.space != kernel::Space::spawn || is_spawn(one)) continue;
    CHECK(one.offset >= 0);
    bytes = std::max<std::int64_t>(bytes, one.offset + std::int64_t{one.vector_width} * kernel::bytes_of(one.type));
  }
  return bytes;
}

/// The rays of all bounces of a small picture, including shadow rays, in sequence. Some rays have a t_min or t_max.
std::vector<Ray> path_rays(const Mesh& mesh) {
  scenes::PathTracerOptions options;
  options.width = 32;
  options.height = 24;
  options.samples_per_pixel = 1;
  options.bounces = 3;
  const scenes::RayStreams streams = scenes::trace_paths(mesh, options);
  std::vector<Ray> rays;
  for (const auto* kind : {&streams.extension, &streams.shadow}) {
    for (const scenes::RayStream& stream : *kind) rays.insert(rays.end(), stream.rays.begin(), stream.rays.end());
  }
  const std::vector<Hit> whole = scenes::EmbreeScene(mesh).intersect(rays);
  for (std::size_t i = 0; i < rays.size(); i += 5) rays[i].t_min = 0.25F * static_cast<float>(i % 8) * whole[i].t;
  for (std::size_t i = 0; i < rays.size(); i += 7) rays[i].t_max = 0.95F * whole[i].t;
  return rays;
}

/// Compares the hits of the kernel with loops and of the micro-kernels with each other and with Embree. Stacks have
/// `stack_words` words a ray, followed by a word that must not change. `trace` runs both twins.
template <typename Trace>
void expect_same(const Mesh& mesh, const std::vector<Ray>& rays, std::size_t stack_words, const Trace& trace) {
  const auto count = static_cast<unsigned>(rays.size());
  std::vector<Hit> expected(count);
  std::vector<Hit> hits(count);
  constexpr unsigned untouched = 0xdeadbeef;
  std::vector<unsigned> stacks(stack_words * count + 1, untouched);
  trace(shape_for(count), count, expected.data(), hits.data(), stacks.data());
  CHECK(std::memcmp(expected.data(), hits.data(), count * sizeof(Hit)) == 0);
  CHECK(stacks.back() == untouched);
  const auto found = std::ranges::count_if(hits, [](const Hit& hit) { return hit.triangle >= 0; });
  CHECK(found > static_cast<std::ptrdiff_t>(count / 8));
  CHECK(found < static_cast<std::ptrdiff_t>(count));
  const scenes::EmbreeScene oracle(mesh);
  const scenes::HitComparison comparison = scenes::compare_hits(mesh, oracle, rays, hits);
  INFO(scenes::to_string(comparison));
  CHECK(comparison.ok());
}

void expect_kd_hits(const Mesh& mesh, const scenes::KdTree& tree, const std::vector<Ray>& rays) {
  const scenes::Vec3 low = tree.bounds.low;
  const scenes::Vec3 high = tree.bounds.high;
  const auto* const nodes = tree.nodes.data();
  const auto* const leaves = tree.leaf_triangles.data();
  const auto* const triangles = tree.triangles.data();
  const auto expect = [&](const char* name, auto... counters) {
    INFO(name);
    expect_same(mesh, rays, 96,
                [&](const LaunchShape& shape, unsigned count, Hit* expected, Hit* hits, unsigned* stacks) {
                  twin("trace_kd_tree")(shape, nodes, leaves, triangles, rays.data(), expected, count, low.x, low.y,
                                        low.z, high.x, high.y, high.z);
                  twin(name)(shape, nodes, leaves, triangles, rays.data(), hits, count, low.x, low.y, low.z, high.x,
                             high.y, high.z, counters..., stacks);
                });
  };
  expect("trace_kd_tree_microkernels");
  // The first thread of the twin traces all rays, in one slot.
  std::array<unsigned, 2> counters{};
  expect("trace_kd_tree_shuffled", counters.data());
  CHECK(counters[1] == 1);
}

void expect_bvh_hits(const Mesh& mesh, const scenes::Bvh& bvh, const std::vector<Ray>& rays) {
  const auto* const nodes = bvh.nodes.data();
  const auto* const rows = bvh.rows.data();
  const auto* const numbers = bvh.triangle_of_row.data();
  for (const char* const name : {"trace_microkernels", "trace_adaptive_microkernels", "trace_patient_microkernels"}) {
    INFO(name);
    expect_same(mesh, rays, 64,
                [&](const LaunchShape& shape, unsigned count, Hit* expected, Hit* hits, unsigned* stacks) {
                  twin("trace_while_while")(shape, nodes, rows, numbers, rays.data(), expected, count);
                  twin(name)(shape, nodes, rows, numbers, rays.data(), hits, count, stacks);
                });
  }
}

}  // namespace

TEST_CASE("kd-tree micro-kernels move 48 bytes in three vectors, and 800 threads fit") {
  const Program program = load("trace_kd_tree_microkernels");
  CHECK(kernel::find_loops(program.blocks).loops.empty());
  CHECK(state_bytes(program) == 48);
  CHECK(program.local_bytes == 0);
  CHECK(program.shared_bytes == 0);
  // The limits are Table II, and the 16384 registers of Table I.
  CHECK(program.registers <= 20);
  CHECK(program.registers * 800 <= 16384);
  for (const std::string part : {"down", "leaf", "back"}) {
    INFO(part);
    const auto code = microkernel(program, "trace_kd_tree_" + part);
    CHECK(moves(code, kernel::Opcode::ld, 4) == 3);
    CHECK(moves(code, kernel::Opcode::st, 4) == 3);
  }
  using Labels = std::vector<std::string>;
  const Labels at_node{"trace_kd_tree_down", "trace_kd_tree_leaf", "trace_kd_tree_back"};
  CHECK(spawned_by(program, "trace_kd_tree_down") == at_node);
  CHECK(spawned_by(program, "trace_kd_tree_leaf") == Labels{"trace_kd_tree_leaf", "trace_kd_tree_back"});
}

TEST_CASE("BVH micro-kernels store 17 words of a ray, and the paper's 54 warps fit") {
  const Program program = load("trace_microkernels");
  CHECK(kernel::find_loops(program.blocks).loops.empty());
  CHECK(state_bytes(program) == 17 * 4);
  CHECK(program.local_bytes == 0);
  CHECK(program.shared_bytes == 0);
  CHECK(program.registers * 32 * 54 <= 65536);
  const std::vector<std::string> both{"trace_microkernels_inner", "trace_microkernels_leaf"};
  for (const std::string& part : both) CHECK(spawned_by(program, part) == both);
}

TEST_CASE("adaptive BVH micro-kernels have the same state, and spawn once after their iterations") {
  const std::string kernel = GENERATE(as<std::string>{}, "trace_adaptive_microkernels", "trace_patient_microkernels");
  CAPTURE(kernel);
  const Program program = load(kernel);
  CHECK(state_bytes(program) == 17 * 4);
  CHECK(program.local_bytes == 0);
  CHECK(program.shared_bytes == 0);
  CHECK(program.registers * 32 * 54 <= 65536);
  const std::vector<std::string> both{kernel + "_inner", kernel + "_leaf"};
  for (const std::string& part : both) {
    CHECK(spawned_by(program, part) == both);
    const auto code = microkernel(program, part);
    CHECK(std::ranges::any_of(code, [](const Instruction& one) { return one.opcode == kernel::Opcode::vote; }));
  }
}

TEST_CASE("micro-kernels and ray shuffling find the hits of the kernels with loops, bit for bit") {
  const Mesh box = scenes::box();
  const std::vector<Ray> in_box = path_rays(box);
  for (const int depth : {1, 4, 0}) expect_kd_hits(box, scenes::build_kd_tree(box, {.max_depth = depth}), in_box);
  expect_bvh_hits(box, scenes::build_bvh(box), in_box);
  const Mesh room = scenes::load_scene("conference_small").mesh;
  const std::vector<Ray> in_room = path_rays(room);
  expect_kd_hits(room, scenes::build_kd_tree(room), in_room);
  expect_bvh_hits(room, scenes::build_bvh(room), in_room);
  expect_bvh_hits(room, scenes::build_sbvh(room), in_room);
}

TEST_CASE("micro-kernels and ray shuffling traverse an empty leaf, as in a tree of one triangle") {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 2}};
  mesh.material_of_triangle = {0};
  mesh.materials.resize(1);
  std::vector<Ray> rays;
  for (float x = -0.4F; x < 1.5F; x += 0.25F) {
    for (float y = -0.4F; y < 1.5F; y += 0.25F) rays.push_back({{x, y, -1.0F}, 0.0F, {0.0F, 0.0F, 1.0F}, 4.0F});
  }
  expect_bvh_hits(mesh, scenes::build_bvh(mesh), rays);
  expect_kd_hits(mesh, scenes::build_kd_tree(mesh), rays);
}

TEST_CASE("micro-kernels and ray shuffling use the whole stack in a kd-tree of maximum depth") {
  // A ray along x visits the leaves of 48 nested nodes, the deepest first. Only the last leaf has a triangle.
  constexpr unsigned depth = 48;
  const auto inner_node = [](unsigned below, float plane) { return scenes::KdNode{below << 2U, float_bits(plane)}; };
  const auto leaf_node = [](unsigned count) { return scenes::KdNode{scenes::kd_leaf, count}; };
  Mesh mesh;
  mesh.positions = {{48.5F, -1.0F, -1.0F}, {48.5F, 3.0F, -1.0F}, {48.5F, -1.0F, 3.0F}};
  mesh.triangles = {{0, 1, 2}};
  scenes::KdTree tree;
  tree.bounds = {{0.0F, -1.0F, -1.0F}, {49.0F, 3.0F, 3.0F}};
  tree.leaf_triangles = {0};
  tree.triangles = {scenes::woop_triangle(mesh.corners(0))};
  tree.depth = depth;
  tree.nodes = {inner_node(1, static_cast<float>(depth))};
  for (unsigned level = 1; level < depth; ++level) {
    tree.nodes.push_back(inner_node(2 * level + 1, static_cast<float>(depth - level)));
    tree.nodes.push_back(leaf_node(level == 1 ? 1 : 0));
  }
  tree.nodes.insert(tree.nodes.end(), {leaf_node(0), leaf_node(0)});
  std::vector<Ray> rays(64, {{-1.0F, 0.0F, 0.0F}, 0.0F, {1.0F, 0.0F, 0.0F}, 100.0F});
  for (std::size_t i = 32; i < rays.size(); ++i) rays[i].t_max = 40.0F;
  expect_kd_hits(mesh, tree, rays);
}

}  // namespace reconverge::kernels

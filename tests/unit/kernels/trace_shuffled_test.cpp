// SPDX-License-Identifier: Apache-2.0
// The kernels for dynamic ray shuffling: only a ray's registers are live across rdctrl. Also tests the hits of
// trace_shuffled.

#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "models/kernel/analysis/divergence_analysis.hpp"
#include "models/kernel/analysis/liveness.hpp"
#include "models/kernel/analysis/loops.hpp"
#include "models/kernel/analysis/occupancy.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "models/schemes/dynamic_ray_shuffling/ray_instructions.hpp"
#include "platforms/kernels/shuffled_ray.h"
#include "platforms/kernels/traversal.h"
#include "platforms/kernels/twins.hpp"
#include "scenes/light/path_tracer.hpp"
#include "scenes/scene_library.hpp"
#include "scenes/structures/bvh.hpp"
#include "scenes/structures/embree_scene.hpp"
#include "scenes/structures/hit_comparison.hpp"
#include "scenes/structures/sbvh.hpp"
#include "testbenches/device/job.hpp"
#include "testbenches/reference/scalar_interpreter.hpp"

namespace reconverge::kernels {

namespace {

using device::BufferAddress;
using device::Buffers;
using device::Job;
using kernel::Pc;
using kernel::Program;
using scenes::Hit;
using scenes::Ray;

/// The file of a kernel; one has both kernels for rays in a BVH.
std::string ptx(const std::string& kernel = "trace_shuffled") {
  const std::string name = kernel == "trace_shuffled_three_rows" ? "trace_shuffled" : kernel;
  std::ifstream file(RECONVERGE_SOURCE_DIR "/platforms/kernels/" + name + ".ptx");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), by);
}

Program load(const std::string& text, const std::string& kernel = "trace_shuffled") {
  return kernel::load_program_text(text, kernel, kernel, ray_instructions());
}

Pc place_of_rdctrl(const Program& program) {
  const auto found = std::ranges::find_if(
      program.instructions, [&](const auto& instruction) { return kernel::uses_registers(program, instruction); });
  REQUIRE(found != program.instructions.end());
  return static_cast<Pc>(found - program.instructions.begin());
}

std::uint32_t block_of(const Program& program, Pc pc) {
  const auto found = std::ranges::find_if(
      program.blocks, [&](const kernel::BasicBlock& block) { return block.first <= pc && pc < block.end; });
  return static_cast<std::uint32_t>(found - program.blocks.begin());
}

/// Rows and predicates that are live across rdctrl.
kernel::ValueSet live_behind_rdctrl(const Program& program) {
  const std::vector<kernel::Accesses> accesses = accesses_of(program);
  const kernel::Liveness liveness =
      compute_liveness(program.blocks, accesses, program.register_rows + program.predicates);
  const Pc rdctrl = place_of_rdctrl(program);
  const std::uint32_t block = block_of(program, rdctrl);
  kernel::ValueSet live = liveness.live_out[block];
  for (Pc pc = program.blocks[block].end; --pc > rdctrl;) step_back(accesses[pc], live);
  return live;
}

/// Values that are live across rdctrl, are not its operands, and may differ between the threads of a warp. The
/// instruction must be the first of its block.
kernel::ValueSet left_behind(const Program& program) {
  kernel::ValueSet live = live_behind_rdctrl(program);
  const kernel::Accesses rdctrl = accesses_of(program)[place_of_rdctrl(program)];
  for (const kernel::ValueId written : rdctrl.definitions) live.reset(written);
  const std::uint32_t block = block_of(program, place_of_rdctrl(program));
  REQUIRE(program.blocks[block].first == place_of_rdctrl(program));
  return live & analyse_divergence(program).at_entry[block];
}

template <typename T>
BufferAddress add_buffer(Job& job, const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  job.buffers.emplace_back(bytes.begin(), bytes.end());
  return {job.buffers.size() - 1};
}

template <typename T>
std::vector<T> read(const std::vector<std::byte>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

Job make_job(const std::string& entry, const std::string& text, Dim3 grid, Dim3 block) {
  Job job;
  job.name = job.entry = entry;
  job.ptx = text;
  job.grid = grid;
  job.block = block;
  return job;
}

/// Two blocks of 96 threads. The last warp of each block starts in the middle of a group of 64 stacks.
constexpr unsigned threads = 2 * 96;

Job job_of(const std::string& kernel, const scenes::Bvh& bvh, const std::vector<Ray>& rays) {
  Job job = make_job(kernel, ptx(), {2, 1, 1}, {96, 1, 1});
  const BufferAddress hits = add_buffer(job, std::vector<Hit>(rays.size()));
  const BufferAddress counters = add_buffer(job, std::vector<unsigned>(2));
  const BufferAddress stacks = add_buffer(job, std::vector<int>(32 + std::size_t{threads} * words_of_place));
  for (const BufferAddress one : {add_buffer(job, bvh.nodes), add_buffer(job, bvh.rows),
                                  add_buffer(job, bvh.triangle_of_row), add_buffer(job, rays), hits}) {
    job.arguments.emplace_back(one);
  }
  job.arguments.emplace_back(Argument(static_cast<unsigned>(rays.size())));
  job.arguments.insert(job.arguments.end(), {counters, stacks});
  return job;
}

Buffers interpret(const Job& job) {
  ScalarInterpreter interpreter;
  return device::run_on(
      interpreter.memory(), [&](const Launch& launch) { interpreter.run(launch); }, job);
}

/// A kernel whose threads execute two iterations. In each it stores the result of rdctrl and the ray register, which is
/// initially the thread's number. At the end of an iteration it sets the ray state to %r1, which is the thread's number
/// before `body`.
std::string state_kernel(const std::string& body) {
  return ".version 5.0\n.target sm_60\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n.reg .pred %p; .reg "
         ".b32 "
         "%r<9>; .reg .b64 %d<4>;\nld.param.u64 %d1, [out];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nmov.u32 %r5, %r1;\n"
         "mad.wide.u32 %d2, %r1, 16, %d1;\nL:\nrdctrl.b32 %r3, {%r5};\nst.global.u32 [%d2], %r3;\n"
         "st.global.u32 [%d2+8], %r5;\nadd.u64 %d2, %d2, 4;\n" +
         body + "\nmov.u32 %ray_state, %r1;\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p, %r2, 2;\n@%p bra L;\nret;\n}\n";
}

}  // namespace

TEST_CASE("the tracers have the paper's 17 ray registers, and no other value is live across rdctrl") {
  const auto [kernel, registers] = GENERATE(table<std::string, std::size_t>({{"trace_shuffled", 17},
                                                                             {"trace_shuffled_three_rows", 17},
                                                                             {"trace_kd_tree_shuffled", 17},
                                                                             {"julia_shuffled", 4}}));
  INFO(kernel);
  const Program program = load(ptx(kernel), kernel);
  CHECK(program.extension_registers.size() == registers);
  const kernel::ValueSet live = live_behind_rdctrl(program);
  for (const std::uint16_t row : program.extension_registers) CHECK(live[row]);
  CHECK(left_behind(program).none());
  CHECK(program.local_bytes == 0);
  CHECK(program.shared_bytes == 0);
}

TEST_CASE("the register file has room for the paper's 60 warps of each tracer, or 58 with three ray rows") {
  const std::string kernel = GENERATE("trace_shuffled", "trace_shuffled_three_rows", "trace_kd_tree_shuffled");
  const Program program = load(ptx(kernel), kernel);
  const auto warps = [&](std::uint64_t rows) {
    const kernel::SmLimits limits{65536 - rows * program.extension_registers.size() * 32, 1, 0, 64, 64};
    return occupancy({program.registers, 0, 32}, limits, kernel::LaunchUnit::warp).warps;
  };
  CHECK(warps(0) == 60);
  CHECK(warps(3) == 58);
}

TEST_CASE("the test detects a ray variable that rdctrl does not list, and a live thread number") {
  CHECK(left_behind(load(replaced(ptx(), ", %r119};", "};"))).count() == 1);
  const std::string with_lane = replaced(replaced(ptx(), "LBB0_1:", "mov.u32 %r0, %laneid;\nLBB0_1:"),
                                         "\tmov.u32 %r78, %lanemask_lt;", "\tmov.u32 %r78, %r0;");
  CHECK(left_behind(load(with_lane)).count() == 1);
}

TEST_CASE("each kernel is one loop, in which all lanes of a warp return to rdctrl") {
  // An iteration has inner loops over triangles of a leaf, traversal steps, or cells. Points have no leaves.
  const auto [kernel, loops, choices] =
      GENERATE(table<std::string, std::size_t, std::size_t>({{"trace_shuffled", 1, 3},
                                                             {"trace_shuffled_three_rows", 1, 3},
                                                             {"trace_kd_tree_shuffled", 2, 3},
                                                             {"julia_shuffled", 1, 2}}));
  INFO(kernel);
  const Program program = load(ptx(kernel), kernel);
  const Pc rdctrl = place_of_rdctrl(program);
  const std::uint32_t head = block_of(program, rdctrl);
  const kernel::LoopForest forest = kernel::find_loops(program.blocks);
  CHECK(forest.irreducible.empty());
  REQUIRE(forest.loops.size() == 1 + loops);
  CHECK(forest.loops[0].header == head);
  for (std::size_t i = 1; i <= loops; ++i) CHECK(forest.loops[i].parent == 0);
  // The exit is uniform for the whole warp. The branches that select the next step reconverge at rdctrl.
  CHECK(forest.exits_of(program.blocks, 0).size() == 1);
  const kernel::Divergence divergence = analyse_divergence(program);
  std::vector<Pc> meetings;
  for (Pc pc = rdctrl; meetings.size() < 1 + choices; ++pc) {
    const kernel::Instruction& instruction = program.instructions.at(pc);
    if (instruction.opcode != kernel::Opcode::bra) continue;
    CHECK(divergence.branch[pc] == !meetings.empty());
    meetings.push_back(instruction.reconvergence);
  }
  CHECK(std::count(meetings.begin(), meetings.end(), rdctrl) == static_cast<std::ptrdiff_t>(choices));
}

TEST_CASE("trace_shuffled finds the hits of trace_while_while in the conference room") {
  const std::string kernel = GENERATE("trace_shuffled", "trace_shuffled_three_rows");
  const scenes::LoadedScene scene = scenes::load_scene("conference_small");
  const bool with_splits = GENERATE(false, true);
  const scenes::Bvh bvh = with_splits ? scenes::build_sbvh(scene.mesh) : scenes::build_bvh(scene.mesh);
  CHECK((scenes::references(bvh) > scene.mesh.triangle_count()) == with_splits);
  scenes::PathTracerOptions options;
  options.width = 24;
  options.height = 18;
  options.samples_per_pixel = 1;
  options.bounces = 3;
  const scenes::RayStreams streams = scenes::trace_paths(scene.mesh, options);
  const scenes::EmbreeScene oracle(scene.mesh);
  for (const scenes::RayStream* stream : {&streams.extension[0], &streams.extension[2], &streams.shadow[1]}) {
    const std::vector<Ray>& rays = stream->rays;
    std::vector<Hit> expected(rays.size());
    const auto count = static_cast<unsigned>(rays.size());
    REQUIRE(count > threads);
    twin("trace_while_while")(shape_for(count), bvh.nodes.data(), bvh.rows.data(), bvh.triangle_of_row.data(),
                              rays.data(), expected.data(), count);
    const Job job = job_of(kernel, bvh, rays);
    for (const Buffers& buffers : {device::run_here(job), interpret(job)}) {
      const std::vector<Hit> hits = read<Hit>(buffers[0]);
      CHECK(std::memcmp(hits.data(), expected.data(), hits.size() * sizeof(Hit)) == 0);
      const scenes::HitComparison comparison = scenes::compare_hits(scene.mesh, oracle, rays, hits);
      INFO(scenes::to_string(comparison));
      CHECK(comparison.ok());
      const std::vector<unsigned> counters = read<unsigned>(buffers[1]);
      CHECK(counters[0] >= count);
      CHECK(counters[1] > 0);
      CHECK(counters[1] <= threads);
      // Exactly the slots that had a ray have a marker.
      const std::vector<int> stacks = read<int>(buffers[2]);
      for (unsigned i = 0; i < threads; ++i) {
        const int lowest = stacks[32 + i / 32 * 32 * words_of_place + i % 32];
        CHECK(lowest == (i < counters[1] ? traversal_done : 0));
      }
    }
  }
}

TEST_CASE("trace_shuffled begins a ray at its t_min, wherever that is, and finds Embree's hits") {
  const std::string kernel = GENERATE("trace_shuffled", "trace_shuffled_three_rows");
  const scenes::LoadedScene scene = scenes::load_scene("conference_small");
  const scenes::Bvh bvh = scenes::build_bvh(scene.mesh);
  const scenes::EmbreeScene oracle(scene.mesh);
  scenes::PathTracerOptions options;
  options.width = 64;
  options.height = 48;
  options.samples_per_pixel = 1;
  options.bounces = 2;
  std::vector<Ray> rays = scenes::trace_paths(scene.mesh, options).extension[1].rays;
  const std::vector<Hit> whole = oracle.intersect(rays);
  // Values of t_min from the origin to after the first hit; some rays end before the hit.
  constexpr std::array<float, 8> shares{0.0F, 0.5F, 0.9999F, 1.0F, 1.0001F, 1.5F, 0.05F, 0.3F};
  for (std::size_t i = 0; i < rays.size(); ++i) {
    rays[i].t_min = shares[i % shares.size()] * whole[i].t;
    if (i % 5 == 0) rays[i].t_max = 1.1F * whole[i].t;
    if (i % 7 == 0) rays[i].t_max = 0.95F * whole[i].t;
  }
  std::vector<Hit> expected(rays.size());
  const auto count = static_cast<unsigned>(rays.size());
  twin("trace_while_while")(shape_for(count), bvh.nodes.data(), bvh.rows.data(), bvh.triangle_of_row.data(),
                            rays.data(), expected.data(), count);
  const Job job = job_of(kernel, bvh, rays);
  for (const Buffers& buffers : {device::run_here(job), interpret(job)}) {
    const std::vector<Hit> hits = read<Hit>(buffers[0]);
    const scenes::HitComparison comparison = scenes::compare_hits(scene.mesh, oracle, rays, hits);
    INFO(scenes::to_string(comparison));
    CHECK(comparison.ok());
    using Bits = std::array<unsigned, 4>;
    std::size_t missed = 0;
    std::size_t others = 0;
    for (std::size_t i = 0; i < rays.size(); ++i) {
      INFO("ray " << i);
      if (rays[i].t_min == 0.0F) CHECK(std::bit_cast<Bits>(hits[i]) == std::bit_cast<Bits>(expected[i]));
      if (hits[i].triangle < 0) CHECK(hits[i].t == rays[i].t_max);
      missed += hits[i].triangle < 0 ? 1 : 0;
      others += hits[i].triangle != whole[i].triangle ? 1 : 0;
    }
    CHECK(missed > rays.size() / 10);
    CHECK(others > missed);
    CHECK(others < rays.size() * 3 / 4);
  }
}

TEST_CASE("without shuffling, rdctrl returns each thread its reported state and its own ray") {
  Job job = make_job("k", state_kernel("and.b32 %r1, %r1, 3;"), {1, 1, 1}, {70, 1, 1});
  job.arguments.emplace_back(add_buffer(job, std::vector<std::uint32_t>(std::size_t{4} * 70)));
  for (const Buffers& buffers : {device::run_here(job), interpret(job)}) {
    const std::vector<std::uint32_t> found = read<std::uint32_t>(buffers[0]);
    for (std::uint32_t thread = 0; thread < 70; ++thread) {
      INFO(thread);
      CHECK(found[4 * thread] == static_cast<unsigned>(RayState::fetch));
      CHECK(found[4 * thread + 1] == thread % 4);
      CHECK(found[4 * thread + 2] == thread);
      CHECK(found[4 * thread + 3] == thread);
    }
  }
}

TEST_CASE("an invalid ray state ends the run with an error at its line") {
  Job job = make_job("k", state_kernel("add.u32 %r1, %r1, 2;"), {1, 1, 1}, {4, 1, 1});
  job.arguments.emplace_back(add_buffer(job, std::vector<std::uint32_t>(std::size_t{4} * 4)));
  for (const bool by_interpreter : {false, true}) {
    CHECK_THROWS_WITH(by_interpreter ? interpret(job) : device::run_here(job),
                      Catch::StartsWith("k:18: ray state 4: there are 0 to 3 in kernel 'k'"));
  }
}

}  // namespace reconverge::kernels

// SPDX-License-Identifier: Apache-2.0
// Profiles of small kernels match values calculated by hand, and count nothing twice and lose nothing.

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <numeric>

#include "blocks/convergence_barrier.hpp"
#include "blocks/reconvergence_stack.hpp"
#include "blocks/subwarp_interleaving.hpp"
#include "models/core/simulation_context.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "platforms/machines/functional/functional_machine.hpp"
#include "platforms/machines/gpu/gpu.hpp"
#include "platforms/profile/recorded_run.hpp"

using namespace reconverge;

namespace {

constexpr std::uint32_t first_line = 8;  // first line of the body

/// A loop of three iterations, in which odd threads execute an addition and even threads branch over it.
constexpr const char* loop =
    ".version 5.0\n.target sm_60\n.address_size 64\n.visible .entry k(.param .u64 k_param_0)\n{\n"
    ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<4>;\n"
    "ld.param.u64 %rd1, [k_param_0];\n"
    "mov.u32 %r1, %tid.x;\n"        // 8
    "mov.u32 %r2, 0;\n"             // 9
    "mov.u32 %r4, 0;\n"             // 10
    "and.b32 %r3, %r1, 1;\n"        // 11
    "setp.eq.s32 %p1, %r3, 0;\n"    // 12
    "round:\n"                      // 13
    "@%p1 bra even;\n"              // 14
    "add.s32 %r4, %r4, %r1;\n"      // 15
    "even:\n"                       // 16
    "add.s32 %r2, %r2, 1;\n"        // 17
    "setp.lt.s32 %p2, %r2, 3;\n"    // 18
    "@%p2 bra round;\n"             // 19
    "mul.wide.u32 %rd2, %r1, 4;\n"  // 20
    "add.s64 %rd3, %rd1, %rd2;\n"   // 21
    "st.global.u32 [%rd3], %r4;\n"  // 22
    "ret;\n}\n";

kernel::Pc pc_of_line(const kernel::Program& program, std::uint32_t line) {
  const auto found = std::ranges::find(program.instructions, line, &kernel::Instruction::line);
  REQUIRE(found != program.instructions.end());
  return static_cast<kernel::Pc>(found - program.instructions.begin());
}

struct Profiled {
  InstructionProfile profile;
  InstructionCounts executed;
  Statistics totals;
};

GpuParameters gpu_with(const std::string& scheme) {
  GpuParameters parameters;
  parameters.sms = 2;
  parameters.sm.scheme = {scheme};
  return parameters;
}

Profiled profiled(Machine& machine, const Launch& launch) {
  RecordedRun run = run_recorded(machine, launch, {}, {true, 0});
  REQUIRE(run.completed);
  REQUIRE(run.profile);
  return {std::move(*run.profile), machine.instructions(), machine.totals()};
}

template <typename Of>
std::uint64_t total(const InstructionProfile& profile, Of&& of) {
  std::uint64_t sum = 0;
  for (const ProfiledInstruction& one : profile.instructions) sum += of(one);
  return sum;
}

std::uint64_t threads_to(const ProfiledInstruction& branch, kernel::Pc pc) {
  const auto found = std::ranges::find(branch.targets, pc, &BranchTarget::pc);
  return found == branch.targets.end() ? 0 : found->threads;
}

void check_loop(const Profiled& run, const kernel::Program& program, std::uint64_t each) {
  // `each`: executions of an instruction that all threads of a warp execute: 1, or 32 if each lane has a pc.
  const bool single_lanes = each != 1;
  CHECK(run.profile.lanes == (single_lanes ? 1 : 32));
  const auto at = [&](std::uint32_t line) -> const ProfiledInstruction& {
    return run.profile.instructions[pc_of_line(program, line)];
  };
  CHECK(at(11).executions == each);
  CHECK(at(11).threads == 32);
  CHECK(at(14).executions == 3 * each);
  CHECK(at(14).threads == 3 * 32);
  CHECK(at(14).divergent == (single_lanes ? 0 : 3));
  CHECK(threads_to(at(14), pc_of_line(program, 15)) == 3 * 16);
  CHECK(threads_to(at(14), pc_of_line(program, 17)) == 3 * 16);
  CHECK(at(15).executions == (single_lanes ? 3 * 16 : 3));
  CHECK(at(15).threads == 3 * 16);
  CHECK(at(17).executions == 3 * each);
  CHECK(at(19).divergent == 0);
  CHECK(threads_to(at(19), pc_of_line(program, 14)) == 2 * 32);
  CHECK(threads_to(at(19), pc_of_line(program, 20)) == 32);
  CHECK(at(22).executions == each);
}

/// Compares the sums of a profile with the counters of its machine.
void check_sums(const Profiled& run, bool single_lanes = false) {
  const std::uint64_t executions = total(run.profile, [](const auto& one) { return one.executions; });
  const std::uint64_t threads = total(run.profile, [](const auto& one) { return one.threads; });
  CHECK(executions == (single_lanes ? run.executed.thread_instructions : run.executed.warp_instructions));
  CHECK(threads == run.executed.thread_instructions);
  const auto& slots = run.totals.of<WarpSchedulerStatistics>().slots;
  for (std::size_t bin = 0; bin < LostSlots::size(); ++bin) {
    const auto cause = static_cast<WarpSchedulerSlots>(bin);
    const std::uint64_t lost =
        total(run.profile, [&](const auto& one) { return one.lost[cause]; }) + run.profile.elsewhere[cause];
    const bool used = cause == WarpSchedulerSlots::issued || cause == WarpSchedulerSlots::dual_issue;
    CAPTURE(bin);
    CHECK(lost == (used ? 0 : slots[cause]));
    if (cause != WarpSchedulerSlots::empty) CHECK(run.profile.elsewhere[cause] == 0);
  }
  const auto& data = run.totals.of<L1CacheStatistics>();
  const auto& textures = run.totals.of<TextureCacheStatistics>();
  const auto& constants = run.totals.of<ConstantCacheStatistics>();
  CHECK(total(run.profile, [](const auto& one) { return one.lines.hits; }) ==
        data.hits + textures.hits + constants.hits);
  CHECK(total(run.profile, [](const auto& one) { return one.lines.misses; }) ==
        data.misses + textures.misses + constants.misses);
  CHECK(total(run.profile, [](const auto& one) { return one.lines.merges; }) ==
        data.merges + textures.merges + constants.merges);
}

const std::initializer_list<std::string> schemes = {"reconvergence_stack",   "mimd",
                                                    "dynamic_ray_shuffling", "thread_block_compaction",
                                                    "convergence_barrier",   "subwarp_interleaving"};

kernel::Program load(const char* file, const char* entry) {
  return kernel::load_program(std::filesystem::path(RECONVERGE_SOURCE_DIR) / "platforms/kernels" / file, entry);
}

}  // namespace

TEST_CASE("the profile of a loop with a divergent branch matches a calculation by hand") {
  const kernel::Program program = kernel::load_program_text(loop, "loop.ptx", "k");
  REQUIRE(program.instructions[pc_of_line(program, first_line + 6)].opcode == kernel::Opcode::bra);
  SECTION("on the functional machine") {
    FunctionalMachine machine;
    const std::array<Argument, 1> arguments{machine.memory().allocate("buffer", 128)};
    const Profiled run = profiled(machine, make_launch(program, {1}, {32}, arguments));
    check_loop(run, program, 1);
    CHECK(total(run.profile, [](const auto& one) { return one.executions; }) == run.executed.warp_instructions);
    CHECK(total(run.profile, [](const auto& one) { return one.threads; }) == run.executed.thread_instructions);
  }
  SECTION("under every scheme") {
    const auto scheme = GENERATE(from_range(schemes));
    CAPTURE(scheme);
    const SimulationContext context;
    Gpu gpu("gpu", gpu_with(scheme));
    const std::array<Argument, 1> arguments{gpu.memory().allocate("buffer", 128)};
    const Profiled run = profiled(gpu, make_launch(program, {1}, {32}, arguments));
    check_loop(run, program, scheme == "mimd" ? 32 : 1);
    check_sums(run, scheme == "mimd");
  }
}

TEST_CASE("lanes diverge at a branch with several targets, but not at a branch to the next instruction") {
  const kernel::Program program = kernel::load_program_text(
      ".version 6.5\n.target sm_60\n.address_size 64\n.func f() { ret; }\n.visible .entry k()\n{\n"
      ".reg .b32 %r<9>; .reg .pred %p<4>;\n"
      "mov.u32 %r1, %tid.x;\n"               // 8
      "setp.lt.u32 %p1, %r1, 10;\n"          // 9
      "@%p1 bra next;\n"                     // 10
      "next: and.b32 %r2, %r1, 1;\n"         // 11
      "places: .branchtargets even, odd;\n"  // 12
      "brx.idx %r2, places;\n"               // 13
      "even: add.u32 %r3, %r1, 1;\n"         // 14
      "odd: @%p1 call f;\n"                  // 15
      "ret;\n}\n",
      "places.ptx", "k");
  FunctionalMachine machine;
  const Profiled run = profiled(machine, make_launch(program, {1}, {32}, {}));
  const auto at = [&](std::uint32_t line) { return run.profile.instructions[pc_of_line(program, line)]; };
  const auto pc = [&](std::uint32_t line) { return pc_of_line(program, line); };
  CHECK(at(10).divergent == 0);
  CHECK(at(10).targets.size() == 1);
  CHECK(threads_to(at(10), pc(11)) == 32);
  CHECK(at(13).divergent == 1);
  CHECK(at(13).targets.size() == 2);
  CHECK(threads_to(at(13), pc(14)) == 16);
  CHECK(threads_to(at(13), pc(15)) == 16);
  const auto found = std::ranges::find(program.instructions, kernel::Opcode::call, &kernel::Instruction::opcode);
  const auto call_pc = static_cast<kernel::Pc>(found - program.instructions.begin());
  const ProfiledInstruction& call = run.profile.instructions[call_pc];
  CHECK(call.divergent == 1);
  CHECK(call.threads == 10);
  CHECK(threads_to(call, found->target) == 10);
  CHECK(threads_to(call, call_pc + 1) == 22);
}

TEST_CASE("the slots of an SM that waits for one load are charged to the instruction that needs it") {
  const kernel::Program program = kernel::load_program_text(
      ".version 5.0\n.target sm_60\n.address_size 64\n.visible .entry k(.param .u64 k_param_0)\n{\n"
      ".reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
      "ld.param.u64 %rd1, [k_param_0];\n"
      "ld.global.u32 %r1, [%rd1];\n"  // 8
      "add.s32 %r2, %r1, 1;\n"        // 9
      "st.global.u32 [%rd1], %r2;\n"  // 10
      "bar.sync 0;\n"                 // 11
      "ret;\n}\n",
      "load.ptx", "k");
  const SimulationContext context;
  GpuParameters parameters = gpu_with("reconvergence_stack");
  parameters.sms = 1;
  parameters.sm.scheduler.count = 1;
  Gpu gpu("gpu", parameters);
  const std::array<Argument, 1> arguments{gpu.memory().allocate("buffer", 128)};
  const Profiled run = profiled(gpu, make_launch(program, {1}, {32}, arguments));
  check_sums(run);
  const auto& slots = run.totals.of<WarpSchedulerStatistics>().slots;
  const auto lost = [&](std::uint32_t line, WarpSchedulerSlots cause) {
    return run.profile.instructions[pc_of_line(program, line)].lost[cause];
  };
  // The load waits for the parameter, and the addition waits for the load. These are the only memory stalls.
  CHECK(lost(9, WarpSchedulerSlots::memory) > 0);
  CHECK(lost(8, WarpSchedulerSlots::memory) + lost(9, WarpSchedulerSlots::memory) == slots[WarpSchedulerSlots::memory]);
  CHECK(lost(9, WarpSchedulerSlots::memory) > lost(8, WarpSchedulerSlots::memory));
  // All lanes load the same word.
  const LineCounts& lines = run.profile.instructions[pc_of_line(program, 8)].lines;
  CHECK(lines.lines == 1);
  CHECK(lines.misses == 1);
  CHECK(lines.cache == FirstLevel::data);
  const LineCounts& stored = run.profile.instructions[pc_of_line(program, 10)].lines;
  CHECK(stored.lines == 1);
  CHECK(stored.hits + stored.misses + stored.merges == 0);
}

TEST_CASE("warps that wait at a barrier are charged to the barrier") {
  const kernel::Program program = load("reduce.ptx", "reduce_sum");
  const SimulationContext context;
  Gpu gpu("gpu", gpu_with("reconvergence_stack"));
  std::vector<int> values(5000, 3);
  const auto input = gpu.memory().upload("input", std::span<const int>(values));
  const auto sums = gpu.memory().allocate("sums", 80);
  const auto sum = gpu.memory().allocate("sum", 4);
  const std::array<Argument, 4> arguments{input, sums, sum, 5000U};
  const Profiled run = profiled(gpu, make_launch(program, {20}, {256}, arguments));
  check_sums(run);
  std::uint64_t at_barriers = 0;
  for (std::size_t pc = 0; pc < run.profile.instructions.size(); ++pc) {
    const std::uint64_t lost = run.profile.instructions[pc].lost[WarpSchedulerSlots::barrier];
    if (lost == 0) continue;
    CHECK(program.instructions[pc].opcode == kernel::Opcode::bar);
    at_barriers += lost;
  }
  CHECK(at_barriers > 0);
}

TEST_CASE("under any scheme, the sums of a profile match the counters") {
  const auto scheme = GENERATE(from_range(schemes));
  CAPTURE(scheme);
  const kernel::Program program = load("collatz.ptx", "collatz");
  const SimulationContext context;
  Gpu gpu("gpu", gpu_with(scheme));
  std::vector<unsigned> start(500);
  std::iota(start.begin(), start.end(), 1U);
  const auto device_start = gpu.memory().upload("start", std::span<const unsigned>(start));
  const auto device_steps = gpu.memory().allocate("steps", 2000);
  const std::array<Argument, 3> arguments{device_start, device_steps, 500U};
  const Launch launch = make_launch(program, {4}, {128}, arguments);
  const Profiled first = profiled(gpu, launch);
  check_sums(first, scheme == "mimd");
  const std::uint64_t divergent = total(first.profile, [](const auto& one) { return one.divergent; });
  if (scheme == "reconvergence_stack") {
    CHECK(divergent == first.totals.of<ReconvergenceStackStatistics>().divergent_branches);
    CHECK(divergent > 0);
  }
  if (scheme == "convergence_barrier") {
    CHECK(divergent == first.totals.of<ConvergenceBarrierStatistics>().divergent_branches);
    CHECK(divergent > 0);
  }
  if (scheme == "subwarp_interleaving") {
    CHECK(divergent == first.totals.of<SubwarpInterleavingStatistics>().divergent_branches);
    CHECK(divergent > 0);
  }

  // The profile of a second run is added.
  Profiled both = profiled(gpu, launch);
  both.profile += first.profile;
  check_sums(both, scheme == "mimd");
}

TEST_CASE("a launch with a profile takes the same cycles as without") {
  const auto scheme = GENERATE(from_range(schemes));
  CAPTURE(scheme);
  const kernel::Program program = load("collatz.ptx", "collatz");
  std::vector<unsigned> start(500);
  std::iota(start.begin(), start.end(), 1U);
  const auto totals = [&](bool profile) {
    const SimulationContext context;
    Gpu gpu("gpu", gpu_with(scheme));
    const auto device_start = gpu.memory().upload("start", std::span<const unsigned>(start));
    const auto device_steps = gpu.memory().allocate("steps", 2000);
    const std::array<Argument, 3> arguments{device_start, device_steps, 500U};
    const Launch launch = make_launch(program, {4}, {128}, arguments);
    REQUIRE(run_recorded(gpu, launch, {}, {profile, profile ? 100U : 0U}).completed);
    return gpu.totals();
  };
  const Statistics on = totals(true);
  const Statistics off = totals(false);
  CHECK(on.of<GpuStatistics>() == off.of<GpuStatistics>());
  CHECK(on.of<WarpSchedulerStatistics>() == off.of<WarpSchedulerStatistics>());
  CHECK(on.of<L2CacheStatistics>() == off.of<L2CacheStatistics>());
}

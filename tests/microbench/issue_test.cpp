// SPDX-License-Identifier: Apache-2.0
// Issue order: scheduler policies, divergence, occupancy.

#include <algorithm>
#include <catch2/catch.hpp>

#include "models/kernel/decode/load_program.hpp"
#include "tests/microbench/microbench.hpp"

namespace reconverge::tests {
namespace {

constexpr unsigned warps = 6;
constexpr unsigned run_length = 8;

/// For each warp, the values that it read from the clock in two runs of eight instructions, in program order.
std::vector<std::vector<std::uint32_t>> readings(WarpSchedulerPolicy policy, std::uint64_t active_warps = 8) {
  GpuParameters parameters = plain_machine();
  parameters.sm.scheduler.count = 1;
  parameters.sm.scheduler.dispatch = 1;
  parameters.sm.scheduler.policy = policy;
  parameters.sm.scheduler.active_warps = active_warps;
  const Measurement measurement = run({"policies", "readings", 1, warps * 32}, 0, parameters);
  std::vector<std::vector<std::uint32_t>> clocks(warps);
  for (unsigned warp = 0; warp < warps; ++warp) {
    const auto first = measurement.words.begin() + warp * 2 * run_length;
    clocks[warp].assign(first, first + 2 * run_length);
  }
  return clocks;
}

/// Cycles from the first reading of a run to the last.
std::uint32_t length(const std::vector<std::uint32_t>& clocks, unsigned run) {
  return clocks[run * run_length + run_length - 1] - clocks[run * run_length];
}

}  // namespace

TEST_CASE("greedy then oldest: no warp interrupts the run of another") {
  const auto clocks = readings(WarpSchedulerPolicy::greedy_then_oldest);
  for (unsigned warp = 0; warp < warps; ++warp) {
    CAPTURE(warp);
    CHECK(length(clocks[warp], 0) == run_length - 1);
    CHECK(length(clocks[warp], 1) == run_length - 1);
  }
}

TEST_CASE("oldest first: an older warp that can issue interrupts a younger warp") {
  const auto clocks = readings(WarpSchedulerPolicy::oldest_first);
  CHECK(length(clocks[0], 0) == run_length - 1);
  CHECK(length(clocks[0], 1) == run_length - 1);
  const Cycle latency = plain_machine().sm.lanes.alu_latency;
  // While warp 0 waits for its addition, warp 1 issues eight readings and an addition, and warp 2 gets the remaining
  // issue slots.
  const std::uint32_t begin = clocks[0][0];
  CHECK(clocks[0][run_length] - clocks[0][run_length - 1] > latency);
  for (unsigned warp = 1; warp < warps; ++warp) {
    for (const std::uint32_t clock : clocks[warp]) {
      const bool in_first = clock >= begin && clock < begin + run_length;
      const bool in_second = clock >= clocks[0][run_length] && clock <= clocks[0].back();
      CHECK_FALSE(in_first);
      CHECK_FALSE(in_second);
    }
  }
  const bool interrupted = std::any_of(clocks.begin(), clocks.end(), [&](const auto& one) {
    return one[0] < clocks[0][run_length] && one[run_length - 1] > clocks[0].back();
  });
  CHECK(interrupted);
}

TEST_CASE("loose round robin: warps that can issue take turns") {
  const auto clocks = readings(WarpSchedulerPolicy::loose_round_robin);
  for (unsigned warp = 0; warp < warps; ++warp) {
    CAPTURE(warp);
    for (unsigned i = 1; i < run_length; ++i) CHECK(clocks[warp][i] - clocks[warp][i - 1] == warps);
  }
}

TEST_CASE("two level: the active warps take turns, and the others wait to become active") {
  // Departure: a scheduler whose active warps all wait does not activate warps that can issue. The launch may hang.
  const unsigned active = GENERATE(1U, 2U, 3U);
  const auto clocks = readings(WarpSchedulerPolicy::two_level, active);
  for (unsigned warp = 0; warp < warps; ++warp) {
    CAPTURE(active, warp);
    for (unsigned i = 1; i < run_length; ++i) CHECK(clocks[warp][i] - clocks[warp][i - 1] == active);
    // The warps of the next group start after both runs of the previous one.
    if (warp >= active) CHECK(clocks[warp][0] > clocks[warp - active].back());
  }
}

TEST_CASE("each path of a switch takes the same time") {
  GpuParameters parameters = plain_machine();
  parameters.sm.lanes.alu_latency = GENERATE(4U, 11U);
  parameters.sm.lanes.branch_latency = GENERATE(6U, 30U);
  const auto each = [&](std::uint32_t sides) {
    const Growth growth = tests::growth({"switch", "sides", 1, 32, sides}, 5, 15, parameters);
    CHECK(growth.totals.of<WarpSchedulerStatistics>().active_lanes[32 / sides] >= 10 * 8 * sides);
    return growth.cycles;
  };
  const Cycle latency = parameters.sm.lanes.alu_latency;
  const Cycle side = 7 * latency + std::max<Cycle>(latency, parameters.sm.lanes.branch_latency);
  const Cycle one = each(1);
  for (const std::uint32_t sides : {2U, 4U, 8U}) CHECK(each(sides) - one == 10 * (sides - 1) * side);
}

TEST_CASE("with a pc for each lane, further paths of a switch take no time") {
  GpuParameters parameters = plain_machine();
  parameters.sm.scheme = {"mimd"};
  const auto cycles = [&](std::uint32_t sides) {
    return growth({"switch", "sides", 1, 32, sides}, 5, 15, parameters).cycles;
  };
  const Cycle one = cycles(1);
  for (const std::uint32_t sides : {2U, 4U, 8U}) CHECK(cycles(sides) == one);
}

TEST_CASE("blocks that do not fit wait for the next wave") {
  // A block has one warp, which runs a dependent chain. So resident blocks do not delay each other.
  GpuParameters parameters = plain_machine();
  Microbench bench{"chains", "single"};
  constexpr std::uint32_t iterations = 50;
  unsigned fits = 0;
  SECTION("by block slots") {
    fits = GENERATE(1U, 3U, 8U);
    parameters.sm.block_slots = fits;
  }
  SECTION("by warp slots") {
    fits = GENERATE(2U, 5U);
    bench.threads = 96;
    parameters.sm.warp_slots = 3 * fits + 2;
  }
  SECTION("by shared memory") {
    fits = GENERATE(2U, 5U);
    bench.dynamic_shared_bytes = 3000;
    parameters.sm.shared_memory = 3000 * fits + 2999;
  }
  SECTION("by registers") {
    fits = GENERATE(2U, 5U);
    bench.threads = 128;
    const auto program = kernel::load_program(
        std::string(RECONVERGE_SOURCE_DIR) + "/platforms/kernels/microbench/chains.ptx", bench.entry);
    parameters.sm.register_file.registers = (fits + 1) * bench.threads * program.registers - 1;
  }
  const auto cycles = [&](std::uint32_t blocks) {
    bench.blocks = blocks;
    return run(bench, iterations, parameters).cycles;
  };
  const Cycle one_block = cycles(1);
  for (const std::uint32_t blocks : {1U, fits, fits + 1, 2 * fits, 2 * fits + 1, 4 * fits}) {
    const std::uint32_t waves = (blocks + fits - 1) / fits;
    CAPTURE(fits, blocks);
    // The tolerance covers that one block starts each cycle and that warps share issue slots.
    CHECK(within(double(cycles(blocks)), double(waves * one_block), 4));
  }
}

TEST_CASE("a wave has as many blocks as fit all SMs") {
  GpuParameters parameters = plain_machine();
  parameters.sms = GENERATE(1U, 3U, 8U);
  parameters.sm.block_slots = 2;
  const auto cycles = [&](std::uint64_t blocks) {
    return run({"chains", "single", static_cast<std::uint32_t>(blocks)}, 50, parameters).cycles;
  };
  const Cycle one_block = cycles(1);
  const std::uint64_t fits = 2 * parameters.sms;
  for (const std::uint64_t blocks : {fits, fits + 1, 3 * fits}) {
    CAPTURE(parameters.sms, blocks);
    CHECK(within(double(cycles(blocks)), double((blocks + fits - 1) / fits * one_block), 4));
  }
}

}  // namespace reconverge::tests

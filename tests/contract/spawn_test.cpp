// SPDX-License-Identifier: Apache-2.0
// Threads that threads create, on a machine with dynamic micro-kernels: each starts once, its state is passed on, and
// all machines leave the same memory.

#include <catch2/catch.hpp>
#include <cstring>

#include "blocks/dynamic_microkernel.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "tests/contract/books.hpp"
#include "tests/contract/spawn_cases.hpp"
#include "tests/repetition.hpp"

namespace reconverge::contract {
namespace {

struct Wanted {
  std::vector<std::uint32_t> words;  // by thread of the grid
  std::uint64_t spawned = 0;
};

Wanted collatz(const Case& test_case) {
  Wanted wanted;
  for (std::uint64_t thread = 0; thread < test_case.threads(); ++thread) {
    std::uint32_t value = test_case.input[thread % input_words] % 200 + 1;
    std::uint32_t steps = 0;
    for (; value != 1; ++steps) value = value % 2 == 0 ? value / 2 : 3 * value + 1;
    wanted.words.push_back(steps);
    // One thread at the start, one for each step, and one more through another micro-kernel for steps at odd values.
    wanted.spawned += 1 + steps;
  }
  return wanted;
}

std::vector<std::uint32_t> words_of(const Outcome& outcome, std::size_t count) {
  std::vector<std::uint32_t> words(count);
  std::memcpy(words.data(), outcome.memory.data(), 4 * count);
  return words;
}

TimedOutcome check_run(const Case& test_case, const GpuParameters& parameters, const Wanted& wanted) {
  const TimedOutcome run = run_timed(test_case, parameters);
  CHECK(words_of(run, wanted.words.size()) == wanted.words);
  const auto& counts = run.totals.of<DynamicMicrokernelStatistics>();
  CHECK(counts.threads_spawned == wanted.spawned);
  CHECK(counts.states_left == test_case.threads());
  CHECK(counts.full_warps * warp_size + counts.partial_threads == wanted.spawned);
  CHECK(run.totals.of<SmStatistics>().threads_launched == test_case.threads() + wanted.spawned);
  CHECK(run.totals.of<SmStatistics>().warps_launched ==
        test_case.grid.count() * ((test_case.block.count() + warp_size - 1) / warp_size) + counts.full_warps +
            counts.partial_warps);
  CHECK(run.totals.of<GpuStatistics>().blocks_launched == test_case.grid.count());
  check_slots(run.totals, parameters);
  return run;
}

GpuParameters machine(std::uint64_t sms, std::uint64_t warp_slots) {
  GpuParameters parameters;
  parameters.sms = sms;
  parameters.sm.warp_slots = warp_slots;
  parameters.sm.launch_unit = SmLaunchUnit::warp;
  parameters.sm.scheme = {"dynamic_microkernel"};
  return parameters;
}

}  // namespace

TEST_CASE("spawn: every thread runs exactly once on every shape of the machine", "[spawn]") {
  const std::uint64_t sms = GENERATE(1, 3);
  const std::uint64_t warp_slots = GENERATE(1, 2, 7, 64);
  const unsigned threads = GENERATE(20U, 64U);
  const auto unit = GENERATE(SmLaunchUnit::block, SmLaunchUnit::warp);
  if (unit == SmLaunchUnit::block && warp_slots < (threads + 31) / 32) return;
  INFO(sms << " SMs of " << warp_slots << " warp slots, blocks of " << threads);
  const Case test_case = collatz_case({tests::short_form() ? 4U : 12U}, {threads});
  GpuParameters parameters = machine(sms, warp_slots);
  parameters.sm.launch_unit = unit;
  const TimedOutcome run = check_run(test_case, parameters, collatz(test_case));
  CHECK(counters(run_timed(test_case, parameters).totals) == counters(run.totals));
}

TEST_CASE("spawn: on every shape of the contract, and with spawn memory anywhere", "[spawn]") {
  const Case test_case = collatz_case({tests::short_form() ? 3U : 9U}, {96});
  const Wanted wanted = collatz(test_case);
  for (const Shape& shape : shapes()) {
    for (const std::uint64_t on_chip : {std::uint64_t{0}, std::uint64_t{1} << 20U}) {
      GpuParameters parameters = parameters_of(shape, "dynamic_microkernel", test_case);
      INFO(shape.name << ", on chip " << on_chip);
      parameters.sm.schemes.of<DynamicMicrokernelParameters>().on_chip = on_chip;
      const TimedOutcome run = check_run(test_case, parameters, wanted);
      const auto& unit = run.totals.of<LoadStoreStatistics>();
      CHECK(unit.instructions[LoadStoreInstructions::spawn] > run.totals.of<DynamicMicrokernelStatistics>().spawns);
      CHECK((unit.spawn_conflict_cycles > 0) == (on_chip != 0));
    }
  }
}

TEST_CASE("spawn: without bank conflicts accesses of spawn memory take a cycle each", "[spawn]") {
  const Case test_case = collatz_case({8}, {64});
  GpuParameters parameters = machine(1, 8);
  const TimedOutcome with = check_run(test_case, parameters, collatz(test_case));
  parameters.sm.schemes.of<DynamicMicrokernelParameters>().bank_conflicts = false;
  const TimedOutcome without = check_run(test_case, parameters, collatz(test_case));
  CHECK(without.totals.of<LoadStoreStatistics>().spawn_conflict_cycles == 0);
  CHECK(without.totals.of<GpuStatistics>().cycles < with.totals.of<GpuStatistics>().cycles);
}

TEST_CASE("spawn: warps wait for room in a short FIFO, and for each other's spawns", "[spawn]") {
  // Four warps each create a full one, and continue for a while before they leave their slots.
  const Case test_case = once_case({4}, {32}, 32, 100);
  GpuParameters parameters = machine(1, 4);
  parameters.sm.schemes.of<DynamicMicrokernelParameters>().fifo = 2;
  const TimedOutcome run = run_timed(test_case, parameters);
  CHECK(words_of(run, 128) == std::vector<std::uint32_t>(128, 1));
  CHECK(run.totals.of<DynamicMicrokernelStatistics>().full_warps == 4);
  const auto lost = [&](const TimedOutcome& outcome, std::size_t cause) {
    const auto kinds = built_in_schemes();
    const auto* const own =
        *std::ranges::find_if(kinds, [](const SchemeKind* kind) { return kind->part.name == "dynamic_microkernel"; });
    const auto first = static_cast<std::size_t>(first_cause_of(*own, kinds));
    return outcome.totals.of<WarpSchedulerStatistics>().slots.values[first + cause];
  };
  CHECK(lost(run, static_cast<std::size_t>(DynamicMicrokernelCause::spawn_port)) > 0);
  CHECK(lost(run, static_cast<std::size_t>(DynamicMicrokernelCause::new_warp_fifo)) > 0);
}

TEST_CASE("spawn: partial warps start only after all launch warps and all full warps", "[spawn]") {
  // Nine warps of the launch in four slots create 20 threads each: five full warps, and 20 threads remain for the end.
  const Case test_case = once_case({9}, {32}, 20, 1);
  const TimedOutcome run = run_timed(test_case, machine(1, 4));
  const auto& counts = run.totals.of<DynamicMicrokernelStatistics>();
  CHECK(counts.threads_spawned == 180);
  CHECK(counts.full_warps == 5);
  CHECK(counts.partial_warps == 1);
  CHECK(counts.partial_threads == 20);
  CHECK(words_of(run, 180) == std::vector<std::uint32_t>(180, 1));
}

TEST_CASE("spawn: the MIMD ideal has no warps to make, and says so", "[spawn]") {
  GpuParameters parameters = machine(1, 4);
  parameters.sm.scheme = {"mimd", "dynamic_microkernel"};
  CHECK_THROWS_WITH(run_timed(collatz_case({1}, {32}), parameters),
                    Catch::Contains("threads that run alone have no warps to be made of"));
}

}  // namespace reconverge::contract

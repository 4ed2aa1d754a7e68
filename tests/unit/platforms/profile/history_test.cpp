// SPDX-License-Identifier: Apache-2.0
// The values of intervals add up to the final counters.

#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <numeric>
#include <vector>

#include "models/core/simulation_context.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "platforms/machines/gpu/gpu.hpp"
#include "platforms/machines/gpu/history_recorder.hpp"
#include "platforms/profile/recorded_run.hpp"

using namespace reconverge;

namespace {

kernel::Program load(const char* file, const char* entry) {
  return kernel::load_program(std::filesystem::path(RECONVERGE_SOURCE_DIR) / "platforms/kernels" / file, entry);
}

template <typename Counters>
AccessCounts reads(const Statistics& totals) {
  const auto& counters = totals.of<Counters>();
  return {counters.hits + counters.misses + counters.merges, counters.hits};
}

void check_equal(const AccessCounts& counts, const AccessCounts& expected) {
  CHECK(counts.accesses == expected.accesses);
  CHECK(counts.hits == expected.hits);
}

/// Compares the sums over intervals with the counters of the launch.
void check_sums(const RunHistory& history, const Statistics& totals) {
  IntervalCounts all;
  for (const IntervalCounts& one : history.samples) all += one;
  const auto& scheduler = totals.of<WarpSchedulerStatistics>();
  CHECK(all.slots.outcomes == scheduler.slots);
  CHECK(all.slots.issued == scheduler.active_lanes);
  check_equal(all.first_level[0], reads<L1CacheStatistics>(totals));
  check_equal(all.first_level[1], reads<TextureCacheStatistics>(totals));
  check_equal(all.first_level[2], reads<ConstantCacheStatistics>(totals));
  check_equal(all.l2, reads<L2CacheStatistics>(totals));
  const auto& l2 = totals.of<L2CacheStatistics>();
  CHECK(all.memory_bytes == l2.bytes_from_memory + l2.bytes_to_memory);
  CHECK(history.cycles == totals.of<GpuStatistics>().cycles);
}

}  // namespace

TEST_CASE("a launch with more intervals than the limit has longer intervals") {
  const SimulationContext context;
  const GpuParameters parameters;
  HistoryRecorder recorder;
  recorder.begin(Clock(parameters.clock), 0, 3);
  constexpr std::size_t asked = 2 * HistoryRecorder::most_intervals + 5;
  SlotCounts one;
  one.outcomes[WarpSchedulerSlots::empty] = 1;
  for (std::size_t number = 0; number < asked; ++number) recorder.add_slots(number, one);
  recorder.add_slots(1, one);  // a late event
  recorder.finish(3 * asked);
  const RunHistory history = recorder.history();
  CHECK(history.interval == 12);
  REQUIRE(history.samples.size() == (asked + 3) / 4);
  std::uint64_t slots = 0;
  for (std::size_t i = 0; i < history.samples.size(); ++i) {
    slots += history.samples[i].slots.empty();
    if (history.samples[i].begin != 12 * i) FAIL("interval " << i << " begins in cycle " << history.samples[i].begin);
  }
  CHECK(slots == asked + 1);
  CHECK(history.samples[0].slots.empty() == 5);
  CHECK(history.samples.back().slots.empty() == 1);

  recorder.begin(Clock(parameters.clock), 0, 3);
  recorder.add_slots(0, one);
  recorder.finish(3);
  CHECK(recorder.history().interval == 3);
}

TEST_CASE("intervals add up to the counters, and each has all of its issue slots") {
  const auto scheme =
      GENERATE(as<std::string>{}, "reconvergence_stack", "mimd", "thread_block_compaction", "subwarp_interleaving");
  const std::uint64_t interval = GENERATE(1U, 100U, 1'000'000U);
  CAPTURE(scheme, interval);
  const kernel::Program program = load("collatz.ptx", "collatz");
  const SimulationContext context;
  GpuParameters parameters;
  parameters.sms = 2;
  parameters.sm.scheme = {scheme};
  Gpu gpu("gpu", parameters);
  std::vector<unsigned> start(300);
  std::iota(start.begin(), start.end(), 1U);
  const auto device_start = gpu.memory().upload("start", std::span<const unsigned>(start));
  const auto device_steps = gpu.memory().allocate("steps", 1200);
  const std::array<Argument, 3> arguments{device_start, device_steps, 300U};
  const Launch launch = make_launch(program, {5}, {64}, arguments);

  const RecordedRun first = run_recorded(gpu, launch, {}, {false, interval});
  const Statistics once = gpu.totals();
  check_sums(first.history, once);
  CHECK(reads<L2CacheStatistics>(once).accesses > 0);
  const std::uint64_t slots_a_cycle = parameters.sms * parameters.sm.scheduler.count * parameters.sm.scheduler.dispatch;
  const std::vector<IntervalCounts>& samples = first.history.samples;
  REQUIRE(samples.size() == (first.history.cycles + interval - 1) / interval);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    CHECK(samples[i].begin == i * interval);
    const std::uint64_t end = std::min<std::uint64_t>((i + 1) * interval, first.history.cycles);
    CHECK(samples[i].slots.all() == (end - samples[i].begin) * slots_a_cycle);
  }

  // A second launch is recorded separately, and follows the first if both are combined. A concurrent profile has no
  // effect.
  const RecordedRun second = run_recorded(gpu, launch, {}, {true, interval});
  check_sums(second.history, gpu.totals().since(once));
  RunHistory both = first.history;
  both.append(second.history);
  check_sums(both, gpu.totals());
  CHECK(both.samples[samples.size()].begin == first.history.cycles);

  // Nothing is recorded unless requested.
  CHECK(run_recorded(gpu, launch, {}, {}).history.samples.empty());
}

TEST_CASE("events after the last cycle of a launch count in its last interval") {
  // No instruction reads the sum, so its access to the L2 may be after the last cycle.
  const kernel::Program program = kernel::load_program_text(
      ".version 5.0\n.target sm_60\n.address_size 64\n.visible .entry k(.param .u64 k_param_0)\n{\n"
      ".reg .b64 %rd<9>;\nld.param.u64 %rd1, [k_param_0];\nred.global.add.u32 [%rd1], 1;\nret;\n}\n",
      "late.ptx", "k");
  const SimulationContext context;
  Gpu gpu("gpu", GpuParameters());
  const std::array<Argument, 1> arguments{gpu.memory().allocate("sum", 4)};
  const RecordedRun run = run_recorded(gpu, make_launch(program, {1}, {32}, arguments), {}, {false, 1});
  check_sums(run.history, gpu.totals());
  REQUIRE(run.history.samples.size() == run.history.cycles);
  CHECK(run.history.samples.back().l2.accesses == 1);
}

TEST_CASE("a stopped launch has a history up to its last cycle") {
  const kernel::Program program = load("collatz.ptx", "collatz");
  const SimulationContext context;
  GpuParameters parameters;
  parameters.sms = 1;
  Gpu gpu("gpu", parameters);
  gpu.stop_after(250);
  std::vector<unsigned> start(300, 27);
  const auto device_start = gpu.memory().upload("start", std::span<const unsigned>(start));
  const auto device_steps = gpu.memory().allocate("steps", 1200);
  const std::array<Argument, 3> arguments{device_start, device_steps, 300U};
  const RecordedRun run = run_recorded(gpu, make_launch(program, {5}, {64}, arguments), {}, {true, 100});
  CHECK(!run.completed);
  check_sums(run.history, gpu.totals());
  CHECK(run.history.samples.size() == 3);
  std::uint64_t executions = 0;
  for (const ProfiledInstruction& one : run.profile->instructions) executions += one.executions;
  CHECK(executions == gpu.instructions().warp_instructions);
}

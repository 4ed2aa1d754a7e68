// SPDX-License-Identifier: Apache-2.0
// Dynamic micro-kernels: the lifetime of a spawned thread.

#include <algorithm>
#include <catch2/catch.hpp>

#include "blocks/dynamic_microkernel.hpp"
#include "tests/microbench/narrow_machine.hpp"

namespace reconverge::tests {
namespace {

GpuParameters spawning_machine() {
  GpuParameters parameters = plain_machine();
  parameters.sm.scheme = {"dynamic_microkernel"};
  parameters.sm.scheduler.dispatch = 1;
  parameters.sm.schemes.of<DynamicMicrokernelParameters>().state_bytes = 4;
  parameters.sm.schemes.of<DynamicMicrokernelParameters>().on_chip = 1 << 20;
  return parameters;
}

}  // namespace

TEST_CASE("a warp that spawns its successor takes the time of its dependency chain") {
  GpuParameters parameters = spawning_machine();
  parameters.sm.lanes.alu_latency = GENERATE(4, 11);
  parameters.sm.load_store.shared_latency = GENERATE(5, 47);
  parameters.sm.warp_slots = GENERATE(1, 4);
  const Cycle life = 3 * parameters.sm.lanes.alu_latency + 2 * parameters.sm.load_store.shared_latency + 1;
  const Cycle waits = parameters.sm.warp_slots == 1 ? 1 : 0;
  const Growth more = growth({"spawn", "chain"}, 4, 36, parameters);
  CHECK(more.cycles == 32 * (life + waits));
  const auto& counts = more.totals.of<DynamicMicrokernelStatistics>();
  CHECK(counts.spawns == 32);
  CHECK(counts.threads_spawned == 32 * warp_size);
  CHECK(counts.full_warps == 32);
  CHECK(counts.partial_warps == 0);
}

TEST_CASE("states at a stride of the number of banks are accessed one by one") {
  GpuParameters parameters = spawning_machine();
  const Growth apart = growth({"spawn", "chain"}, 4, 36, parameters);
  parameters.sm.schemes.of<DynamicMicrokernelParameters>().state_bytes = 4 * parameters.sm.load_store.shared_banks;
  const Growth together = growth({"spawn", "chain"}, 4, 36, parameters);
  // A thread reads and writes its state once.
  CHECK(together.totals.of<LoadStoreStatistics>().spawn_conflict_cycles == 32 * 2 * (warp_size - 1));
  CHECK(apart.totals.of<LoadStoreStatistics>().spawn_conflict_cycles == 0);
}

TEST_CASE("each spawned thread runs once on any machine") {
  const std::string change =
      GENERATE(as<std::string>{}, "sm.warp_slots=9", "sm.dynamic_microkernel.fifo=1",
               "sm.dynamic_microkernel.on_chip=0 B", "sm.launch_unit=warp", "memory=fixed_latency",
               "sm.scheduler.policy=two_level", "sm.dynamic_microkernel.bank_conflicts=false", "sms=1");
  CAPTURE(change);
  const Measurement measured = run_spawns(narrow_machine({"sm.scheme=dynamic_microkernel", change}));
  CHECK(std::ranges::all_of(measured.words.begin(), measured.words.begin() + spawning_threads,
                            [](std::uint32_t word) { return word == 1; }));
  CHECK(measured.totals.of<DynamicMicrokernelStatistics>().threads_spawned == spawning_threads);
}

}  // namespace reconverge::tests

// What one block sends, another takes: counters of different blocks that count the same agree.

#include <catch2/catch.hpp>
#include <numeric>

#include "tests/microbench/narrow_machine.hpp"

namespace reconverge::tests {

TEST_CASE("every request is answered, and every level takes what the one above sends") {
  const std::string change =
      GENERATE(as<std::string>{}, "sms=2", "sm.l1.capacity=0 B", "sm.l1.write_policy=write_through",
               "sm.load_store.coalescing=lines", "sm.load_store.coalescing=half_warp_segments", "l2.capacity=0 B",
               "l2.write_policy=write_through", "l2.sector=128 B", "dram.policy=fcfs", "dram.clock=2 GHz",
               "crossbar.clock=333 MHz", "sm.scheme=mimd", "sm.scheduler.policy=loose_round_robin");
  const bool alone = GENERATE(false, true);
  CAPTURE(change, alone);
  const GpuParameters parameters = narrow_machine({change});
  const GpuTotals totals = alone ? run_alone(parameters) : run_medley(parameters);
  const auto& l1 = totals.l1;
  const auto& l2 = totals.l2;
  const auto& dram = totals.dram;
  // Load/store unit to first level.
  CHECK(totals.load_store.line_requests == l1.hits + l1.misses + l1.merges + l1.writes);
  // First level to crossbar: at least all that missed or was written, and the lines written back.
  CHECK(totals.crossbar.requests >= l1.misses + l1.write_backs);
  CHECK(totals.crossbar.requests <= l1.misses + l1.write_backs + l1.writes + totals.instruction_cache.misses);
  CHECK(totals.crossbar.replies == totals.crossbar.requests);
  // Crossbar to second level, and back.
  CHECK(totals.crossbar.requests == l2.hits + l2.misses + l2.merges + l2.writes);
  CHECK(l2.sector_misses <= l2.misses);
  // Second level to memory.
  CHECK(dram.row_hits + dram.row_misses + dram.row_conflicts == dram.reads + dram.writes);
  CHECK(dram.bursts * parameters.dram.burst_bytes == l2.bytes_from_memory + l2.bytes_to_memory);
  CHECK(dram.busy_cycles == dram.bursts * parameters.dram.burst_cycles);
  // Threads and issue slots.
  CHECK(totals.sm.threads_launched == (alone ? 16U : 8U) * 96U);
  const auto& slots = totals.scheduler.slots.values;
  CHECK(std::accumulate(slots.begin(), slots.end(), std::uint64_t{0}) ==
        totals.gpu.cycles * parameters.sms * parameters.sm.scheduler.count * parameters.sm.scheduler.dispatch);
}

}  // namespace reconverge::tests

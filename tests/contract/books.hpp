#pragma once
/// What has to add up after every run.

#include <catch2/catch.hpp>

#include "testbenches/contract/machines.hpp"

namespace reconverge::contract {

/// Every issue slot of every cycle is charged once, and every issued instruction has its lanes.
inline void check_slots(const Statistics& totals, const GpuParameters& parameters) {
  const auto& scheduler = parameters.sm.scheduler;
  CHECK(sum(totals.of<WarpSchedulerStatistics>().slots.values) ==
        totals.of<GpuStatistics>().cycles * parameters.sms * scheduler.count * scheduler.dispatch);
  CHECK(sum(totals.of<WarpSchedulerStatistics>().active_lanes) ==
        totals.of<WarpSchedulerStatistics>().slots[WarpSchedulerSlots::issued]);
}

/// The same; and all threads of the grid ran, once.
inline void check_books(const TimedOutcome& run, const Outcome& expected, const Case& test_case,
                        const GpuParameters& parameters) {
  CHECK(run.thread_instructions == expected.thread_instructions);
  CHECK(run.totals.of<SmStatistics>().threads_launched == test_case.threads());
  CHECK(run.totals.of<GpuStatistics>().blocks_launched == test_case.grid.count());
  check_slots(run.totals, parameters);
}

}  // namespace reconverge::contract

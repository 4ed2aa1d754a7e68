// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Sums that must hold after every run.

#include <catch2/catch.hpp>

#include "testbenches/contract/machines.hpp"

namespace reconverge::contract {

/// Checks that every issue slot of every cycle is charged once and that the lanes of issued instructions add up.
inline void check_slots(const Statistics& totals, const GpuParameters& parameters) {
  const auto& scheduler = parameters.sm.scheduler;
  CHECK(sum(totals.of<WarpSchedulerStatistics>().slots.values) ==
        totals.of<GpuStatistics>().cycles * parameters.sms * scheduler.count * scheduler.dispatch);
  CHECK(sum(totals.of<WarpSchedulerStatistics>().active_lanes) ==
        totals.of<WarpSchedulerStatistics>().slots[WarpSchedulerSlots::issued]);
}

/// The same, and that every thread of the grid ran exactly once.
inline void check_books(const TimedOutcome& run, const Outcome& expected, const Case& test_case,
                        const GpuParameters& parameters) {
  CHECK(run.thread_instructions == expected.thread_instructions);
  CHECK(run.totals.of<SmStatistics>().threads_launched == test_case.threads());
  CHECK(run.totals.of<GpuStatistics>().blocks_launched == test_case.grid.count());
  check_slots(run.totals, parameters);
}

}  // namespace reconverge::contract

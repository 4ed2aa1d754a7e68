// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A subwarp scheduler without an SM.

#include "models/core/elaborate.hpp"
#include "models/core/simulation_context.hpp"
#include "models/schemes/subwarp_interleaving/subwarp_scheduler.hpp"

namespace reconverge::tests {

struct SchedulerAlone {
  SimulationContext context;
  SubwarpScheduler unit;

  explicit SchedulerAlone(std::uint32_t warps = 8, unsigned entries = 32, SelectTrigger trigger = SelectTrigger::any)
      : unit("unit", warps, entries, trigger) {
    elaborate();
    unit.begin();
  }

  ThreadState state(std::uint32_t warp, unsigned entry) const { return unit.table().entry(warp, entry).state; }
  /// Sets the state of a warp's entries, and ends the cycle.
  void set(std::uint32_t warp, EntryMask entries, ThreadState state) {
    unit.set(warp, entries, state);
    unit.step();
  }
  /// Entries stall for `count` results of the scoreboard. Ends the cycle.
  void stall(std::uint32_t warp, EntryMask entries, std::uint8_t scoreboard, std::uint8_t count) {
    unit.stall(warp, entries, scoreboard, count);
    unit.step();
  }
  /// Writes one result, and ends the cycle.
  void write_back(const WriteBack& result) {
    unit.write_back(0, result);
    unit.step();
  }
  /// Accepts the offer for the entries `peers`, and ends the cycle.
  void take(EntryMask peers) {
    unit.take(peers);
    unit.step();
  }
};

}  // namespace reconverge::tests

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Waits for the end of a launch, on machines whose host runs pass after pass.

#include <algorithm>
#include <exception>

#include "models/core/cycle.hpp"
#include "models/core/error.hpp"
#include "platforms/machine.hpp"

namespace reconverge {

/// A launch in progress, and the conditions that end it early.
struct WatchedLaunch {
  /// Cycles between calls of `keep_going`.
  static constexpr Cycle interval = 100'000;

  const Launch& launch;
  const KeepGoing& keep_going;
  Cycle most_cycles = 0;  ///< 0: no limit
};

/// Lets time pass until the launch that `processor` has begun ends; false: `keep_going` has stopped it, or
/// `most_cycles` have passed. Sets `stopped` if no further launch is possible. `threads_ended` counts threads of the
/// launch for the progress. Rethrows errors of the launch.
template <typename Processor, typename ThreadsEnded>
bool wait_for_end(const Processor& processor, const WatchedLaunch& watched, const ThreadsEnded& threads_ended,
                  bool& stopped) {
  const auto& [launch, keep_going, most_cycles] = watched;
  const Clock& clock = processor.clock();
  const Cycle start = clock.now();
  while (!processor.ended()) {
    // A pass may take longer than the interval: time then advances to its end.
    const sc_core::sc_time next =
        sc_core::sc_pending_activity() ? sc_core::sc_time_to_pending_activity() : sc_core::SC_ZERO_TIME;
    const sc_core::sc_time step = std::max(clock.time(WatchedLaunch::interval), next);
    const sc_core::sc_time left = most_cycles == 0 ? step : clock.time(start + most_cycles) - sc_core::sc_time_stamp();
    if (left < next) {
      sc_core::sc_start(left);
    } else {
      sc_core::sc_start(std::min(step, left), sc_core::SC_EXIT_ON_STARVATION);
    }
    if (processor.error()) {
      stopped = true;
      std::rethrow_exception(processor.error());
    }
    if (processor.ended()) continue;
    const Cycle cycles = clock.now() - start;
    const std::uint64_t blocks = threads_ended() / launch.threads_per_block();
    stopped = (keep_going && !keep_going({cycles, blocks, launch.grid.count()})) ||
              (most_cycles != 0 && cycles >= most_cycles);
    if (stopped) return false;
  }
  return true;
}

}  // namespace reconverge

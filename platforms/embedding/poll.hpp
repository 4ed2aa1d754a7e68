// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Calls a host's progress function during a run, some times a second.

#include <chrono>
#include <optional>

#include "platforms/run_control.hpp"

namespace reconverge::embedding {

/// For Machine::ask_every: a tenth of a second for a GPU of 15 SMs on one core, so that a stop takes no longer.
inline constexpr Cycle cycles_between_questions = 2'000;

/// Machines ask far more often than a host wants to be called. The first question always reaches the host.
class Poll {
 public:
  /// `keep_running` may be empty. It must not throw: exceptions do not pass through a simulation.
  explicit Poll(KeepRunning keep_running) : keep_running_(std::move(keep_running)) {}

  /// False stops the run; from then on the answer is false.
  bool operator()(const RunProgress& progress);
  bool stopped() const { return stopped_; }

 private:
  using HostClock = std::chrono::steady_clock;

  KeepRunning keep_running_;
  std::optional<HostClock::time_point> last_;
  bool stopped_ = false;
};

}  // namespace reconverge::embedding

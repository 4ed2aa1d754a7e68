// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Limits of a run, from the command line. They change the report only if they stop the run.

#include <CLI/CLI.hpp>
#include <chrono>
#include <optional>

#include "models/core/cycle.hpp"
#include "platforms/cli/interrupt.hpp"
#include "platforms/machine_kind.hpp"

namespace reconverge::cli {

struct RunLimits {
  Cycle cycles = 0;    ///< simulated, of all launches together; 0: no limit
  double seconds = 0;  ///< of host time; 0: no limit
};

/// The options --max-cycles and --max-seconds.
void add_limit_options(CLI::App& command, RunLimits& limits);

/// Throws InputError if the machine counts no cycles and so cannot obey a limit on them.
void check_limits(const RunLimits& limits, const MachineKind& machine);

/// The limits of a run that starts at construction.
class LimitWatch {
 public:
  /// The process ends if the time is up before the end of the preparation.
  explicit LimitWatch(const RunLimits& limits) : limits_(limits) {
    if (limits.seconds != 0) preparation_.emplace(limits.seconds);
  }

  /// Ends the preparation: from now on there is something to report.
  void end_preparation() { preparation_.reset(); }

  Cycle most_cycles() const { return limits_.cycles; }
  bool time_is_up() const {
    if (limits_.seconds == 0) return false;
    return std::chrono::duration<double>(HostClock::now() - start_).count() >= limits_.seconds;
  }

 private:
  using HostClock = std::chrono::steady_clock;

  RunLimits limits_;
  HostClock::time_point start_ = HostClock::now();
  std::optional<Deadline> preparation_;
};

}  // namespace reconverge::cli

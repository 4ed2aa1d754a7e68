#pragma once
/// What a run may take at most: limits of the command line, which leave no trace in a report that they did not stop.

#include <CLI/CLI.hpp>
#include <chrono>
#include <optional>

#include "blocks/experiment.hpp"
#include "models/core/cycle.hpp"
#include "platforms/cli/interrupt.hpp"

namespace reconverge::cli {

struct RunLimits {
  Cycle cycles = 0;    ///< simulated, of all launches together; 0: any number
  double seconds = 0;  ///< of the host's clock; 0: any number
};

/// The options --max-cycles and --max-seconds.
void add_limit_options(CLI::App& command, RunLimits& limits);

/// Throws InputError where the machine counts no cycles that a limit could end.
void check_limits(const RunLimits& limits, ExperimentMachine machine);

/// The limits of a run that begins when this is made.
class LimitWatch {
 public:
  /// Until the end of the preparation, the process ends where the time is up.
  explicit LimitWatch(const RunLimits& limits) : limits_(limits) {
    if (limits.seconds != 0) preparation_.emplace(limits.seconds);
  }

  /// From now on there is something to report.
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

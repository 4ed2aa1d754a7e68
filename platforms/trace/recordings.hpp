// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Optional files that record a run cycle by cycle, in addition to its report.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "models/core/cycle_window.hpp"
#include "models/cosim/twin/waves.hpp"
#include "platforms/machine.hpp"
#include "platforms/report/lone_file.hpp"
#include "platforms/trace/sm_trace.hpp"
#include "platforms/trace/warp_log.hpp"

namespace reconverge::trace {

struct RecordedFiles {
  std::string wave;  ///< a waveform file; empty: none
  CycleWindow wave_window{0, 9'999};
  std::string trace;  ///< a trace for Perfetto; empty: none
  CycleWindow trace_window{0, 9'999};
  std::string log;  ///< a text log of the warps' actions; empty: none
  CycleWindow log_window{0, 9'999};

  bool any() const { return !wave.empty() || !trace.empty() || !log.empty(); }
};

/// Parses FIRST:LAST, the value of the named option. Throws InputError.
CycleWindow read_window(const std::string& option, const std::string& text);

class Recordings {
 public:
  /// Throws InputError if this build cannot write such a file, and report::OutputError if its path is not writable;
  /// `force` as in report::check_place. Must outlive the machine.
  Recordings(const RecordedFiles& options, bool force);

  /// Prepares the machine before its first launch.
  PrepareMachine prepare();

  /// Writes all files of the run that has this report.json; each appears complete or not at all. Throws
  /// report::OutputError, after it has tried all others.
  void write(std::string_view json_report);

  /// For a run that failed because of its program: writes the log up to the failure and returns its path, or why it
  /// could not be written. Empty without a log.
  std::string write_log_of_error();

 private:
  /// Throws InputError for a machine that cannot be observed.
  static void observe(Machine& machine, std::string_view option, RunObserver& observer);
  void write_wave();
  void write_trace(std::string_view json_report);
  void write_log();

  RecordedFiles options_;
  bool force_;
  std::unique_ptr<twin::Waves> waves_;
  std::unique_ptr<SmTrace> trace_;
  std::optional<report::LoneStream> log_file_;
  std::unique_ptr<WarpLog> log_;
};

}  // namespace reconverge::trace

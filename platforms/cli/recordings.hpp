#pragma once
/// Files in which a run is seen cycle by cycle, beside its report, when somebody asks for them.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "models/core/cycle_window.hpp"
#include "models/twin/waves.hpp"
#include "platforms/machine.hpp"
#include "platforms/report/lone_file.hpp"
#include "platforms/trace/sm_trace.hpp"
#include "platforms/trace/warp_log.hpp"

namespace reconverge::cli {

struct RecordedFiles {
  std::string wave;  ///< a waveform file; empty: none
  CycleWindow wave_window{0, 9'999};
  std::string trace;  ///< a trace for Perfetto; empty: none
  CycleWindow trace_window{0, 9'999};
  std::string log;  ///< a text file of what warps do; empty: none
  CycleWindow log_window{0, 9'999};

  bool any() const { return !wave.empty() || !trace.empty() || !log.empty(); }
};

/// FIRST:LAST of the option of that name. Throws InputError.
CycleWindow read_window(const std::string& option, const std::string& text);

class Recordings {
 public:
  /// Throws InputError when this build cannot write such a file, and report::OutputError where it has no place; `force`
  /// as report::check_place has it. Must outlive the machine.
  Recordings(const RecordedFiles& options, bool force);

  /// What is to be done with the machine before its first launch.
  PrepareMachine prepare();

  /// Writes all files of a run whose report.json is this one; each appears whole or not at all. Throws
  /// report::OutputError, after all others have been tried.
  void write(std::string_view json_report);

  /// Of a run that its program ended: writes the log as far as it goes, and returns where it is, or why it could not be
  /// written. Empty: there is none.
  std::string write_log_of_error();

 private:
  /// Throws InputError for a machine that tells nothing.
  static void observe(Machine& machine, std::string_view option, RunObserver& observer);
  void write_wave();
  void write_trace(std::string_view json_report);
  void write_log();

  RecordedFiles options_;
  bool force_;
  std::unique_ptr<twin::Waves> waves_;
  std::unique_ptr<trace::SmTrace> trace_;
  std::optional<report::LoneStream> log_file_;
  std::unique_ptr<trace::WarpLog> log_;
};

}  // namespace reconverge::cli

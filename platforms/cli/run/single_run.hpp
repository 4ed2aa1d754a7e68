// SPDX-License-Identifier: Apache-2.0
#pragma once
/// One experiment, from its file to its report.

#include <cstdint>
#include <string>
#include <vector>

#include "platforms/checkpoint/checkpoint.hpp"
#include "platforms/cli/exit_code.hpp"
#include "platforms/cli/run/experiment.hpp"
#include "platforms/cli/run/progress.hpp"
#include "platforms/cli/run/run_limits.hpp"
#include "platforms/trace/recordings.hpp"

namespace reconverge::cli {

struct RunOptions {
  ExperimentFile experiment;
  std::string folder;  ///< of the report; empty: out/<name>
  bool force = false;  ///< also write into a folder that holds other files
  bool quiet = false;  ///< print errors only
  RunLimits limits;
  trace::RecordedFiles recordings = {};
  CheckpointOptions checkpoint = {};
  bool json = false;                           ///< print report.json only
  std::vector<std::string> source_roots = {};  ///< folders below which sources of programs may be read
  unsigned threads = 1;                        ///< of the host; results do not depend on it
};

/// Whether a run prints the table of its report.
enum class Tables : std::uint8_t {
  all,
  unsuccessful  ///< one of several runs: it has a row in the collected table instead
};

/// How a run is displayed. Does not affect what is written.
struct RunDisplay {
  ProgressSink progress;  ///< empty: no progress display
  bool brief = false;     ///< short form of the progress
  Tables tables = Tables::all;
};

/// Runs and reports. Throws as `execute` expects.
ExitCode run_experiment(const RunOptions& options, const RunDisplay& display);

/// The same, unless the run's folder already holds its report: complete, with every check passed, from this command,
/// these inputs and this same program.
ExitCode run_unless_done(const RunOptions& options, const RunDisplay& display);

/// Checks everything that does not need the run itself: configuration, programs, scene, buffers, whether the platform
/// can be built and holds every kernel, and whether the folder is writable. Leaves no files. Throws InputError and
/// report::OutputError.
void check_run(const RunOptions& options);

}  // namespace reconverge::cli

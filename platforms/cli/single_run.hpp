#pragma once
/// One experiment, from its file to its report.

#include <cstdint>
#include <string>
#include <vector>

#include "platforms/cli/commands.hpp"
#include "platforms/cli/progress.hpp"
#include "platforms/cli/recordings.hpp"
#include "platforms/cli/run_limits.hpp"

namespace reconverge::cli {

struct RunOptions {
  ExperimentFile experiment;
  std::string folder;  ///< of the report; empty: out/<name>
  bool force = false;  ///< write into a folder that holds other files
  bool quiet = false;  ///< print nothing but errors
  RunLimits limits;
  RecordedFiles recordings = {};
  bool json = false;                           ///< print only report.json
  std::vector<std::string> source_roots = {};  ///< below which sources of programs may be read
};

/// Which runs print the table of their report.
enum class Tables : std::uint8_t {
  all,
  unsuccessful  ///< one of several runs: a row of the collected table stands for the others
};

/// How a run shows itself. Nothing here decides what is written.
struct RunDisplay {
  ProgressSink progress;  ///< empty: no progress is shown
  bool brief = false;     ///< progress in a few characters
  Tables tables = Tables::all;
};

/// Runs and reports. Throws as `execute` expects it.
ExitCode run_experiment(const RunOptions& options, const RunDisplay& display);

/// The same, unless the folder of the run holds its report already: whole, with every check passed, of this command,
/// these inputs and this very program.
ExitCode run_unless_done(const RunOptions& options, const RunDisplay& display);

/// All that can be found without the run itself: configuration, programs, scene, buffers, whether the platform can be
/// built and holds every kernel, whether the folder takes the report. Leaves nothing behind. Throws InputError and
/// report::OutputError.
void check_run(const RunOptions& options);

}  // namespace reconverge::cli

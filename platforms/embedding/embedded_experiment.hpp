// SPDX-License-Identifier: Apache-2.0
#pragma once
/// An experiment in the hands of a host: load, set, validate, run.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/cycle.hpp"
#include "models/core/error.hpp"
#include "platforms/cli/run/experiment.hpp"
#include "platforms/report/output_folder.hpp"
#include "platforms/run_control.hpp"

namespace reconverge::embedding {

/// Runs `action`; messages about values that were set do not name an option of the command line.
template <typename Action>
auto without_option(const Action& action) {
  constexpr std::string_view option = "--set ";
  try {
    return action();
  } catch (const InputError& error) {
    if (!error.location().file.starts_with(option)) throw;
    throw InputError({}, std::string_view(error.what()).substr(option.size()));
  }
}

/// What a host decides about a run.
struct ExperimentRun {
  std::string folder;  ///< for the files of the report; empty: none are written
  bool force = false;  ///< also write into a folder that holds other files
  unsigned threads = 1;
  Cycle most_cycles = 0;          ///< of all launches together; 0: no limit
  KeepRunning keep_running = {};  ///< polled some times a second; false stops the run
};

struct ExperimentReport {
  std::string json;                         ///< `report.json`
  std::string table;                        ///< as the program prints it
  std::string printed;                      ///< by kernels
  bool partial = false;                     ///< stopped before its end
  bool passed = false;                      ///< all checks of the report
  std::vector<std::string> warnings;        ///< about programs and parameters
  std::vector<report::OutputFile> outputs;  ///< the picture, and outputs of launches; without tails
};

struct Validation {
  std::string json;  ///< as `reconverge validate --json` prints it
  std::vector<std::string> warnings;
};

class EmbeddedExperiment {
 public:
  /// With the plugins that are loaded now. Throws InputError.
  explicit EmbeddedExperiment(std::string file);
  /// The same from YAML; `name` is its file's name in messages, and paths are relative to the folder of `name`.
  EmbeddedExperiment(std::string yaml, std::string name);

  const std::string& name() const { return experiment_.parameters.name; }
  /// Gives a parameter, or a value within a section such as `launches.saxpy.block`, another value. Throws InputError,
  /// and then changes nothing.
  void set(std::string_view path, std::string_view value);
  /// The value of a parameter: `48 KiB`. Throws InputError, with the nearest name.
  std::string get(std::string_view path) const;
  std::span<const configuration::Entry> parameters() const { return experiment_.configuration.entries(); }
  /// YAML that loads to the same parameters, with the origin of each.
  std::string dump() const { return configuration::dump(experiment_.configuration); }

  /// Checks everything except the run itself. Throws InputError and ExecutionError.
  Validation validate() const;
  /// Runs to its end, unless the host stops it. Throws InputError, ExecutionError, and report::OutputError if a file
  /// cannot be written.
  ExperimentReport run(const ExperimentRun& wanted) const;
  /// The same, if no other simulation of this process runs meanwhile (turn.hpp).
  ExperimentReport run_in_turn(const ExperimentRun& wanted) const;

 private:
  cli::Experiment experiment_;
};

}  // namespace reconverge::embedding

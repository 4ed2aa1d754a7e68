// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Runs a CUDA program on a simulated GPU, once or under several settings (docs/cuda.md).

#include <string>
#include <vector>

#include "platforms/cli/exit_code.hpp"
#include "platforms/cli/run/several_plan.hpp"
#include "platforms/cuda/settings.hpp"

namespace reconverge::cli {

struct ProgramRuns {
  /// `each.experiment.file`: the platform, or the name of a shipped one.
  SeveralRunsOptions options;
  std::vector<std::string> command;  ///< the program and its arguments
};

/// The settings for the program's process, with absolute paths.
cuda::Settings settings_of(const RunOptions& run, const std::string& program);

/// Checks the settings and prints warnings. Throws InputError and report::OutputError.
cuda::ConfiguredPlatform check_settings(const cuda::Settings& settings, const RunLimits& limits);

/// Replaces this process by the program's. Returns only by exceptions.
[[noreturn]] void start_program(const cuda::Settings& settings, std::vector<std::string> command);

/// One process for each combination of the sweep. Throws as `execute` expects.
ExitCode sweep_program(const ProgramRuns& runs);

}  // namespace reconverge::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Runs several experiments, or one under several settings, in parallel on the host's cores. Each run's report is byte
/// for byte the one that a separate run writes. docs/several-runs.md describes folders and table.

#include <cstddef>
#include <functional>

#include "platforms/cli/exit_code.hpp"
#include "platforms/cli/run/several_plan.hpp"

namespace reconverge::cli {

/// The work of planned runs, each in a separate process.
struct PlannedWork {
  /// Before the first run begins. Throws as `execute` expects.
  std::function<void(std::size_t run)> check;
  std::function<ExitCode(std::size_t run, const RunDisplay& display)> run;
  /// The exit codes are those of a user's program; 0 is success, and limit_reached is ours.
  bool foreign_codes = false;
};

/// Performs the work and prints and writes the tables. `options`: jobs, columns, and how `each` shows its results.
/// Returns the code of the first run, in table order, that did not succeed; `interrupted` if an interrupt stopped any.
ExitCode run_planned(SeveralPlan plan, const SeveralRunsOptions& options, const PlannedWork& work);

/// Runs experiments. Throws as `execute` expects.
ExitCode run_several(const SeveralRunsOptions& options);

}  // namespace reconverge::cli

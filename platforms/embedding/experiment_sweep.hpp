// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Several experiments in parallel.

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "platforms/embedding/embedded_experiment.hpp"

namespace reconverge::embedding {

/// What a host decides about the runs of a sweep.
struct SweepRuns {
  std::size_t jobs = 0;  ///< runs at a time; 0: as many as the host has cores
  /// Of each run; no folder. `keep_running` is polled on the caller's thread for each run that is in progress.
  ExperimentRun each = {};
  std::function<bool()> interrupted;  ///< asked some times a second; true ends the sweep
};

/// Runs the experiments, and returns their reports in the same order: the ones that EmbeddedExperiment::run returns.
/// With one job, or one experiment, they run in this process. Otherwise each runs in a forked copy of this process, as
/// points of a sweep do (side_by_side.hpp): simulations of one process take turns.
///
/// A run that fails ends the sweep with the exception of the first experiment that fails, as ForeignFailure if it ran
/// in another process. Throws Interrupted after an interrupt. The other runs are then killed.
std::vector<ExperimentReport> run_sweep(std::span<const EmbeddedExperiment* const> experiments, const SweepRuns& runs);

}  // namespace reconverge::embedding

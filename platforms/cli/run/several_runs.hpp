// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Runs several experiments, or one under several settings, in parallel on the host's cores. Each run's report is byte
/// for byte the one that a separate run writes. docs/several-runs.md describes folders and table.

#include "platforms/cli/exit_code.hpp"
#include "platforms/cli/run/several_plan.hpp"

namespace reconverge::cli {

/// Checks every run before it starts the first. Returns the code of the first run, in table order, that did not
/// succeed; `interrupted` if an interrupt stopped any. Throws as `execute` expects.
ExitCode run_several(const SeveralRunsOptions& options);

}  // namespace reconverge::cli

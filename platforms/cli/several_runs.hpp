#pragma once
/// Several experiments, or one under several settings, side by side on the cores. Each run is what it is alone, to the
/// last byte of its report. docs/several-runs.md describes folders and table.

#include "platforms/cli/exit_code.hpp"
#include "platforms/cli/several_plan.hpp"

namespace reconverge::cli {

/// Checks every run, and only then starts the first. Returns the code of the first run that did not succeed, in the
/// order of the table; `interrupted` when an interrupt stopped any. Throws as `execute` expects it.
ExitCode run_several(const SeveralRunsOptions& options);

}  // namespace reconverge::cli

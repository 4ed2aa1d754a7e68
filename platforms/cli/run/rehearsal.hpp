// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A short run that finds errors that only an elaborated platform shows: whether its blocks are compatible, and whether
/// each kernel fits and starts.

#include "platforms/cli/run/experiment.hpp"
#include "platforms/experiment/ray_tracing.hpp"

namespace reconverge::cli {

/// Traces a picture of a few pixels on the whole platform. Throws like the run.
WorkloadFacts rehearse(const Experiment& experiment);

/// Prints the warnings of program_warnings. Throws InputError.
void warn_of_programs(const Experiment& experiment);

/// Starts each launch separately and stops it. Throws InputError for a launch that the platform cannot hold.
void rehearse(const Experiment& experiment, const Launches& launches);

}  // namespace reconverge::cli

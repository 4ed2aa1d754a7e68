#pragma once
/// A short run that finds errors that only an elaborated platform shows: whether its blocks are compatible, and whether
/// each kernel fits and starts.

#include "blocks/experiment.hpp"
#include "platforms/configuration/configuration.hpp"
#include "platforms/experiment/ray_tracing.hpp"
#include "platforms/launch/plan.hpp"

namespace reconverge::cli {

/// Traces a picture of a few pixels on the whole platform. Throws like the run.
WorkloadFacts rehearse(const ExperimentParameters& parameters, const configuration::Configuration& configuration,
                       SchemeList schemes);

/// Prints the warnings of program_warnings. Throws InputError.
void warn_of_programs(const ExperimentParameters& parameters, const configuration::Configuration& configuration,
                      SchemeList schemes);

/// Starts each launch separately and stops it. Throws InputError for a launch that the platform cannot hold.
void rehearse(const launch::LaunchPlan& plan, const ExperimentParameters& parameters,
              const configuration::Configuration& configuration, SchemeList schemes);

}  // namespace reconverge::cli

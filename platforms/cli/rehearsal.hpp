#pragma once
/// A run of a moment that finds what only a built platform can tell: whether its blocks fit together, and whether each
/// kernel fits and starts.

#include "blocks/experiment.hpp"
#include "platforms/configuration/configuration.hpp"
#include "platforms/experiment/ray_tracing.hpp"
#include "platforms/launch/plan.hpp"

namespace reconverge::cli {

/// Traces a picture of a few pixels on the whole platform. Throws as the run would.
WorkloadFacts rehearse(const ExperimentParameters& parameters, const configuration::Configuration& configuration,
                       SchemeList schemes);

/// Tells what program_warnings finds. Throws InputError.
void warn_of_programs(const ExperimentParameters& parameters, const configuration::Configuration& configuration,
                      SchemeList schemes);

/// Starts each launch by itself and stops it. Throws InputError for what the platform cannot hold.
void rehearse(const launch::LaunchPlan& plan, const ExperimentParameters& parameters,
              const configuration::Configuration& configuration, SchemeList schemes);

}  // namespace reconverge::cli

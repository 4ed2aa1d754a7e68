#include "platforms/cli/rehearsal.hpp"

#include <algorithm>

#include "models/core/simulation_context.hpp"
#include "platforms/cli/commands.hpp"
#include "platforms/cli/execute.hpp"
#include "platforms/launch/run_plan.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "platforms/machines/machines.hpp"

namespace reconverge::cli {

namespace {

constexpr std::uint64_t rehearsal_side = 8;    // pixels
constexpr Cycle rehearsal_cycles = 2'000'000;  // a kernel that takes longer has started, which is all that is checked

/// The same experiment with a picture of a few pixels: it loads the same programs and scene, elaborates the same
/// platform and launches every kernel with the same block size.
ExperimentParameters rehearsal_of(ExperimentParameters parameters, SchemeList schemes) {
  WorkloadParameters& workload = parameters.workload;
  workload.width = std::min(workload.width, rehearsal_side);
  workload.height = std::min(workload.height, rehearsal_side);
  workload.samples = 1;
  for (const SchemeKind* kind : schemes_of(parameters.gpu.sm, schemes)) {
    if (kind->prepare_rehearsal != nullptr) kind->prepare_rehearsal(parameters.gpu.sm);
  }
  return parameters;
}

}  // namespace

void warn_of_programs(const ExperimentParameters& parameters, const configuration::Configuration& configuration,
                      SchemeList schemes) {
  try {
    warn(program_warnings(parameters, schemes));
  } catch (const ParameterError& error) {
    throw placed(error, configuration);
  }
}

WorkloadFacts rehearse(const ExperimentParameters& parameters, const configuration::Configuration& configuration,
                       SchemeList schemes) {
  SimulationContext context;
  try {
    check_schemes(schemes_of(parameters.gpu.sm, schemes), parameters.gpu.sm);
    const auto keep_running = [](const RunProgress& progress) { return progress.cycles < rehearsal_cycles; };
    return run_ray_tracing(rehearsal_of(parameters, schemes), {schemes, keep_running})
        .facts;
  } catch (const ParameterError& error) {
    throw placed(error, configuration);
  }
}

void rehearse(const launch::LaunchPlan& plan, const ExperimentParameters& parameters,
              const configuration::Configuration& configuration, SchemeList schemes) {
  try {
    launch::rehearse_plan(plan, machine_of(parameters), parameters, schemes);
  } catch (const ParameterError& error) {
    throw placed(error, configuration);
  }
}

}  // namespace reconverge::cli

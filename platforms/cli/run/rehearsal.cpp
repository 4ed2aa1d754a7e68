// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/run/rehearsal.hpp"

#include <algorithm>

#include "models/core/simulation_context.hpp"
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

void warn_of_programs(const Experiment& experiment) {
  try {
    warn(program_warnings(experiment.parameters, experiment.schemes()));
  } catch (const ParameterError& error) {
    throw placed(error, experiment.configuration);
  }
}

WorkloadFacts rehearse(const Experiment& experiment) {
  const SchemeList schemes = experiment.schemes();
  const SmParameters& sm = experiment.parameters.gpu.sm;
  SimulationContext context;
  try {
    check_schemes(schemes_of(sm, schemes), sm);
    const auto keep_running = [](const RunProgress& progress) { return progress.cycles < rehearsal_cycles; };
    return run_ray_tracing(rehearsal_of(experiment.parameters, schemes), {schemes, keep_running}).facts;
  } catch (const ParameterError& error) {
    throw placed(error, experiment.configuration);
  }
}

void rehearse(const Experiment& experiment, const Launches& launches) {
  try {
    launch::rehearse_plan(launches.plan, experiment.machine(), launches.parameters, experiment.schemes());
  } catch (const ParameterError& error) {
    throw placed(error, experiment.configuration);
  }
}

}  // namespace reconverge::cli

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "models/core/simulation_context.hpp"
#include "platforms/cli/commands.hpp"
#include "platforms/cli/print.hpp"
#include "platforms/experiment/ray_tracing.hpp"
#include "platforms/launch/run_plan.hpp"
#include "platforms/report/documents.hpp"

namespace reconverge::cli {

namespace {

constexpr std::uint64_t rehearsal_side = 8;    // pixels
constexpr Cycle rehearsal_cycles = 2'000'000;  // a kernel that takes longer has started, which is enough

/// The same experiment with a picture of a few pixels: it loads the same programs and the same scene, elaborates the
/// same platform and launches every kernel in blocks of the same size.
ExperimentParameters rehearsal_of(ExperimentParameters parameters) {
  WorkloadParameters& workload = parameters.workload;
  workload.width = std::min(workload.width, rehearsal_side);
  workload.height = std::min(workload.height, rehearsal_side);
  workload.samples = 1;
  return parameters;
}

ExitCode validate_launches(const ExperimentFile& experiment, const ExperimentParameters& parameters,
                           const configuration::Configuration& configuration) {
  const launch::LaunchPlan plan = launch::read_plan(configuration, report::file_names());
  try {
    launch::rehearse_plan(plan, parameters.machine, parameters.gpu);
  } catch (const ParameterError& error) {
    throw placed(error, configuration);
  }
  print_formatted("{}: valid: {} parameters; {} buffers, {} launches; every kernel fits and starts\n",
                  report::shown_path(experiment.file), configuration.entries().size(), plan.buffers.size(),
                  plan.launches.size());
  return ExitCode::success;
}

ExitCode validate(const ExperimentFile& experiment) {
  ExperimentParameters parameters;
  const configuration::Configuration configuration = load_experiment(experiment, parameters);
  if (launch::has_launches(configuration)) return validate_launches(experiment, parameters, configuration);
  const auto rehearse = [&] {
    SimulationContext context;
    try {
      return run_ray_tracing(rehearsal_of(parameters),
                             [](const RunProgress& progress) { return progress.cycles < rehearsal_cycles; });
    } catch (const ParameterError& error) {
      throw placed(error, configuration);
    }
  };
  const RayTracingResult result = rehearse();
  print_formatted("{}: valid: {} parameters; scene {} with {} triangles; every kernel fits and starts\n",
                  report::shown_path(experiment.file), configuration.entries().size(), result.facts.scene,
                  result.facts.triangles);
  return ExitCode::success;
}

}  // namespace

void add_validate(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("validate", "Check an experiment without running it");
  const auto experiment = std::make_shared<ExperimentFile>();
  add_experiment_options(*command, *experiment);
  command->footer(
      "Loads the configuration, the programs and the scene, builds the platform, and rehearses with a picture of 8 by "
      "8\n"
      "pixels, so that a kernel that does not fit is found too. Launches are started one by one and stopped.\n"
      "Examples:\n"
      "  reconverge validate yaml/experiments/conference.yaml\n"
      "  reconverge validate yaml/experiments/conference.yaml --set workload.block_threads=1024");
  command->callback([experiment, &chosen] { chosen = [experiment] { return validate(*experiment); }; });
}

}  // namespace reconverge::cli

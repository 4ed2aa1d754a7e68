#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "models/core/simulation_context.hpp"
#include "platforms/cli/commands.hpp"
#include "platforms/cli/execute.hpp"
#include "platforms/cli/experiment_list.hpp"
#include "platforms/cli/print.hpp"
#include "platforms/cli/rehearsal.hpp"
#include "platforms/cli/sweep.hpp"
#include "platforms/launch/make_machine.hpp"
#include "platforms/report/documents.hpp"

namespace reconverge::cli {

namespace {

ExitCode validate_launches(const ExperimentFile& experiment, ExperimentParameters& parameters,
                           const configuration::Configuration& configuration) {
  const launch::LaunchPlan plan = read_launches(experiment, parameters, configuration);
  warn(launch::warnings_of(plan, parameters.machine, parameters.gpu, experiment.plugins.schemes()));
  rehearse(plan, parameters, configuration, experiment.plugins.schemes());
  print_formatted("{}: valid: {} parameters; {} buffers, {} launches; every kernel fits and starts\n",
                  report::shown_path(experiment.file), configuration.entries().size(), plan.buffers.size(),
                  plan.order.size());
  return ExitCode::success;
}

/// Nothing in it says what the machine shall do.
bool is_platform_alone(const configuration::Configuration& configuration) {
  return std::ranges::none_of(configuration.entries(), [](const configuration::Entry& entry) {
    return entry.path.starts_with("workload.") && entry.origin.kind != configuration::Origin::Kind::block_default;
  });
}

ExitCode validate_platform(const ExperimentFile& experiment, const ExperimentParameters& parameters,
                           const configuration::Configuration& configuration) {
  const SimulationContext context;
  try {
    launch::make_machine(parameters.machine, parameters, experiment.plugins.schemes());
  } catch (const ParameterError& error) {
    throw placed(error, configuration);
  }
  print_formatted("{}: valid: {} parameters; a platform alone, which can be built\n",
                  report::shown_path(experiment.file), configuration.entries().size());
  return ExitCode::success;
}

ExitCode validate(const ExperimentFile& experiment) {
  ExperimentParameters parameters;
  const configuration::Configuration configuration = load_experiment(experiment, parameters);
  if (launch::has_launches(configuration)) return validate_launches(experiment, parameters, configuration);
  if (is_platform_alone(configuration)) return validate_platform(experiment, parameters, configuration);
  warn_of_programs(parameters, configuration, experiment.plugins.schemes());
  const WorkloadFacts facts = rehearse(parameters, configuration, experiment.plugins.schemes());
  print_formatted("{}: valid: {} parameters; scene {} with {} triangles; every kernel fits and starts\n",
                  report::shown_path(experiment.file), configuration.entries().size(), facts.scene, facts.triangles);
  return ExitCode::success;
}

ExitCode validate_all(const ExperimentFile& given) {
  const ExpandedFiles expanded = expand_lists(std::span(&given.file, 1));
  const auto sweeps = joined_sweeps(expanded.sweeps, {}, given.overrides, given.plugins.schemes());
  const std::vector<SweepAxis> axes = read_sweep(sweeps, given.overrides, given.plugins.schemes());
  for (const std::string& file : expanded.files) {
    for (const Combination& combination : combinations_of(axes)) {
      ExperimentFile experiment{file, given.overrides, given.plugins};
      for (std::string& each : overrides_of(axes, combination)) experiment.overrides.push_back(std::move(each));
      validate(experiment);
    }
  }
  return ExitCode::success;
}

}  // namespace

void add_validate(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("validate", "Check an experiment or a platform without running it");
  const auto experiment = std::make_shared<ExperimentFile>();
  add_experiment_options(*command, *experiment);
  command->footer(
      "Loads the configuration, the programs and the scene, builds the platform, and rehearses with a picture of 8 by "
      "8\n"
      "pixels, so that a kernel that does not fit is found too. Launches are started one by one and stopped.\n"
      "Examples:\n"
      "  reconverge validate yaml/experiments/conference.yaml\n"
      "  reconverge validate yaml/experiments/conference.yaml --set workload.block_threads=1024");
  command->callback([experiment, &chosen] { chosen = [experiment] { return validate_all(*experiment); }; });
}

}  // namespace reconverge::cli

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
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
#include "platforms/configuration/json_text.hpp"
#include "platforms/launch/make_machine.hpp"
#include "platforms/launch/plan_memory.hpp"
#include "platforms/report/documents.hpp"

namespace reconverge::cli {

namespace {

namespace json = boost::json;

/// What a valid experiment has, for people and for programs.
struct Valid {
  std::string text;
  json::object object;
};

Valid validate_launches(const ExperimentFile& experiment, ExperimentParameters& parameters,
                        const configuration::Configuration& configuration) {
  const launch::LaunchPlan plan = read_launches(experiment, parameters, configuration);
  warn(launch::warnings_of(plan, parameters.machine, parameters.gpu, experiment.plugins.schemes()));
  rehearse(plan, parameters, configuration, experiment.plugins.schemes());
  const MemoryNeed memory = launch::memory_need(plan, parameters);
  return {fmt::format("{} buffers, {} launches; every kernel fits and starts; memory: about {}", plan.buffers.size(),
                      plan.order.size(), memory.text()),
          {{"kind", "launches"},
           {"buffers", plan.buffers.size()},
           {"launches", plan.order.size()},
           {"memory_bytes", memory.total()}}};
}

/// Nothing in it says what the machine shall do.
bool is_platform_alone(const configuration::Configuration& configuration) {
  return std::ranges::none_of(configuration.entries(), [](const configuration::Entry& entry) {
    return entry.path.starts_with("workload.") && entry.origin.kind != configuration::Origin::Kind::block_default;
  });
}

Valid validate_platform(const ExperimentFile& experiment, const ExperimentParameters& parameters,
                        const configuration::Configuration& configuration) {
  const SimulationContext context;
  try {
    launch::make_machine(parameters.machine, parameters, experiment.plugins.schemes());
  } catch (const ParameterError& error) {
    throw placed(error, configuration);
  }
  return {"a platform alone, which can be built", {{"kind", "platform"}}};
}

Valid validate_rays(const ExperimentFile& experiment, const ExperimentParameters& parameters,
                    const configuration::Configuration& configuration) {
  warn_of_programs(parameters, configuration, experiment.plugins.schemes());
  const WorkloadFacts facts = rehearse(parameters, configuration, experiment.plugins.schemes());
  const MemoryNeed memory = memory_need(facts.size.with_picture(parameters.workload), parameters.gpu);
  check_memory(memory, smaller_workload);
  return {fmt::format("scene {} with {} triangles; every kernel fits and starts; memory: about {}", facts.scene,
                      facts.triangles, memory.text()),
          {{"kind", "rays"}, {"scene", facts.scene}, {"triangles", facts.triangles}, {"memory_bytes", memory.total()}}};
}

/// Throws InputError.
Valid validate(const ExperimentFile& experiment) {
  ExperimentParameters parameters;
  const configuration::Configuration configuration = load_experiment(experiment, parameters);
  Valid valid = launch::has_launches(configuration) ? validate_launches(experiment, parameters, configuration)
                : is_platform_alone(configuration)  ? validate_platform(experiment, parameters, configuration)
                                                    : validate_rays(experiment, parameters, configuration);
  const std::string file = report::shown_path(experiment.file);
  const std::size_t count = configuration.entries().size();
  valid.text = fmt::format("{}: valid: {} parameters; {}\n", file, count, valid.text);
  json::object object{{"file", file},
                      {"experiment", parameters.name},
                      {"overrides", json::array(experiment.overrides.begin(), experiment.overrides.end())},
                      {"parameters", count}};
  for (auto& [key, value] : valid.object) object[key] = std::move(value);
  valid.object = std::move(object);
  return valid;
}

ExitCode validate_all(const ExperimentFile& given, bool as_json) {
  const ExpandedFiles expanded = expand_lists(std::span(&given.file, 1));
  const auto sweeps = joined_sweeps(expanded.sweeps, {}, given.overrides, given.plugins.schemes());
  const std::vector<SweepAxis> axes = read_sweep(sweeps, given.overrides, given.plugins.schemes());
  json::array all;
  for (const std::string& file : expanded.files) {
    for (const Combination& combination : combinations_of(axes)) {
      ExperimentFile experiment{file, given.overrides, given.plugins};
      for (std::string& each : overrides_of(axes, combination)) experiment.overrides.push_back(std::move(each));
      Valid valid = validate(experiment);
      if (!as_json) print(valid.text);
      all.push_back(std::move(valid.object));
    }
  }
  if (as_json) print(configuration::pretty(all));
  return ExitCode::success;
}

}  // namespace

void add_validate(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("validate", "Check an experiment or a platform without running it");
  const auto experiment = std::make_shared<ExperimentFile>();
  const auto as_json = std::make_shared<bool>(false);
  add_experiment_options(*command, *experiment);
  command->add_flag("--json", *as_json, "As JSON, when all is valid");
  command->footer(
      "Loads the configuration, the programs and the scene, builds the platform, and rehearses with a picture of 8 by "
      "8\n"
      "pixels, so that a kernel that does not fit is found too. Launches are started one by one and stopped.\n"
      "Examples:\n"
      "  reconverge validate yaml/experiments/conference.yaml\n"
      "  reconverge validate yaml/experiments/conference.yaml --set workload.block_threads=1024");
  command->callback([experiment, as_json, &chosen] {
    chosen = [experiment, as_json] { return validate_all(*experiment, *as_json); };
  });
}

}  // namespace reconverge::cli

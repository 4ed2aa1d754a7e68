// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <memory>
#include <span>
#include <utility>

#include "models/core/simulation_context.hpp"
#include "platforms/cli/commands/commands.hpp"
#include "platforms/cli/execute.hpp"
#include "platforms/cli/print.hpp"
#include "platforms/cli/run/experiment.hpp"
#include "platforms/cli/run/experiment_list.hpp"
#include "platforms/cli/run/foreign_defaults.hpp"
#include "platforms/cli/run/sweep.hpp"
#include "platforms/cli/run/task.hpp"
#include "platforms/configuration/json_text.hpp"
#include "platforms/report/documents.hpp"

namespace reconverge::cli {

namespace {

namespace json = boost::json;

/// Whether the file has neither launches nor a workload.
bool is_only_platform(const Experiment& experiment) {
  if (experiment.has_launches()) return false;
  return std::ranges::none_of(experiment.configuration.entries(), [](const configuration::Entry& entry) {
    return entry.path.starts_with("workload.") && entry.origin.kind != configuration::Origin::Kind::block_default;
  });
}

TaskSummary validate_platform(const Experiment& experiment) {
  const SimulationContext context;
  try {
    experiment.machine().make(experiment.parameters, experiment.kinds().schemes);
  } catch (const ParameterError& error) {
    throw placed(error, experiment.configuration);
  }
  return {"a platform without a workload; it can be built", {{"kind", "platform"}}};
}

TaskSummary validate_task(const Experiment& experiment) {
  const std::unique_ptr<Task> task = task_of(experiment);
  warn(task->warnings());
  return task->rehearse();
}

/// Throws InputError.
TaskSummary validate(const ExperimentFile& from, std::span<const SweepAxis> axes) {
  const Experiment experiment = load_experiment(from);
  check_sections(axes, experiment.configuration.section_changes());
  warn(foreign_warnings(experiment.configuration));
  TaskSummary valid = is_only_platform(experiment) ? validate_platform(experiment) : validate_task(experiment);
  const std::string file = report::shown_path(from.file);
  const std::size_t count = experiment.configuration.entries().size();
  valid.text = fmt::format("{}: valid: {} parameters; {}\n", file, count, valid.text);
  json::object object{{"file", file},
                      {"experiment", experiment.parameters.name},
                      {"overrides", json::array(from.overrides.begin(), from.overrides.end())},
                      {"parameters", count}};
  for (auto& [key, value] : valid.object) object[key] = std::move(value);
  valid.object = std::move(object);
  return valid;
}

/// An error in one of several settings names the setting.
TaskSummary validate(const ExperimentFile& experiment, std::span<const SweepAxis> axes, const std::string& label) {
  try {
    return validate(experiment, axes);
  } catch (const InputError& error) {
    if (label.empty()) throw;
    throw InputError({}, fmt::format("{}: {}", label, error.what()));
  }
}

struct ValidateOptions {
  std::vector<std::string> files;
  std::vector<std::string> overrides;
  std::vector<std::string> sweeps;
  Plugins plugins;
  bool json = false;
};

ExitCode validate_all(const ValidateOptions& options) {
  const ExpandedFiles expanded = expand_plain_lists(options.files);
  const Kinds kinds = options.plugins.kinds();
  const auto sweeps = joined_sweeps(expanded.sweeps, options.sweeps, options.overrides, kinds);
  const std::vector<SweepAxis> axes = read_sweep(sweeps, options.overrides, kinds);
  json::array all;
  for (const std::string& file : expanded.files) {
    for (const Combination& combination : combinations_of(axes)) {
      ExperimentFile experiment{file, options.overrides, options.plugins};
      for (std::string& each : overrides_of(axes, combination)) experiment.overrides.push_back(std::move(each));
      TaskSummary valid = validate(experiment, axes, label_of(axes, combination));
      if (!options.json) print(valid.text);
      all.push_back(std::move(valid.object));
    }
  }
  if (options.json) print(configuration::pretty(all));
  return ExitCode::success;
}

}  // namespace

void add_validate(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("validate", "Check experiments or platforms without running them");
  const auto options = std::make_shared<ValidateOptions>();
  command
      ->add_option("FILE", options->files,
                   "Experiments, e.g. yaml/experiments/conference.yaml, platforms, or files that list some")
      ->required();
  add_set_option(*command, options->overrides);
  add_sweep_option(*command, options->sweeps);
  add_plugin_option(*command, options->plugins);
  command->add_flag("--json", options->json, "As JSON, when all is valid");
  command->footer(
      "Loads the configuration, the programs and the scene, builds the platform, and rehearses with a picture of 8 by "
      "8\n"
      "pixels, so that a kernel that does not fit is found too. Launches are started one by one and stopped.\n"
      "Examples:\n"
      "  reconverge validate yaml/experiments/conference.yaml yaml/platforms/gtx780.yaml\n"
      "  reconverge validate yaml/experiments/conference.yaml --sweep gpu.sm.l1.ways=2,4,8\n"
      "  reconverge validate yaml/experiments/conference.yaml --set workload.block_threads=1024");
  command->callback([options, &chosen] { chosen = [options] { return validate_all(*options); }; });
}

}  // namespace reconverge::cli

// SPDX-License-Identifier: Apache-2.0
#include "platforms/embedding/embedded_experiment.hpp"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <memory>
#include <optional>
#include <utility>

#include "models/core/suggestion.hpp"
#include "platforms/cli/run/foreign_defaults.hpp"
#include "platforms/cli/run/task.hpp"
#include "platforms/configuration/json_text.hpp"
#include "platforms/embedding/loaded_plugins.hpp"
#include "platforms/embedding/poll.hpp"
#include "platforms/embedding/turn.hpp"
#include "platforms/launch/keys.hpp"
#include "platforms/report/documents.hpp"

namespace reconverge::embedding {

namespace {

namespace json = boost::json;

cli::Experiment loaded(const cli::ExperimentFile& from) {
  return without_option([&] { return cli::load_experiment(from); });
}

/// The folder that gets the files of a report.
class ReportFolder {
 public:
  ReportFolder(const cli::Experiment& experiment, const cli::Task& task, const ExperimentRun& wanted)
      : folder_(wanted.folder) {
    if (experiment.from.text) {
      throw InputError({}, "a report folder names the experiment's file, and this experiment was given as text",
                       "save it to a file, or leave out the folder");
    }
    std::vector<std::string> inputs = task.inputs();
    const std::vector<std::string>& plugins = experiment.from.plugins.files();
    inputs.insert(inputs.end(), plugins.begin(), plugins.end());
    provenance_ = report::provenance(experiment.from.file, experiment.from.overrides, experiment.configuration, inputs);
    folder_.claim(task.outputs(), wanted.force);
  }

  void write(const report::RunReport& report, const configuration::Configuration& configuration) {
    folder_.write(report::documents(report, configuration, provenance_, folder_.path()));
  }

 private:
  report::OutputFolder folder_;
  report::Provenance provenance_;
};

std::vector<std::string> warnings_of(const cli::Experiment& experiment, const cli::Task& task) {
  std::vector<std::string> warnings = cli::foreign_warnings(experiment.configuration);
  for (std::string& warning : task.warnings()) warnings.push_back(std::move(warning));
  return warnings;
}

std::vector<report::OutputFile> outputs_of(const report::Outcome& outcome) {
  std::vector<report::OutputFile> files = outcome.files();
  if (auto picture = outcome.picture()) files.push_back(std::move(*picture));
  for (report::OutputFile& file : files) {
    file.bytes += file.tail;
    file.tail = {};
  }
  return files;
}

}  // namespace

EmbeddedExperiment::EmbeddedExperiment(std::string file)
    : experiment_(loaded({std::move(file), {}, loaded_plugins()})) {}

EmbeddedExperiment::EmbeddedExperiment(std::string yaml, std::string name)
    : experiment_(loaded({std::move(name), {}, loaded_plugins(), std::move(yaml)})) {}

void EmbeddedExperiment::set(std::string_view path, std::string_view value) {
  cli::ExperimentFile changed = experiment_.from;
  changed.overrides.push_back(fmt::format("{}={}", path, value));
  experiment_ = loaded(changed);
}

std::string EmbeddedExperiment::get(std::string_view path) const {
  if (const configuration::Entry* entry = experiment_.configuration.find(path)) return entry->value;
  std::vector<std::string_view> known;
  for (const configuration::Entry& entry : parameters()) known.push_back(entry.path);
  throw InputError({}, fmt::format("the experiment has no parameter {}", path), suggest(path, known));
}

Validation EmbeddedExperiment::validate() const {
  const Turn turn;
  const std::unique_ptr<cli::Task> task = cli::task_of(experiment_);
  const cli::TaskSummary summary = task->rehearse();
  const std::vector<std::string>& overrides = experiment_.from.overrides;
  json::object object{{"file", report::shown_path(experiment_.from.file)},
                      {"experiment", experiment_.parameters.name},
                      {"overrides", json::array(overrides.begin(), overrides.end())},
                      {"parameters", parameters().size()}};
  for (const auto& [key, value] : summary.object) object[key] = value;
  return {configuration::pretty(object), warnings_of(experiment_, *task)};
}

ExperimentReport EmbeddedExperiment::run(const ExperimentRun& wanted) const {
  const Turn turn;
  return run_in_turn(wanted);
}

ExperimentReport EmbeddedExperiment::run_in_turn(const ExperimentRun& wanted) const {
  const std::unique_ptr<cli::Task> task = cli::task_of(experiment_);
  std::optional<ReportFolder> folder;
  if (!wanted.folder.empty()) folder.emplace(experiment_, *task, wanted);
  ExperimentReport result;
  result.warnings = warnings_of(experiment_, *task);
  Poll poll(wanted.keep_running);
  const auto prepare = [&](Machine& machine) {
    machine.use_threads(std::max(wanted.threads, 1U));
    machine.ask_every(cycles_between_questions);
  };
  RunControl control{experiment_.kinds(), std::ref(poll), wanted.most_cycles, prepare};
  control.print = [&](std::string_view /*part*/, std::string_view text) { result.printed += text; };
  std::unique_ptr<report::Outcome> outcome;
  try {
    outcome = task->run(control);
  } catch (const ParameterError& error) {
    throw cli::placed(error, experiment_.configuration);
  }
  const report::RunReport report(*outcome, experiment_.kinds(), report::place_of(experiment_.from.file));
  if (folder) folder->write(report, experiment_.configuration);
  for (const std::string& warning : report.warnings()) result.warnings.push_back(warning);
  result.json = report::json_report(report);
  result.table = report::table(report);
  result.partial = report.partial();
  result.passed = report.ok();
  result.outputs = outputs_of(*outcome);
  return result;
}

}  // namespace reconverge::embedding

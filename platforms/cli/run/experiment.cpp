// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/run/experiment.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "models/core/error.hpp"
#include "models/core/input_file.hpp"
#include "models/core/printable.hpp"
#include "platforms/cli/run/foreign_defaults.hpp"
#include "platforms/launch/keys.hpp"
#include "platforms/launch/plan.hpp"
#include "platforms/launch/plan_memory.hpp"
#include "platforms/machines/machines.hpp"
#include "platforms/report/documents.hpp"

namespace reconverge::cli {

namespace {

namespace fs = std::filesystem;
using configuration::Configuration;
using configuration::Entry;
using configuration::Origin;

/// The origin of a value; values of the command line have no location in a file.
SourceLocation place_of(const Entry& entry) {
  return entry.origin.kind == Origin::Kind::file ? entry.origin.location : SourceLocation{};
}

void check_files(const Configuration& configuration) {
  for (const Entry& entry : configuration.entries()) {
    if (entry.parameter->type != ParameterType::path || entry.value.empty()) continue;
    std::error_code error;
    if (!fs::exists(entry.value, error)) {
      throw InputError(place_of(entry),
                       fmt::format("{}: there is no file '{}'", entry.path, report::shown_path(entry.value)),
                       "paths are relative to the file that gives them");
    }
    try {
      check_input(entry.value, input::any);
    } catch (const InputError& refusal) {
      throw InputError(place_of(entry), fmt::format("{}: {}", entry.path, refusal.what()));
    }
  }
}

std::string_view block_of(const Entry& entry) { return std::string_view(entry.path).substr(0, entry.path.rfind('.')); }

/// The command-line options for the block of a refused value: one of these may be the wrong value.
std::string given_beside(const Entry& refused, const Configuration& configuration) {
  std::string text;
  for (const Entry& entry : configuration.entries()) {
    if (entry.origin.kind != Origin::Kind::command_line || block_of(entry) != block_of(refused)) continue;
    text += fmt::format("{}{}={}", text.empty() ? " (the command line gives " : ", ", entry.path, entry.value);
  }
  return text.empty() ? text : text + ')';
}

/// The name becomes the name of a folder.
void check_name(const Configuration& configuration, const ExperimentParameters& parameters) {
  const std::string& name = parameters.name;
  const bool is_folder = !name.empty() && name.front() != '.' && name.find('/') == std::string::npos;
  if (is_folder && is_printable_name(name)) return;
  const Entry* entry = configuration.find("name");
  throw InputError(entry == nullptr ? SourceLocation{} : place_of(*entry),
                   fmt::format("name: '{}' cannot name a folder", name),
                   "leave out '/', control characters and a dot in front");
}

/// An experiment traces rays or launches kernels; without launches, their sections would be ignored.
void check_kind(const Configuration& configuration, const MachineKind& machine) {
  if (!launch::has_launches(configuration)) {
    if (!configuration.sections().empty()) {
      const configuration::Section& section = configuration.sections().front();
      throw InputError(section.location, fmt::format("{}: there are no launches", section.key.name),
                       "add a list `launches:`");
    }
    if (!machine.traits.timed) {
      throw InputError(place_of(*configuration.find("machine")), "machine: ray tracing has machines with time only",
                       "remove the key, or give `launches:`");
    }
    return;
  }
  for (const Entry& entry : configuration.entries()) {
    if (!entry.path.starts_with("workload.") || entry.origin.kind == Origin::Kind::block_default) continue;
    throw InputError(place_of(entry), fmt::format("{} is given, and launches, too", entry.path),
                     "an experiment traces rays or launches kernels; remove one of the two");
  }
}

/// The copies of a CUDA program take time; experiments have none.
void check_link(const Configuration& configuration, const ExperimentParameters& parameters) {
  if (parameters.host_link == HostLinkParameters{}) return;
  throw InputError(place_of(*configuration.find("host_link.bandwidth")),
                   "host_link.bandwidth is given, and experiments copy nothing",
                   "it is for CUDA programs: reconverge exec");
}

/// Only machines with warps can record this.
void check_recording(const Configuration& configuration, const ExperimentParameters& parameters,
                     const MachineKind& machine) {
  const auto refuse = [&](std::string_view key, std::string_view what) {
    throw InputError(place_of(*configuration.find(std::string(key))),
                     fmt::format("{}: {}, and the machine is {}", key, what, machine.name),
                     "leave it out, or set machine to timed");
  };
  if (parameters.profile && !machine.traits.warps)
    refuse("profile", "instructions are profiled where warps issue them");
  if (parameters.timeline != 0 && !machine.traits.sms)
    refuse("timeline", "issue slots over time are those of a GPU with time");
}

/// Refuses settings that cannot be combined with a sample.
void check_sampling(const Configuration& configuration, const ExperimentParameters& parameters,
                    const MachineKind& machine) {
  if (parameters.sample.every <= 1) return;
  const auto refuse = [&](std::string_view why, std::string_view hint) {
    throw InputError(place_of(*configuration.find("sample.every")), fmt::format("sample.every: {}", why), hint);
  };
  if (!machine.traits.sms) refuse(fmt::format("the machine is {}, which has no SMs", machine.name), "leave it out");
  if (parameters.profile) refuse("a profile needs all instructions", "leave out `profile`");
  if (parameters.timeline != 0) refuse("a timeline needs all cycles", "leave out `timeline`");
  if (parameters.stop_after != 0) refuse("`stop_after` ends a launch before its sample", "leave one of the two out");
  if (!launch::has_launches(configuration) && parameters.workload.form == WorkloadForm::megakernel)
    refuse("a megakernel has a sample of its picture", "give workload.sample_blocks instead");
}

}  // namespace

InputError placed(const ParameterError& error, const Configuration& configuration) {
  const Entry* entry = configuration.find(error.key());
  if (entry == nullptr || entry->origin.kind == Origin::Kind::command_line) return {SourceLocation{}, error.what()};
  return {place_of(*entry), error.what() + given_beside(*entry, configuration)};
}

Experiment load_experiment(const ExperimentFile& file) {
  ExperimentParameters parameters;
  const BlockTree tree = with_kinds(experiment_block, file.plugins.kinds());
  const std::string name = report::shown_path(file.file);
  Configuration configuration =
      file.text
          ? configuration::load_text(tree, &parameters, {*file.text, name}, file.overrides, launch::section_keys())
          : configuration::load(tree, &parameters, name, file.overrides, launch::section_keys());
  const MachineKind& machine = machine_of(parameters, file.plugins.kinds());
  check_name(configuration, parameters);
  check_files(configuration);
  check_kind(configuration, machine);
  check_link(configuration, parameters);
  check_recording(configuration, parameters, machine);
  check_sampling(configuration, parameters, machine);
  if (machine.traits.sms) {
    for (const std::string& path : foreign_defaults(configuration, parameters.gpu)) configuration.mark_foreign(path);
  }
  configuration = configuration.without("host_link");
  if (launch::has_launches(configuration)) configuration = configuration.without("workload");
  return {file, std::move(parameters), std::move(configuration)};
}

Launches read_launches(const Experiment& experiment) {
  const Kinds kinds = experiment.kinds();
  ExperimentParameters parameters = experiment.parameters;
  try {
    if (parameters.stop_after != 0)
      throw ParameterError("stop_after", "it is for rays, and this experiment has launches", "leave it out");
    launch::LaunchPlan plan =
        launch::read_plan(experiment.configuration, report::file_names(), kinds.schemes, parameters.transform);
    parameters.gpu = launch::fitted_gpu(parameters, plan.state_bytes(), kinds);
    check_memory(launch::memory_need(plan, parameters, kinds), launch::smaller_plan);
    return {std::move(plan), std::move(parameters)};
  } catch (const ParameterError& error) {
    throw placed(error, experiment.configuration);
  }
}

}  // namespace reconverge::cli

// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/run/several_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "models/core/error.hpp"
#include "models/core/yaml_node.hpp"
#include "platforms/cli/run/experiment.hpp"

namespace reconverge::cli {

namespace {

namespace fs = std::filesystem;

std::string default_folder(const SeveralRunsOptions& options, const std::string& name) {
  if (options.sweeps.empty()) return "out";
  return options.files.size() == 1 ? fmt::format("out/{}-sweep", name) : "out/sweep";
}

/// Workload parameters that say how rays are traced, not which rays.
constexpr std::array ways_of_tracing{"structure",    "kd_max_depth",  "grid_cells_x",  "grid_cells_y",
                                     "grid_cells_z", "grid_density",  "trace_program", "trace_kernel",
                                     "exposure",     "shade_program", "block_threads", "outside_files"};

std::string rays_of(const configuration::Configuration& configuration) {
  constexpr std::string_view block = "workload.";
  std::string rays;
  for (const configuration::Entry& entry : configuration.entries()) {
    if (!entry.path.starts_with(block)) continue;
    const bool is_way = std::ranges::find(ways_of_tracing, entry.path.substr(block.size())) != ways_of_tracing.end();
    if (!is_way) rays += fmt::format("{}={}\n", entry.path, entry.value);
  }
  return rays;
}

/// A section in a canonical form, whichever file gives it. A launch's name and stack do not change what it computes,
/// nor does the block size if the number of threads is given.
void add_text(std::string& text, const configuration::Section& section, const YamlNode& node) {
  const bool of_launches = section.key.name == "launches";
  if (node.is_map()) {
    for (const auto& [key_node, value] : node.pairs()) {
      const std::string& key = key_node.scalar();
      if (of_launches && (key == "name" || key == "stack" || (key == "block" && node.find("threads")))) continue;
      text += key + ":{";
      const bool is_path = std::ranges::find(section.key.path_keys, key) != section.key.path_keys.end();
      if (is_path && value.is_scalar()) {
        text += (fs::path(section.file).parent_path() / value.scalar()).lexically_normal().generic_string();
      } else {
        add_text(text, section, value);
      }
      text += '}';
    }
  } else if (node.is_list()) {
    for (const YamlNode& item : node.items()) {
      text += '[';
      add_text(text, section, item);
      text += ']';
    }
  } else if (node.is_scalar()) {
    text += node.scalar();
  }
}

std::string work_of(const configuration::Configuration& configuration, bool traces) {
  if (traces) return rays_of(configuration);
  std::string work;
  for (const configuration::Section& section : configuration.sections()) {
    work += fmt::format("{}\n", section.key.name);
    add_text(work, section, section.value);
  }
  return work;
}

std::uint64_t clock_of(const Experiment& experiment) {
  const MachineKind& machine = experiment.machine();
  return machine.traits.timed ? machine.rate(experiment.parameters).clock_hz : 0;
}

class Planner {
 public:
  explicit Planner(const SeveralRunsOptions& options) : options_(options) {
    plan_.table.columns = read_columns(options.columns, options.kinds());
    plan_.table.axes = read_sweep(options.sweeps, options.each.experiment.overrides, options.kinds());
  }

  SeveralPlan plan() && {
    const std::vector<Combination> combinations = combinations_of(plan_.table.axes);
    for (const std::string& file : options_.files) {
      place_.clear();
      for (const Combination& combination : combinations) add(file, combination);
    }
    if (options_.columns.empty()) add_times(plan_.table);
    return std::move(plan_);
  }

 private:
  void add(const std::string& file, const Combination& combination) {
    const std::vector<SweepAxis>& axes = plan_.table.axes;
    PlannedRun run{options_.each, {}};
    run.options.experiment.file = file;
    run.options.quiet = options_.each.quiet || options_.each.json;
    run.options.json = false;
    for (std::string& each : overrides_of(axes, combination)) {
      run.options.experiment.overrides.push_back(std::move(each));
    }
    const Experiment experiment = load_experiment(run.options.experiment);
    const std::string& name = experiment.parameters.name;
    check_sections(axes, experiment.configuration.section_changes());
    if (plan_.runs.empty()) {
      const std::string& given = options_.each.folder;
      plan_.folder = given.empty() ? default_folder(options_, name) : given;
    }
    if (place_.empty() && options_.files.size() > 1) {
      claim(name, file);
      place_ = name;
    }
    const fs::path folder = axes.empty() ? place_ : place_ / folder_of(axes, combination);
    run.options.folder = (plan_.folder / folder).generic_string();
    run.label = place_.generic_string();
    if (!run.label.empty() && !axes.empty()) run.label += ", ";
    run.label += label_of(axes, combination);
    plan_.runs.push_back(std::move(run));

    CollectedRow& row = plan_.table.rows.emplace_back();
    row.folder = folder.generic_string();
    row.experiment = name;
    row.traces = !experiment.has_launches();
    row.work = work_of(experiment.configuration, row.traces);
    row.clock_hz = clock_of(experiment);
    for (std::size_t i = 0; i < axes.size(); ++i) row.settings.push_back(axes[i].canonical[combination[i]]);
  }

  /// A separate folder for one of several experiments.
  void claim(const std::string& name, const std::string& file) {
    const std::string hint = "give each experiment its own `name:`";
    if (name == plan_.table_file().filename() || name == plan_.comparison_file().filename()) {
      throw InputError({file}, fmt::format("name: '{}' is the name of the table of all runs", name), hint);
    }
    const auto [owner, is_new] = owners_.emplace(name, file);
    if (is_new) return;
    throw InputError(
        {file}, fmt::format("name: {} is called '{}', too, and would write into the same folder", owner->second, name),
        hint);
  }

  const SeveralRunsOptions& options_;
  SeveralPlan plan_;
  fs::path place_;                             ///< subfolder of the file's runs, if there are several files
  std::map<std::string, std::string> owners_;  ///< the file that claimed each name
};

}  // namespace

SeveralPlan plan_several(const SeveralRunsOptions& options) { return Planner(options).plan(); }

}  // namespace reconverge::cli

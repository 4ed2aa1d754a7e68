#include "platforms/cli/several_plan.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "models/core/error.hpp"
#include "platforms/launch/plan.hpp"

namespace reconverge::cli {

namespace {

namespace fs = std::filesystem;

std::string default_folder(const SeveralRunsOptions& options, const std::string& name) {
  if (options.sweeps.empty()) return "out";
  return options.files.size() == 1 ? fmt::format("out/{}-sweep", name) : "out/sweep";
}

class Planner {
 public:
  explicit Planner(const SeveralRunsOptions& options) : options_(options) {
    plan_.table.columns = read_columns(options.columns, options.schemes());
    plan_.table.axes = read_sweep(options.sweeps, options.each.experiment.overrides, options.schemes());
  }

  SeveralPlan plan() && {
    const std::vector<Combination> combinations = combinations_of(plan_.table.axes);
    for (const std::string& file : options_.files) {
      place_.clear();
      for (const Combination& combination : combinations) add(file, combination);
    }
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
    ExperimentParameters parameters;
    const configuration::Configuration configuration = load_experiment(run.options.experiment, parameters);
    const bool traces = !launch::has_launches(configuration);
    check_sections(axes, configuration.section_changes());
    if (plan_.runs.empty()) {
      const std::string& given = options_.each.folder;
      plan_.folder = given.empty() ? default_folder(options_, parameters.name) : given;
    }
    if (place_.empty() && options_.files.size() > 1) {
      claim(parameters.name, file);
      place_ = parameters.name;
    }
    const fs::path folder = axes.empty() ? place_ : place_ / folder_of(axes, combination);
    run.options.folder = (plan_.folder / folder).generic_string();
    run.label = place_.generic_string();
    if (!run.label.empty() && !axes.empty()) run.label += ", ";
    run.label += label_of(axes, combination);
    plan_.runs.push_back(std::move(run));

    CollectedRow& row = plan_.table.rows.emplace_back();
    row.folder = folder.generic_string();
    row.experiment = parameters.name;
    row.traces = traces;
    for (std::size_t i = 0; i < axes.size(); ++i) row.settings.push_back(axes[i].canonical[combination[i]]);
  }

  /// A folder of its own for one of several experiments.
  void claim(const std::string& name, const std::string& file) {
    const std::string hint = "give each experiment a `name:` of its own";
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
  fs::path place_;                             ///< of the file's runs, in the folder of all
  std::map<std::string, std::string> owners_;  ///< of names: files
};

}  // namespace

SeveralPlan plan_several(const SeveralRunsOptions& options) { return Planner(options).plan(); }

}  // namespace reconverge::cli

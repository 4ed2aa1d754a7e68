#pragma once
/// Which runs a command line asks for, in which order, and where each of them writes.

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "platforms/cli/collected_table.hpp"
#include "platforms/cli/single_run.hpp"

namespace reconverge::cli {

struct SeveralRunsOptions {
  /// What each run has, but for its file. `folder`: of the table, with those of the reports in it; empty: a default.
  /// `json`: one document in the place of all that is printed. `recordings`: of a run alone.
  RunOptions each;
  std::vector<std::string> files;
  std::vector<std::string> sweeps;  ///< --sweep
  std::string columns;              ///< --columns; empty: the usual ones
  std::optional<std::size_t> jobs;  ///< runs at a time; the cores if not given
  bool resume = false;              ///< runs whose reports are there are not run again
  bool dump_config = false;

  SchemeList schemes() const { return each.experiment.plugins.schemes(); }
};

/// One of several runs. Its options are those of the same run alone.
struct PlannedRun {
  RunOptions options;
  std::string label;  ///< tells it from the others
};

struct SeveralPlan {
  std::filesystem::path folder;
  std::vector<PlannedRun> runs;
  CollectedTable table;  ///< a row a run, in the same order, with all but status and figures

  std::filesystem::path table_file() const { return folder / "runs.csv"; }
  std::filesystem::path comparison_file() const { return folder / "comparison.csv"; }
  /// Several experiments, and all of them trace rays.
  bool is_comparison() const {
    return has_several_experiments(table) &&
           std::ranges::all_of(table.rows, [](const CollectedRow& row) { return row.traces; });
  }
};

/// Loads every configuration, without any other trace. Throws InputError for the first that is refused, and where two
/// experiments of one name would share a folder.
SeveralPlan plan_several(const SeveralRunsOptions& options);

}  // namespace reconverge::cli

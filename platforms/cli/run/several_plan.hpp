// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Plans the runs of a command line: which runs, in which order, and where each writes.

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "models/protocols/scheme_list.hpp"
#include "platforms/cli/run/collected_table.hpp"
#include "platforms/cli/run/single_run.hpp"

namespace reconverge::cli {

struct SeveralRunsOptions {
  /// Options common to all runs. `folder`: of the table and, below it, of the reports; empty: a default. `json`: print
  /// one document instead of all other output. `recordings`: only for a single run.
  RunOptions each;
  std::vector<std::string> files;
  std::vector<std::string> sweeps;  ///< --sweep
  std::string columns;              ///< --columns; empty: the usual ones
  std::optional<std::size_t> jobs;  ///< runs at a time; default: the number of cores
  std::optional<unsigned> threads;  ///< of each run; default: the number of cores for one run, one each for several
  bool resume = false;              ///< skip runs that already have a report
  bool dump_config = false;

  Kinds kinds() const { return each.experiment.plugins.kinds(); }
};

/// One of several runs. Its options are those of the same run started separately.
struct PlannedRun {
  RunOptions options;
  std::string label;  ///< distinguishes it from the others
};

struct SeveralPlan {
  std::filesystem::path folder;
  std::vector<PlannedRun> runs;
  CollectedTable table;  ///< one row for each run, in the same order, without status and figures

  std::filesystem::path table_file() const { return folder / "runs.csv"; }
  std::filesystem::path comparison_file() const { return folder / "comparison.csv"; }
  /// More than one experiment, all of which trace rays.
  bool is_comparison() const {
    return has_several_experiments(table) &&
           std::ranges::all_of(table.rows, [](const CollectedRow& row) { return row.traces; });
  }
};

/// Loads every configuration; has no other effect. Throws InputError for the first refused configuration, and if two
/// experiments with the same name would share a folder.
SeveralPlan plan_several(const SeveralRunsOptions& options);

}  // namespace reconverge::cli

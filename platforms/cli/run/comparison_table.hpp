// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Compares experiments that trace rays, stage by stage: speed, speedup over the first experiment, and SIMD efficiency
/// (the form of Figs. 10 and 11 of Lü et al., MICRO 2017).

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/cli/run/collected_table.hpp"

namespace reconverge::cli {

/// A stage of one run that traces rays, or `tracing` for the sum of them.
struct ComparedStage {
  std::string name;
  std::vector<std::string> figures;  ///< as written in the report, parallel to compared_figures()
  std::string speedup;               ///< over the first run of the same rays; empty if that run has no such stage
};

struct ComparedRun {
  const CollectedRow* row = nullptr;
  std::vector<ComparedStage> stages;  ///< empty if the run has no report
};

/// Runs in table order. The table must outlive it.
struct ComparisonTable {
  const CollectedTable* runs = nullptr;
  std::vector<ComparedRun> compared;
};

std::vector<std::string_view> compared_figures();

/// Reads the reports; `folder` is the table's folder. Runs are compared as in the table (base_of).
ComparisonTable compare(const CollectedTable& table, const std::filesystem::path& folder);

/// `comparison.csv`: experiment, one column for each axis, stage, speedup, one column for each figure; one row for each
/// stage.
std::string comparison_csv(const ComparisonTable& table);
/// Whether a text begins like a `comparison.csv`.
bool is_comparison_csv(std::string_view text);

/// For the terminal, for each setting: speeds, speedups and SIMD efficiencies by stage, then the warp instructions of
/// all stages by active lanes.
std::string comparison_text(const ComparisonTable& table);

}  // namespace reconverge::cli

#pragma once
/// Several experiments that trace rays, beside each other stage by stage: how fast, how much faster than the first of
/// them, and how many lanes worked (the form of Figs. 10 and 11 of Lü et al., MICRO 2017).

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/cli/collected_table.hpp"

namespace reconverge::cli {

/// A stage of one run that traces rays, or `tracing` for all of them together.
struct ComparedStage {
  std::string name;
  std::vector<std::string> figures;  ///< as the report writes them, parallel to compared_figures()
  std::string speedup;               ///< over the first run of the same rays; empty where that has no such stage
};

struct ComparedRun {
  const CollectedRow* row = nullptr;
  std::vector<ComparedStage> stages;  ///< none when the run has no report
};

/// Runs in the order of a table, which must outlive them.
struct ComparisonTable {
  const CollectedTable* runs = nullptr;
  std::vector<ComparedRun> compared;
};

std::vector<std::string_view> compared_figures();

/// Reads the reports, `folder` being that of the table. Runs are compared as in the table
/// (base_of).
ComparisonTable compare(const CollectedTable& table, const std::filesystem::path& folder);

/// `comparison.csv`: experiment, one column for each axis, stage, speedup, one for each figure; a row for each stage.
std::string comparison_csv(const ComparisonTable& table);
/// Whether a text begins as such a file does.
bool is_comparison_csv(std::string_view text);

/// For the terminal, for each setting: speeds, speedups and SIMD efficiencies by stage, then where the warp
/// instructions of all stages stand by active lanes.
std::string comparison_text(const ComparisonTable& table);

}  // namespace reconverge::cli

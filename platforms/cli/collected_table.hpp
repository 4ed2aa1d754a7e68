#pragma once
/// Several runs in one table: a row a run, in the order in which they were asked for.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/cli/sweep.hpp"

namespace reconverge::cli {

struct CollectedRow {
  std::string folder;                 ///< of the report, from the folder of the table
  std::string experiment;             ///< its name
  std::vector<std::string> settings;  ///< a value for each axis of the sweep
  std::string status;                 ///< "ok", or what went wrong
  std::vector<std::string> figures;   ///< as the report writes them, parallel to collected_figures(); empty without one
};

struct CollectedTable {
  std::vector<SweepAxis> axes;
  std::vector<CollectedRow> rows;
};

/// Whether its runs are of more than one.
bool has_several_experiments(const CollectedTable& table);

/// The names of the figures that the table shows.
std::span<const std::string_view> collected_figures();

/// Those of a report: of the stages that trace rays where there are any, otherwise of all launches. `report` is its
/// report.csv. A figure that the report does not have is empty.
std::vector<std::string> read_figures(const std::filesystem::path& report, bool traces);

/// `runs.csv`: folder, experiment, one column for each axis, status, one for each figure.
std::string collected_csv(const CollectedTable& table);
/// Whether a text begins as such a file does.
bool is_collected_csv(std::string_view text);

/// For the terminal.
std::string collected_text(const CollectedTable& table);

}  // namespace reconverge::cli

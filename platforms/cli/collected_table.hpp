#pragma once
/// Several runs in one table: a row a run, in the order in which they were asked for.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/cli/figure_columns.hpp"
#include "platforms/cli/sweep.hpp"
#include "platforms/report/notes.hpp"

namespace reconverge::cli {

struct CollectedRow {
  std::string folder;                 ///< of the report, from the folder of the table
  std::string experiment;             ///< its name
  std::vector<std::string> settings;  ///< a value for each axis of the sweep
  bool traces = false;                ///< rays; otherwise it has launches
  std::string work;                   ///< what it computes: rays, or launches; not on what and by which kernels
  std::uint64_t clock_hz = 0;         ///< of the machine; 0 for one without time
  std::string status;                 ///< "ok", or what went wrong
  std::vector<std::string> figures;   ///< as the report writes them, parallel to the table's columns; empty without one
  std::string pace;                   ///< what speedups are made of: the rate of rays, or the time of launches
  std::string results;                ///< the files that launches wrote, with digests; empty for none
  std::vector<report::Note> notes;    ///< on the figures
};

struct CollectedTable {
  std::vector<SweepAxis> axes;
  std::vector<FigureColumn> columns;
  std::vector<CollectedRow> rows;
};

/// Whether its runs are of more than one.
bool has_several_experiments(const CollectedTable& table);

/// Reads those of a report: of the stages that trace rays where there are any, otherwise of all launches. `report` is
/// its report.csv. A figure that the report does not have is empty.
void read_figures(CollectedRow& row, std::span<const FigureColumn> columns, const std::filesystem::path& report);

/// Reads what launches wrote, from the manifest in the folder of the report.
void read_results(CollectedRow& row, const std::filesystem::path& folder);

/// The row that a row is compared with: among rows of the same work the first under the same settings, or the first
/// of the same experiment where no other has these settings. Null where there is none but the row itself.
const CollectedRow* base_of(const CollectedTable& table, const CollectedRow& row);

/// Fills the column `speedup`, where there is one. Rows that were stopped or failed have none.
void add_speedups(CollectedTable& table);

/// Where machines have different clocks, puts the columns `clock`, `time` and `speedup` after `cycles`.
void add_times(CollectedTable& table);

/// `runs.csv`: folder, experiment, one column for each axis, status, one for each figure.
std::string collected_csv(const CollectedTable& table);
/// Whether a text begins as such a file does.
bool is_collected_csv(std::string_view text);

/// For the terminal, with what its heads mean. Columns that nobody has chosen are shown as far as 100 characters take
/// them; those without content are not.
std::string collected_text(const CollectedTable& table, bool chosen);

}  // namespace reconverge::cli

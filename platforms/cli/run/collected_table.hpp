// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Several runs in one table: one row for each run, in the order of the request.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/cli/run/figure_columns.hpp"
#include "platforms/cli/run/sweep.hpp"
#include "platforms/report/notes.hpp"

namespace reconverge::cli {

struct CollectedRow {
  std::string folder;                 ///< of the report, relative to the table's folder
  std::string experiment;             ///< its name
  std::vector<std::string> settings;  ///< one value for each axis of the sweep
  bool traces = false;                ///< true: rays; false: launches
  std::string work;                   ///< what it computes, rays or launches, without machine and kernels
  std::uint64_t clock_hz = 0;         ///< of the machine; 0 if it has no timing
  std::string status;                 ///< "ok", or what went wrong
  std::vector<std::string> figures;   ///< as in the report, parallel to the table's columns; empty without a report
  std::string pace;                   ///< what speedups are computed from: the rate of rays, or the time of launches
  std::string results;                ///< output files of launches, with digests; empty without outputs
  std::vector<report::Note> notes;    ///< about the figures
};

struct CollectedTable {
  std::vector<SweepAxis> axes;
  std::vector<FigureColumn> columns;
  std::vector<CollectedRow> rows;
};

/// Whether the runs belong to more than one experiment.
bool has_several_experiments(const CollectedTable& table);

/// Reads the figures of a report: those of the stages that trace rays if it has any, otherwise of all launches.
/// `report` is its report.csv. A figure that the report does not have is empty.
void read_figures(CollectedRow& row, std::span<const FigureColumn> columns, const std::filesystem::path& report);

/// Reads the outputs of launches from the manifest in the report's folder.
void read_results(CollectedRow& row, const std::filesystem::path& folder);

/// The row that a row is compared with: the first row of the same work under the same settings, or the first row of the
/// same experiment if no other row has these settings. Null if only the row itself qualifies.
const CollectedRow* base_of(const CollectedTable& table, const CollectedRow& row);

/// Fills the column `speedup` if the table has it. Rows of stopped or failed runs get no value.
void add_speedups(CollectedTable& table);

/// If the machines have different clocks, inserts the columns `clock`, `time` and `speedup` after `cycles`.
void add_times(CollectedTable& table);

/// `runs.csv`: folder, experiment, one column for each axis, status, one column for each figure.
std::string collected_csv(const CollectedTable& table);
/// Whether a text begins like a `runs.csv`.
bool is_collected_csv(std::string_view text);

/// For the terminal, with the meaning of the column heads. Default columns are shown as far as they fit into 100
/// characters and if they have content.
std::string collected_text(const CollectedTable& table, bool chosen);

}  // namespace reconverge::cli

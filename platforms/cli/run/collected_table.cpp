// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/run/collected_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <set>

#include "models/core/figure.hpp"
#include "models/core/input_file.hpp"
#include "platforms/cli/text_table.hpp"
#include "platforms/report/csv_section.hpp"
#include "platforms/report/documents.hpp"
#include "platforms/report/own_files.hpp"

namespace reconverge::cli {

namespace {

constexpr std::string_view csv_begin = "folder,experiment,";

TextColumn text_column(std::string head, const CollectedTable& table,
                       const std::function<std::string(const CollectedRow&)>& cell) {
  TextColumn column{std::move(head), {}, false, {}};
  for (const CollectedRow& row : table.rows) column.cells.push_back(cell(row));
  return column;
}

bool has(const CollectedRow& row, std::size_t figure) { return !row.figures.empty() && !row.figures[figure].empty(); }

/// The columns that tell the rows apart. An experiment that is the same in all rows is left out.
std::vector<TextColumn> first_columns(const CollectedTable& table) {
  std::vector<TextColumn> columns;
  if (has_several_experiments(table) || table.axes.empty()) {
    columns.push_back(text_column("experiment", table, [](const CollectedRow& row) { return row.experiment; }));
  }
  for (std::size_t axis = 0; axis < table.axes.size(); ++axis) {
    columns.push_back(
        text_column(table.axes[axis].name, table, [axis](const CollectedRow& row) { return row.settings[axis]; }));
  }
  columns.push_back(text_column("status", table, [](const CollectedRow& row) { return row.status; }));
  return columns;
}

std::size_t width_of(const std::string& text) {
  const std::size_t end = text.find('\n');
  return std::min(end, text.size());
}

/// The speed of a row's run, in the unit of its kind; 0 if unknown.
double pace_of(const CollectedRow& row) {
  if (row.status != "ok" && row.status != "check failed") return 0;
  const double number = std::strtod(row.pace.c_str(), nullptr);
  return row.traces ? number : ratio(1, number);
}

/// Whether the runs have the same rays, the same launches, or launches with the same results.
bool is_same_work(const CollectedRow& one, const CollectedRow& other) {
  if (one.traces != other.traces) return false;
  return one.work == other.work || (!one.results.empty() && one.results == other.results);
}

}  // namespace

bool has_several_experiments(const CollectedTable& table) {
  return std::ranges::any_of(table.rows,
                             [&](const CollectedRow& row) { return row.experiment != table.rows.front().experiment; });
}

void read_figures(CollectedRow& row, std::span<const FigureColumn> columns, const std::filesystem::path& report) {
  row.figures.assign(columns.size(), {});
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == clock_name && row.clock_hz != 0) row.figures[i] = fmt::format("{}", row.clock_hz);
  }
  std::ifstream in(report, std::ios::binary);
  const std::string section = row.traces ? "tracing,," : "total,,";
  const std::string_view pace = row.traces ? "ray_rate" : "time";
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(section)) continue;
    const std::size_t name_end = line.find(',', section.size());
    const std::string_view name = std::string_view(line).substr(section.size(), name_end - section.size());
    const std::string value = line.substr(name_end + 1, line.find(',', name_end + 1) - name_end - 1);
    if (name == pace) row.pace = value;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].name == name) row.figures[i] = value;
    }
  }
}

void read_results(CollectedRow& row, const std::filesystem::path& folder) {
  const std::vector<std::string> own = report::file_names();
  const auto listed = report::listed_files(read_input(folder / report::manifest_name, input::report));
  if (row.traces || !listed) return;
  for (const report::ListedFile& file : *listed) {
    if (std::ranges::find(own, file.name) == own.end()) row.results += fmt::format("{} {}\n", file.name, file.sha256);
  }
}

const CollectedRow* base_of(const CollectedTable& table, const CollectedRow& row) {
  const auto first_of_several = [&](auto&& is_near) -> const CollectedRow* {
    const auto compares = [&](const CollectedRow& other) { return is_near(other) && is_same_work(other, row); };
    if (std::ranges::count_if(table.rows, compares) < 2) return nullptr;
    return &*std::ranges::find_if(table.rows, compares);
  };
  const auto* const under_setting =
      first_of_several([&row](const CollectedRow& other) { return other.settings == row.settings; });
  if (under_setting != nullptr) return under_setting;
  return first_of_several([&row](const CollectedRow& other) { return other.experiment == row.experiment; });
}

void add_speedups(CollectedTable& table) {
  const auto column = std::ranges::find(table.columns, speedup_name, &FigureColumn::name);
  if (column == table.columns.end()) return;
  const auto place = static_cast<std::size_t>(column - table.columns.begin());
  for (CollectedRow& row : table.rows) {
    const CollectedRow* const base = base_of(table, row);
    if (base == nullptr || row.figures.empty()) continue;
    if (pace_of(row) != 0 && pace_of(*base) != 0) row.figures[place] = fmt::format("{}", pace_of(row) / pace_of(*base));
  }
}

void add_times(CollectedTable& table) {
  std::set<std::uint64_t> clocks;
  for (const CollectedRow& row : table.rows) clocks.insert(row.clock_hz);
  clocks.erase(0);
  const auto cycles = std::ranges::find(table.columns, "cycles", &FigureColumn::name);
  if (cycles == table.columns.end() || clocks.size() < 2) return;
  const std::vector<FigureColumn> known = known_columns();
  auto place = cycles + 1;
  for (const std::string_view name : {clock_name, std::string_view("time")}) {
    place = table.columns.insert(place, *std::ranges::find(known, name, &FigureColumn::name)) + 1;
  }
  // A later column might not fit on the terminal.
  const auto speedup =
      std::find_if(place, table.columns.end(), [](const auto& each) { return each.name == speedup_name; });
  if (speedup != table.columns.end()) std::rotate(place, speedup, speedup + 1);
}

std::string collected_csv(const CollectedTable& table) {
  std::string out(csv_begin);
  for (const SweepAxis& axis : table.axes) out += axis.path + ',';
  out += "status";
  for (const FigureColumn& column : table.columns) out += ',' + column.name;
  out += '\n';
  for (const CollectedRow& row : table.rows) {
    out += fmt::format("{},{},", report::csv_field(row.folder), report::csv_field(row.experiment));
    for (const std::string& value : row.settings) out += report::csv_field(value) + ',';
    out += row.status;
    for (std::size_t i = 0; i < table.columns.size(); ++i) out += ',' + (row.figures.empty() ? "" : row.figures[i]);
    out += '\n';
  }
  return out;
}

bool is_collected_csv(std::string_view text) { return text.starts_with(csv_begin); }

std::string collected_text(const CollectedTable& table, bool chosen) {
  constexpr std::size_t most_width = 100;
  std::vector<TextColumn> columns = first_columns(table);
  std::vector<FigureColumn> figures;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const FigureColumn& figure = table.columns[i];
    const bool empty = std::ranges::none_of(table.rows, [i](const CollectedRow& row) { return has(row, i); });
    if (!chosen && empty) continue;
    columns.push_back(text_column(std::string(head_of(figure)), table, [&](const CollectedRow& row) {
      return shown(figure, has(row, i) ? row.figures[i] : std::string());
    }));
    columns.back().number = true;
    if (!chosen && width_of(text_of(columns)) > most_width) {
      columns.pop_back();
      break;
    }
    figures.push_back(figure);
  }
  return text_of(columns) + legend_of(figures);
}

}  // namespace reconverge::cli

#include "platforms/cli/collected_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>

#include "platforms/cli/text_table.hpp"
#include "platforms/report/csv_section.hpp"
#include "platforms/report/figures.hpp"

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

/// What tells the rows apart. Left out is what says nothing: an experiment that is the same everywhere.
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

/// How fast a row's run was, in whatever unit its kind has; 0 where that is not known.
double pace_of(const CollectedRow& row) {
  if (row.status != "ok" && row.status != "check failed") return 0;
  const double number = std::strtod(row.pace.c_str(), nullptr);
  return row.traces ? number : report::ratio(1, number);
}

}  // namespace

bool has_several_experiments(const CollectedTable& table) {
  return std::ranges::any_of(table.rows,
                             [&](const CollectedRow& row) { return row.experiment != table.rows.front().experiment; });
}

void read_figures(CollectedRow& row, std::span<const FigureColumn> columns, const std::filesystem::path& report) {
  row.figures.assign(columns.size(), {});
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

void add_speedups(CollectedTable& table) {
  const auto column = std::ranges::find(table.columns, speedup_name, &FigureColumn::name);
  if (column == table.columns.end()) return;
  const auto place = static_cast<std::size_t>(column - table.columns.begin());
  const bool by_setting = has_several_experiments(table);
  for (CollectedRow& row : table.rows) {
    const CollectedRow& base = *std::ranges::find_if(
        table.rows, [&](const CollectedRow& first) { return !by_setting || first.settings == row.settings; });
    if (row.figures.empty() || row.traces != base.traces) continue;
    if (pace_of(row) != 0 && pace_of(base) != 0) row.figures[place] = fmt::format("{}", pace_of(row) / pace_of(base));
  }
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

#include "platforms/cli/collected_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>

#include "platforms/report/csv_section.hpp"
#include "platforms/report/table_parts.hpp"

namespace reconverge::cli {

namespace {

constexpr std::array<std::string_view, 5> figure_names{"cycles", "ray_rate", "thread_ipc", "simd_efficiency",
                                                       "warp_instructions"};
constexpr std::string_view csv_begin = "folder,experiment,";

/// One column of the table on the terminal.
struct Column {
  std::string head;
  std::vector<std::string> cells;
  bool number = false;  ///< stands at the right
};

std::string shown(std::string_view figure, const std::string& text) {
  if (text.empty()) return "-";
  const double value = std::strtod(text.c_str(), nullptr);
  if (figure == "ray_rate") return fmt::format("{:.2f}", value);
  if (figure == "thread_ipc") return fmt::format("{:.1f}", value);
  if (figure == "simd_efficiency") return report::percent(value);
  return report::grouped(static_cast<std::uint64_t>(value));
}

std::string_view head_of(std::string_view figure) {
  if (figure == "ray_rate") return "Mrays/s";
  if (figure == "thread_ipc") return "IPC";
  if (figure == "simd_efficiency") return "SIMD";
  if (figure == "warp_instructions") return "warp instr.";
  return figure;
}

Column text_column(std::string head, const CollectedTable& table,
                   const std::function<std::string(const CollectedRow&)>& cell) {
  Column column{std::move(head), {}, false};
  for (const CollectedRow& row : table.rows) column.cells.push_back(cell(row));
  return column;
}

bool differ(const std::vector<CollectedRow>& rows) {
  return std::any_of(rows.begin(), rows.end(),
                     [&](const CollectedRow& row) { return row.experiment != rows.front().experiment; });
}

/// Left out is what says nothing: an experiment that is the same everywhere, a figure that no run has.
std::vector<Column> columns_of(const CollectedTable& table) {
  std::vector<Column> columns;
  if (differ(table.rows) || table.axes.empty()) {
    columns.push_back(text_column("experiment", table, [](const CollectedRow& row) { return row.experiment; }));
  }
  for (std::size_t axis = 0; axis < table.axes.size(); ++axis) {
    columns.push_back(
        text_column(table.axes[axis].name, table, [axis](const CollectedRow& row) { return row.settings[axis]; }));
  }
  columns.push_back(text_column("status", table, [](const CollectedRow& row) { return row.status; }));
  for (std::size_t figure = 0; figure < figure_names.size(); ++figure) {
    const auto has = [figure](const CollectedRow& row) { return !row.figures.empty() && !row.figures[figure].empty(); };
    if (std::none_of(table.rows.begin(), table.rows.end(), has)) continue;
    columns.push_back(text_column(std::string(head_of(figure_names[figure])), table, [&](const CollectedRow& row) {
      return shown(figure_names[figure], has(row) ? row.figures[figure] : std::string());
    }));
    columns.back().number = true;
  }
  return columns;
}

}  // namespace

std::span<const std::string_view> collected_figures() { return figure_names; }

std::vector<std::string> read_figures(const std::filesystem::path& report, bool traces) {
  std::vector<std::string> figures(figure_names.size());
  std::ifstream in(report, std::ios::binary);
  const std::string section = traces ? "tracing,," : "total,,";
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(section)) continue;
    for (std::size_t i = 0; i < figure_names.size(); ++i) {
      const std::string begin = fmt::format("{}{},", section, figure_names[i]);
      // A launch may be called `total`; that of all launches comes last.
      if (line.starts_with(begin)) figures[i] = line.substr(begin.size(), line.find(',', begin.size()) - begin.size());
    }
  }
  return figures;
}

std::string collected_csv(const CollectedTable& table) {
  std::string out(csv_begin);
  for (const SweepAxis& axis : table.axes) out += axis.path + ',';
  out += fmt::format("status,{}\n", fmt::join(figure_names, ","));
  for (const CollectedRow& row : table.rows) {
    out += fmt::format("{},{},", report::csv_field(row.folder), report::csv_field(row.experiment));
    for (const std::string& value : row.settings) out += report::csv_field(value) + ',';
    out += row.status;
    for (std::size_t i = 0; i < figure_names.size(); ++i) out += ',' + (row.figures.empty() ? "" : row.figures[i]);
    out += '\n';
  }
  return out;
}

bool is_collected_csv(std::string_view text) { return text.starts_with(csv_begin); }

std::string collected_text(const CollectedTable& table) {
  std::vector<std::string> lines(table.rows.size() + 1);
  for (const Column& column : columns_of(table)) {
    std::size_t width = column.head.size();
    for (const std::string& cell : column.cells) width = std::max(width, cell.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string& cell = i == 0 ? column.head : column.cells[i - 1];
      if (!lines[i].empty()) lines[i] += "  ";
      lines[i] += column.number ? fmt::format("{:>{}}", cell, width) : fmt::format("{:<{}}", cell, width);
    }
  }
  std::string out;
  for (std::string& line : lines) {
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

}  // namespace reconverge::cli

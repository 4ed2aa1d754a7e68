#include "platforms/cli/collected_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>

#include "platforms/cli/text_table.hpp"
#include "platforms/report/csv_section.hpp"
#include "platforms/report/table_parts.hpp"

namespace reconverge::cli {

namespace {

constexpr std::array<std::string_view, 5> figure_names{"cycles", "ray_rate", "thread_ipc", "simd_efficiency",
                                                       "warp_instructions"};
constexpr std::string_view csv_begin = "folder,experiment,";

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

TextColumn text_column(std::string head, const CollectedTable& table,
                       const std::function<std::string(const CollectedRow&)>& cell) {
  TextColumn column{std::move(head), {}, false, {}};
  for (const CollectedRow& row : table.rows) column.cells.push_back(cell(row));
  return column;
}

/// Left out is what says nothing: an experiment that is the same everywhere, a figure that no run has.
std::vector<TextColumn> columns_of(const CollectedTable& table) {
  std::vector<TextColumn> columns;
  if (has_several_experiments(table) || table.axes.empty()) {
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

bool has_several_experiments(const CollectedTable& table) {
  return std::ranges::any_of(table.rows,
                             [&](const CollectedRow& row) { return row.experiment != table.rows.front().experiment; });
}

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

std::string collected_text(const CollectedTable& table) { return text_of(columns_of(table)); }

}  // namespace reconverge::cli

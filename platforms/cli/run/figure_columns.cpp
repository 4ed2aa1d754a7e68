// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/run/figure_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

#include "models/core/error.hpp"
#include "models/core/quantity.hpp"
#include "models/core/suggestion.hpp"
#include "platforms/figures/text.hpp"
#include "platforms/machines/machines.hpp"
#include "platforms/report/figures.hpp"

namespace reconverge::cli {

namespace {

constexpr std::string_view usual_columns =
    "cycles,ray_rate,thread_ipc,simd_efficiency,warp_instructions,speedup,slots_memory,l1_hit_rate,l2_hit_rate";

struct Head {
  std::string_view figure;
  std::string_view head;
  std::string_view meaning = {};  ///< if the head does not say it
};
constexpr std::array<Head, 13> heads{{
    {"time", "seconds"},
    {"ray_rate", "Mrays/s"},
    {"thread_ipc", "IPC", "thread instructions a cycle"},
    {"warp_ipc", "warp IPC"},
    {"simd_efficiency", "SIMD", "active lanes of the lanes of issued instructions"},
    {"warp_instructions", "warp instr."},
    {"thread_instructions", "thread instr."},
    {"speedup", "speedup", "over the first run of the same work"},
    {"slots_memory", "memory", "issue slots that waited for it"},
    {"l1_hit_rate", "L1 hit"},
    {"texture_hit_rate", "Tex hit"},
    {"constant_hit_rate", "Const hit"},
    {"l2_hit_rate", "L2 hit"},
}};

const Head* short_head(std::string_view figure) {
  const auto found = std::ranges::find(heads, figure, &Head::figure);
  return found == heads.end() ? nullptr : &*found;
}

}  // namespace

std::vector<FigureColumn> known_columns(Kinds kinds) {
  std::vector<FigureColumn> known;
  for (const MachineKind* machine : kinds.machines) {
    if (!machine->traits.timed) continue;
    const MachineRate rate = machine->rate({});
    const Measurement nothing{
        machine->zeros(kinds.schemes), 0, rate.clock_hz, rate.slots_per_cycle, kinds.schemes, machine};
    for (Figure& figure : report::figures(nothing)) {
      if (std::ranges::find(known, figure.name, &FigureColumn::name) != known.end()) continue;
      known.push_back({std::move(figure.name), std::move(figure.unit), std::move(figure.text)});
    }
  }
  known.push_back({std::string(clock_name), "Hz", "Clock rate of the machine."});
  known.push_back({std::string(speedup_name), "ratio",
                   "Over the first run of the same work under the same settings, or of the same experiment."});
  return known;
}

std::vector<FigureColumn> read_columns(std::string_view names, Kinds kinds) {
  const SourceLocation said{fmt::format("--columns {}", names), 0, 0};
  const std::vector<FigureColumn> known = known_columns(kinds);
  std::vector<FigureColumn> columns;
  std::string_view left = names.empty() ? usual_columns : names;
  while (true) {
    const std::size_t comma = left.find(',');
    const std::string_view name = left.substr(0, comma);
    const auto found = std::ranges::find(known, name, &FigureColumn::name);
    if (found == known.end()) {
      std::vector<std::string_view> all;
      all.reserve(known.size());
      for (const FigureColumn& column : known) all.push_back(column.name);
      const std::string_view near = nearest(name, all);
      throw InputError(said, fmt::format("there is no figure '{}'", name),
                       near.empty() ? "reconverge list figures shows all" : fmt::format("did you mean {}?", near));
    }
    if (std::ranges::find(columns, name, &FigureColumn::name) != columns.end())
      throw InputError(said, fmt::format("the figure {} is given twice", name), "leave one out");
    columns.push_back(*found);
    if (comma == std::string_view::npos) return columns;
    left.remove_prefix(comma + 1);
  }
}

std::string_view head_of(const FigureColumn& column) {
  const Head* head = short_head(column.name);
  return head == nullptr ? std::string_view(column.name) : head->head;
}

std::string shown(const FigureColumn& column, const std::string& value) {
  if (value.empty()) return "-";
  const double number = std::strtod(value.c_str(), nullptr);
  if (column.name == clock_name) return format_frequency(static_cast<std::uint64_t>(number));
  if (column.unit == "share") return percent(number);
  if (column.name == "thread_ipc" || column.name == "warp_ipc") return fmt::format("{:.1f}", number);
  if (column.name == "ray_rate" || column.name == speedup_name) return fmt::format("{:.2f}", number);
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), count);
  const bool whole = error == std::errc() && end == value.data() + value.size();
  return whole ? grouped(count) : fmt::format("{:.4g}", number);
}

std::string legend_of(std::span<const FigureColumn> columns) {
  constexpr std::size_t width = 100;
  std::string text;
  std::string line;
  for (const FigureColumn& column : columns) {
    const Head* head = short_head(column.name);
    if (head == nullptr || head->meaning.empty()) continue;
    const std::string part = fmt::format("{}: {}.", head->head, head->meaning);
    if (!line.empty() && line.size() + 1 + part.size() > width) text += std::exchange(line, {}) + '\n';
    line += (line.empty() ? "" : " ") + part;
  }
  return line.empty() ? text : text + line + '\n';
}

}  // namespace reconverge::cli

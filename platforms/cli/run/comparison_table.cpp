// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/run/comparison_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "platforms/cli/text_table.hpp"
#include "platforms/figures/text.hpp"
#include "platforms/figures/warp_figures.hpp"
#include "platforms/report/csv_section.hpp"

namespace reconverge::cli {

namespace {

constexpr std::string_view comparison_begin = "experiment,";
constexpr std::string_view comparison_stage = "stage,speedup,";
constexpr std::string_view all_stages = "tracing";
constexpr std::size_t ray_rate = 2;
constexpr std::size_t simd_efficiency = 3;
constexpr std::size_t first_group = 4;

double number(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

/// The stages that traced rays, in report order.
std::vector<ComparedStage> read_stages(const std::filesystem::path& report) {
  const std::vector<std::string_view> names = compared_figures();
  std::vector<ComparedStage> stages;
  std::ifstream in(report, std::ios::binary);
  // Columns: stage,path,figure,value,unit; figures have an empty path. Names of stages that trace rays need no quotes.
  for (std::string line; std::getline(in, line);) {
    const std::size_t stage_end = line.find(",,");
    if (stage_end == std::string::npos) continue;
    const std::size_t name_end = line.find(',', stage_end + 2);
    const auto figure =
        std::ranges::find(names, std::string_view(line).substr(stage_end + 2, name_end - stage_end - 2));
    if (figure == names.end()) continue;
    const std::string stage = line.substr(0, stage_end);
    if (stages.empty() || stages.back().name != stage)
      stages.push_back({stage, std::vector<std::string>(names.size()), {}});
    stages.back().figures[static_cast<std::size_t>(figure - names.begin())] =
        line.substr(name_end + 1, line.find(',', name_end + 1) - name_end - 1);
  }
  std::erase_if(stages,
                [](const ComparedStage& stage) { return stage.name == "total" || number(stage.figures[0]) == 0; });
  return stages;
}

const ComparedStage* stage_of(const ComparedRun& run, std::string_view name) {
  const auto found = std::ranges::find(run.stages, name, &ComparedStage::name);
  return found == run.stages.end() ? nullptr : &*found;
}

/// The papers' short form: `B1` for `bounce 1`.
std::string short_name(const std::string& stage) {
  constexpr std::string_view bounce = "bounce ";
  if (stage == all_stages) return "all";
  return stage.starts_with(bounce) ? fmt::format("B{}", stage.substr(bounce.size())) : stage;
}

std::string two_digits(const std::string& text) { return text.empty() ? "-" : fmt::format("{:.2f}", number(text)); }

/// The experiments under one setting of the sweep.
using Setting = std::vector<const ComparedRun*>;

/// In the order of the runs.
std::vector<Setting> settings_of(const ComparisonTable& table) {
  std::vector<Setting> settings;
  for (const ComparedRun& run : table.compared) {
    const auto found = std::ranges::find_if(
        settings, [&](const Setting& setting) { return setting.front()->row->settings == run.row->settings; });
    (found == settings.end() ? settings.emplace_back() : *found).push_back(&run);
  }
  return settings;
}

/// One line for each stage of any run; columns for each experiment.
std::string by_stage(const Setting& runs) {
  std::vector<std::string> stages;
  for (const ComparedRun* run : runs) {
    for (const ComparedStage& stage : run->stages) {
      if (std::ranges::find(stages, stage.name) == stages.end()) stages.push_back(stage.name);
    }
  }
  std::vector<TextColumn> columns{{"stage", {}, false, {}}};
  for (const std::string& stage : stages) columns[0].cells.push_back(short_name(stage));
  for (const ComparedRun* run : runs) {
    const auto add = [&](std::string head, std::string above, auto&& text) {
      TextColumn& column = columns.emplace_back(TextColumn{std::move(head), {}, true, std::move(above)});
      for (const std::string& name : stages) {
        const ComparedStage* stage = stage_of(*run, name);
        column.cells.push_back(stage == nullptr ? "-" : text(*stage));
      }
    };
    add("Mrays/s", run->row->experiment,
        [](const ComparedStage& stage) { return two_digits(stage.figures[ray_rate]); });
    if (run != runs.front()) add("speedup", "", [](const ComparedStage& stage) { return two_digits(stage.speedup); });
    add("SIMD", "", [](const ComparedStage& stage) { return percent(number(stage.figures[simd_efficiency])); });
  }
  return text_of(columns);
}

/// One line for each experiment; columns for the categories of active lanes.
std::string by_lanes(const Setting& runs) {
  std::vector<TextColumn> columns{{"active lanes", {}, false, {}}};
  for (const ComparedRun* run : runs) columns[0].cells.push_back(run->row->experiment);
  for (std::size_t i = 0; i < lane_groups().size(); ++i) {
    TextColumn& column = columns.emplace_back(TextColumn{std::string(lane_groups()[i].name), {}, true, {}});
    for (const ComparedRun* run : runs) {
      const ComparedStage* all = stage_of(*run, all_stages);
      column.cells.push_back(all == nullptr ? "-" : percent(number(all->figures[first_group + i])));
    }
  }
  return text_of(columns);
}

}  // namespace

std::vector<std::string_view> compared_figures() {
  std::vector<std::string_view> names{"rays", "cycles", "ray_rate", "simd_efficiency"};
  for (const LaneGroup& group : lane_groups()) names.push_back(group.key);
  return names;
}

ComparisonTable compare(const CollectedTable& table, const std::filesystem::path& folder) {
  ComparisonTable comparison{&table, {}};
  for (const CollectedRow& row : table.rows) {
    ComparedRun& run = comparison.compared.emplace_back(ComparedRun{&row, {}});
    if (!row.figures.empty()) run.stages = read_stages(folder / row.folder / "report.csv");
    const CollectedRow* const base = base_of(table, row);
    if (base == nullptr) continue;
    const ComparedRun& first = comparison.compared[static_cast<std::size_t>(base - table.rows.data())];
    for (ComparedStage& stage : run.stages) {
      const ComparedStage* before = stage_of(first, stage.name);
      if (before == nullptr) continue;
      stage.speedup = fmt::format("{}", number(stage.figures[ray_rate]) / number(before->figures[ray_rate]));
    }
  }
  return comparison;
}

std::string comparison_csv(const ComparisonTable& table) {
  std::string out(comparison_begin);
  for (const SweepAxis& axis : table.runs->axes) out += axis.path + ',';
  out += fmt::format("{}{}\n", comparison_stage, fmt::join(compared_figures(), ","));
  for (const ComparedRun& run : table.compared) {
    for (const ComparedStage& stage : run.stages) {
      out += report::csv_field(run.row->experiment) + ',';
      for (const std::string& value : run.row->settings) out += report::csv_field(value) + ',';
      out += fmt::format("{},{},{}\n", stage.name, stage.speedup, fmt::join(stage.figures, ","));
    }
  }
  return out;
}

bool is_comparison_csv(std::string_view text) {
  return text.starts_with(comparison_begin) && text.find(comparison_stage) != std::string_view::npos;
}

std::string comparison_text(const ComparisonTable& table) {
  std::string out;
  for (const Setting& setting : settings_of(table)) {
    const std::vector<std::string>& values = setting.front()->row->settings;
    out += out.empty() ? "" : "\n";
    for (std::size_t axis = 0; axis < values.size(); ++axis) {
      out += fmt::format("{}{}={}", axis == 0 ? "" : ", ", table.runs->axes[axis].name, values[axis]);
    }
    out += values.empty() ? "" : "\n";
    out += by_stage(setting) + '\n' + by_lanes(setting);
  }
  return out;
}

}  // namespace reconverge::cli

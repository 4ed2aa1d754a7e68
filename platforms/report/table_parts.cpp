#include "platforms/report/table_parts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "blocks/warp_scheduler.hpp"
#include "models/core/quantity.hpp"
#include "platforms/launch/platform.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "platforms/report/notes.hpp"
#include "platforms/report/pass_figures.hpp"
#include "platforms/report/stream_figures.hpp"

namespace reconverge::report {

namespace {

constexpr std::size_t bar_length = 50;  // as a fraction of one
constexpr std::size_t line_length = 100;

void add_bar(std::string& out, std::string_view name, double share) {
  const std::string bar(static_cast<std::size_t>(std::lround(share * static_cast<double>(bar_length))), '#');
  out += fmt::format("  {:<12}{:>9}{}{}\n", name, percent(share), bar.empty() ? "" : "  ", bar);
}

/// The bins of a statistic as bars, each as a share of the sum.
void add_bins(std::string& out, const StatisticsView& view, std::string_view statistic_name) {
  view.visit([&](const StatisticDescription& statistic, std::span<const std::uint64_t> values) {
    if (statistic.name != statistic_name) return;
    for (std::size_t bin = 0; bin < values.size(); ++bin) {
      add_bar(out, bin_name(statistic, bin), ratio(static_cast<double>(values[bin]), static_cast<double>(sum(values))));
    }
  });
}

}  // namespace

void add_sentences(std::string& out, std::string_view text) {
  while (text.size() > line_length) {
    const std::size_t end = text.rfind(' ', line_length);
    if (end == std::string_view::npos) break;
    out += fmt::format("{}\n", text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  out += fmt::format("{}\n", text);
}

std::string grouped(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, 1, ',');
  return text;
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string machine_text(const ExperimentParameters& parameters) {
  switch (parameters.machine) {
    case ExperimentMachine::functional:
      return "functional, no time";
    case ExperimentMachine::streams:
      return fmt::format("stream processor of {} lanes at {}", parameters.stream_processor.lanes,
                         format_frequency(parameters.stream_processor.clock));
    case ExperimentMachine::multi_pass:
      return fmt::format("{} processors of {} lanes with guards at {}", parameters.multi_pass.processors,
                         parameters.multi_pass.lanes, format_frequency(parameters.multi_pass.clock));
    case ExperimentMachine::timed:
      break;
  }
  return fmt::format("{} SMs at {}, {}", parameters.gpu.sms, format_frequency(parameters.gpu.clock),
                     scheme_names(parameters.gpu.sm));
}

std::string lanes_and_caches(const Measurement& m) {
  constexpr std::string_view columns = "{:>8}{:>8}{:>8}{:>8}";
  const std::string efficiency = percent(executed(m).simd_efficiency());
  if (m.machine != ExperimentMachine::timed) return fmt::format(columns, efficiency, "-", "-", "-");
  return fmt::format(columns, efficiency, percent(hit_rate(m.totals.of<L1CacheStatistics>())),
                     percent(hit_rate(m.totals.of<TextureCacheStatistics>())),
                     percent(hit_rate(m.totals.of<L2CacheStatistics>())));
}

void add_notes(std::string& out, const ExperimentParameters& parameters, const Measurement& measurement) {
  for (const Note& note : notes(parameters, measurement)) add_sentences(out, note.text);
}

void add_lanes(std::string& out, std::string_view name, const Measurement& measurement) {
  const ActiveLanes& active = measurement.totals.of<WarpSchedulerStatistics>().active_lanes;
  const auto all = static_cast<double>(warp_instructions(active));
  out += fmt::format("\nWarp instructions by active lanes ({}: {} instructions, SIMD efficiency {})\n", name,
                     grouped(warp_instructions(active)), percent(simd_efficiency(active)));
  for (const LaneGroup& group : lane_groups()) {
    add_bar(out, group.name, ratio(static_cast<double>(instructions_in(group, active)), all));
  }
}

void add_slots(std::string& out, std::string_view name, const Measurement& measurement) {
  const auto& slots = measurement.totals.of<WarpSchedulerStatistics>().slots;
  const std::uint64_t all = sum(slots.values);
  out += fmt::format("\nIssue slots ({}: {} slots)\n", name, grouped(all));
  add_bins(out, measurement.totals.view<WarpSchedulerStatistics>(), "slots");
}

void add_details(std::string& out, std::string_view name, const Measurement& measurement) {
  if (measurement.machine != ExperimentMachine::timed) {
    const CycleCauses causes = cycle_causes(measurement);
    const bool passes = measurement.machine == ExperimentMachine::multi_pass;
    out += passes ? pass_text(name, measurement) : stream_text(name, measurement);
    out += fmt::format("\nCycles ({}: {} cycles)\n", name, grouped(launch::cycles_of(measurement.totals)));
    return add_bins(out, causes.view, causes.statistic);
  }
  add_lanes(out, name, measurement);
  add_slots(out, name, measurement);
}

}  // namespace reconverge::report

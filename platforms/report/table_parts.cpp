#include "platforms/report/table_parts.hpp"

#include <fmt/format.h>

namespace reconverge::report {

namespace {

constexpr std::size_t bar_length = 50;  // of a share of one

void add_bar(std::string& out, std::string_view name, double share) {
  const std::string bar(static_cast<std::size_t>(share * static_cast<double>(bar_length) + 0.5), '#');
  out += fmt::format("  {:<12}{:>9}{}{}\n", name, percent(share), bar.empty() ? "" : "  ", bar);
}

}  // namespace

std::string grouped(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, 1, ',');
  return text;
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

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
  const StatisticsView view = measurement.totals.view<WarpSchedulerStatistics>();
  view.visit([&](const StatisticDescription& statistic, std::span<const std::uint64_t> values) {
    if (statistic.name != "slots") return;
    for (std::size_t bin = 0; bin < values.size(); ++bin) {
      add_bar(out, bin_name(statistic, bin), ratio(static_cast<double>(values[bin]), static_cast<double>(all)));
    }
  });
}

}  // namespace reconverge::report

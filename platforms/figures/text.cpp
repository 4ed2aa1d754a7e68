// SPDX-License-Identifier: Apache-2.0
#include "platforms/figures/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "models/core/figure.hpp"

namespace reconverge {

namespace {

constexpr std::size_t bar_length = 50;  // of a share of one

}  // namespace

std::string grouped(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, 1, ',');
  return text;
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

void add_bar(std::string& out, std::string_view name, double share, std::size_t name_width) {
  const std::string bar(static_cast<std::size_t>(std::lround(share * static_cast<double>(bar_length))), '#');
  out += fmt::format("  {:<{}}{:>9}{}{}\n", name, name_width, percent(share), bar.empty() ? "" : "  ", bar);
}

void add_bins(std::string& out, const StatisticsView& view, std::string_view statistic_name) {
  view.visit([&](const StatisticDescription& statistic, std::span<const std::uint64_t> values) {
    if (statistic.name != statistic_name) return;
    std::size_t name_width = default_name_width;
    for (std::size_t bin = 0; bin < values.size(); ++bin) {
      if (values[bin] != 0) name_width = std::max(name_width, bin_name(statistic, bin).size());
    }
    const auto all = static_cast<double>(sum(values));
    for (std::size_t bin = 0; bin < values.size(); ++bin) {
      if (values[bin] == 0) continue;
      add_bar(out, bin_name(statistic, bin), ratio(static_cast<double>(values[bin]), all), name_width);
    }
  });
}

}  // namespace reconverge

// SPDX-License-Identifier: Apache-2.0
#include "models/core/statistics.hpp"

#include <fmt/format.h>

#include <numeric>

namespace reconverge {

std::string bin_name(const StatisticDescription& statistic, std::size_t bin) {
  if (bin < statistic.bin_names.size()) return std::string(statistic.bin_names[bin]);
  return fmt::format("{}", bin);
}

std::vector<std::uint64_t> StatisticsView::values(const StatisticDescription& statistic) const {
  const std::span<const std::uint64_t> counters = statistic.values(statistics_);
  if (statistic.open_bin == no_bin) return {counters.begin(), counters.end()};
  const auto open = counters.subspan(statistic.open_bin, most_open_bins);
  const auto after_open = counters.subspan(statistic.open_bin + most_open_bins);
  std::vector<std::uint64_t> bins(counters.begin(), open.begin());
  if (statistic.open_bins == 0) {
    bins.push_back(sum(open));
  } else {
    bins.insert(bins.end(), open.begin(), open.begin() + static_cast<std::ptrdiff_t>(statistic.open_bins));
  }
  bins.insert(bins.end(), after_open.begin(), after_open.end());
  return bins;
}

std::uint64_t sum(std::span<const std::uint64_t> values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

}  // namespace reconverge

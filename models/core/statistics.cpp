#include "models/core/statistics.hpp"

#include <fmt/format.h>

#include <numeric>

namespace reconverge {

std::string bin_name(const StatisticDescription& statistic, std::size_t bin) {
  if (bin < statistic.bin_names.size()) return std::string(statistic.bin_names[bin]);
  return fmt::format("{}", bin);
}

std::uint64_t sum(std::span<const std::uint64_t> values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

}  // namespace reconverge

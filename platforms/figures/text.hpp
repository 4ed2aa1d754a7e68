// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Numbers and bars in tables for the terminal.

#include <cstdint>
#include <string>
#include <string_view>

#include "models/core/statistics.hpp"

namespace reconverge {

/// With commas between groups of three digits.
std::string grouped(std::uint64_t count);
/// `81.2 %`.
std::string percent(double share);

inline constexpr std::size_t default_name_width = 12;

/// A line with a name, a share and a bar of that length.
void add_bar(std::string& out, std::string_view name, double share, std::size_t name_width = default_name_width);
/// The bins of a statistic that counted something, as bars, each as a share of the sum.
void add_bins(std::string& out, const StatisticsView& view, std::string_view statistic_name);

}  // namespace reconverge

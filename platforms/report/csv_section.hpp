// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Lines of report.csv: stage,path,figure,value,unit. The total's figures come after those of all stages.

#include <span>
#include <string>
#include <string_view>

#include "models/core/statistics_tree.hpp"
#include "platforms/report/figures.hpp"

namespace reconverge::report {

inline constexpr std::string_view csv_heading = "stage,path,figure,value,unit\n";

/// Quoted if RFC 4180 requires it.
std::string csv_field(std::string_view text);

void add_csv_figures(std::string& out, std::string_view stage, std::span<const Figure> figures);
void add_csv_counters(std::string& out, std::string_view stage, const Statistics& totals);

}  // namespace reconverge::report

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Figures of machines without warps: instructions of lanes, and the causes of cycles.

#include <string>
#include <string_view>
#include <vector>

#include "models/core/figure.hpp"
#include "platforms/figures/measurement.hpp"

namespace reconverge {

/// A row of a block's counters that accounts for all of its cycles, by cause.
struct CycleCauses {
  StatisticsView view;
  std::string_view statistic;
  std::string_view block;  ///< in formulas
};

void add_cycle_figures(const Measurement& measurement, const CycleCauses& causes, std::vector<Figure>& list);
/// The causes as bars. `subject` is what was measured.
std::string cycle_bars(std::string_view subject, const Measurement& measurement, const CycleCauses& causes);

}  // namespace reconverge

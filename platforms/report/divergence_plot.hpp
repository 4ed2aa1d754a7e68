// SPDX-License-Identifier: Apache-2.0
#pragma once
/// What issue slots were used for over time, in the ten classes of Steffen and Zambreno, MICRO 2010, Figs. 3, 7 and 9.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/report/run_report.hpp"

namespace reconverge::report {

/// Slots without a warp, slots in which warps stalled, and instructions by number of active lanes.
inline constexpr std::array<std::string_view, 10> divergence_classes{"empty",  "waiting", "W0:4",   "W5:8",   "W9:12",
                                                                     "W13:16", "W17:20",  "W21:24", "W25:28", "W29:32"};

struct DivergencePlot {
  /// Issue slots of some cycles.
  struct Interval {
    std::uint64_t begin = 0;  ///< first cycle, counted from the begin of the first stage
    std::uint64_t slots = 0;
    std::array<std::uint64_t, divergence_classes.size()> of_class{};
  };
  /// A stage, from its first cycle on.
  struct Mark {
    std::string stage;
    std::uint64_t begin = 0;
  };
  std::uint64_t cycles = 0;  ///< total
  std::vector<Interval> intervals;
  std::vector<Mark> marks;
};

/// Slots by class.
std::array<std::uint64_t, divergence_classes.size()> slots_by_class(const SlotCounts& slots);

/// A run of a kernel, and its history.
struct PlottedRun {
  std::string name;
  const RunHistory* history;  ///< without samples: left out
};

/// Of these runs, one after the other.
DivergencePlot divergence_plot(std::span<const PlottedRun> runs);
/// Of the parts in the main sum.
DivergencePlot divergence_plot(const RunReport& report);

/// A stacked area chart: shares of the slots over cycles.
std::string svg_of(const DivergencePlot& plot, std::string_view title);

/// One line for each interval: its first cycle, its slots, and the share of each class in them.
std::string csv_of(const DivergencePlot& plot);

}  // namespace reconverge::report

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Pictures of a page as SVG: measured and published figures of a paper's figure, and all claims with their ranges.

#include <optional>
#include <string>
#include <vector>

#include "platforms/reproduction/figures.hpp"

namespace reconverge::reproduction {

struct ChartPoint {
  std::string x;
  std::optional<double> y;
};

struct ChartSeries {
  std::string name;
  bool published = false;
  std::vector<ChartPoint> points;
};

struct Chart {
  std::string title;
  std::string x;
  std::string y;
  bool bars = false;
  std::vector<ChartSeries> series;
};

/// The series of an answer with the columns x, series and y, in their order.
std::vector<ChartSeries> series_of(const sweep::Answer& answer);

/// Values of x have equal distances, in the order of the first series that has them. Published series are hatched or
/// dashed.
std::string svg_of(const Chart& chart);

/// Each point has a number, and the legend their names. Both axes are logarithmic and equal, and x = y is a line.
/// Points that are not positive are left out.
std::string scatter_svg(const Chart& chart);

/// A line for each figure of each claim that has an accepted range: the range as a bar, the measured figure as a dot on
/// it, and the published figure as a tick.
std::string svg_of(const std::string& title, const std::vector<JudgedClaim>& claims);

}  // namespace reconverge::reproduction

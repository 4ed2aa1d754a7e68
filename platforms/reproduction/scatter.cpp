// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "platforms/reproduction/chart.hpp"
#include "platforms/specification/svg.hpp"

namespace reconverge::reproduction {

namespace {

using specification::escaped;
using specification::Svg;

// In pixels.
constexpr double left = 60;
constexpr double top = 20;
constexpr double side = 400;
constexpr double legend = left + side + 30;
constexpr double legend_line = 18;
constexpr std::string_view style = "text { font: 12px sans-serif; fill: #222 } .small { font-size: 9px }";

struct Dot {
  std::string name;
  double x = 0;  ///< logarithms to the base ten
  double y = 0;
};

std::vector<Dot> dots_of(const Chart& chart) {
  std::vector<Dot> dots;
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& point : series.points) {
      double x = 0;
      std::from_chars(point.x.data(), point.x.data() + point.x.size(), x);
      if (x > 0 && point.y && *point.y > 0) dots.push_back({series.name, std::log10(x), std::log10(*point.y)});
    }
  }
  return dots;
}

}  // namespace

std::string scatter_svg(const Chart& chart) {
  const std::vector<Dot> dots = dots_of(chart);
  double low = dots.empty() ? 0 : dots.front().x;
  double high = low + 1;
  for (const Dot& dot : dots) {
    low = std::min({low, dot.x, dot.y});
    high = std::max({high, dot.x, dot.y});
  }
  low = std::floor(low);
  high = std::ceil(high);
  const auto x_of = [&](double x) { return left + side * (x - low) / (high - low); };
  const auto y_of = [&](double y) { return top + side * (high - y) / (high - low); };
  const double height = std::max(side + 50, legend_line * static_cast<double>(dots.size())) + top;
  Svg svg(760, static_cast<std::size_t>(height), chart.title, style);
  svg.add(R"(<path d="M{0} {1} V{2} H{3}" fill="none" stroke="#444"/>)", left, top, top + side, left + side);
  svg.add(R"(<path d="M{0} {2} L{3} {1}" stroke="#999"/>)", left, top, top + side, left + side);
  for (double power = low; power <= high; ++power) {
    svg.add(R"(<text x="{:.1f}" y="{}" text-anchor="middle">10^{:.0f}</text>)", x_of(power), top + side + 18, power);
    svg.add(R"(<text x="{}" y="{:.1f}" text-anchor="end">10^{:.0f}</text>)", left - 6, y_of(power) + 4, power);
  }
  svg.add(R"(<text x="{}" y="{}" text-anchor="middle">{}</text>)", left + side / 2, top + side + 40, escaped(chart.x));
  svg.add(R"-(<text transform="translate(16 {}) rotate(-90)" text-anchor="middle">{}</text>)-", top + side / 2,
          escaped(chart.y));
  for (std::size_t i = 0; i < dots.size(); ++i) {
    const Dot& dot = dots[i];
    svg.add(R"(<circle cx="{:.1f}" cy="{:.1f}" r="4" fill="#1f5fa8"/>)", x_of(dot.x), y_of(dot.y));
    svg.add(R"(<text class="small" x="{:.1f}" y="{:.1f}">{}</text>)", x_of(dot.x) + 6, y_of(dot.y) + 12, i + 1);
    svg.add(R"(<text x="{}" y="{}">{} {}</text>)", legend, top + legend_line * (static_cast<double>(i) + 0.7), i + 1,
            escaped(dot.name));
  }
  return std::move(svg).text();
}

}  // namespace reconverge::reproduction

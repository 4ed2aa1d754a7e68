// SPDX-License-Identifier: Apache-2.0
#include "platforms/reproduction/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "platforms/specification/svg.hpp"

namespace reconverge::reproduction {

namespace {

using specification::escaped;
using specification::Svg;

// In pixels.
constexpr double left = 70;
constexpr double top = 40;
constexpr double plot_width = 560;
constexpr double plot_height = 260;
constexpr double legend_line = 18;
constexpr double foot = 56;

constexpr std::array<std::string_view, 6> colours{"#1f5fa8", "#d1690e", "#2f8a4c", "#8c4fa3", "#a8342f", "#6b6b6b"};
constexpr std::string_view style =
    "text { font: 12px sans-serif; fill: #222 } .title { font-weight: bold } .axis { stroke: #888 } "
    ".grid { stroke: #e4e4e4 } .small { font-size: 11px }";

/// Of bars for published figures.
constexpr std::string_view hatching =
    R"-(<defs><pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">)-"
    R"-(<rect width="5" height="5" fill="#eee"/><rect width="2" height="5" fill="#777"/></pattern></defs>)-";

/// A step of 1, 2 or 5 times a power of ten, so that the range has about five.
double step_of(double range) {
  const double rough = range / 5;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough) return factor * power;
  return 10 * power;
}

std::string short_number(double value) { return fmt::format("{:.4g}", value); }

class Plot {
 public:
  explicit Plot(const Chart& chart) : chart_(chart) {
    for (const ChartSeries& series : chart.series) {
      for (const ChartPoint& point : series.points) {
        if (std::ranges::find(places_, point.x) == places_.end()) places_.push_back(point.x);
        if (!point.y) continue;
        low_ = std::min(low_, *point.y);
        high_ = std::max(high_, *point.y);
      }
    }
    if (low_ > high_) low_ = high_ = 0;
    // Bars begin at zero, and so do lines that come near it.
    if (chart.bars || (low_ > 0 && low_ < high_ / 2)) low_ = std::min(low_, 0.0);
    if (high_ == low_) high_ = low_ + 1;
    step_ = step_of(high_ - low_);
    low_ = std::floor(low_ / step_) * step_;
    high_ = std::ceil(high_ / step_) * step_;
  }

  std::string text() const {
    const double height = top + plot_height + foot + legend_line * static_cast<double>((chart_.series.size() + 1) / 2);
    Svg svg(static_cast<std::size_t>(left + plot_width + 20), static_cast<std::size_t>(height), chart_.title, style);
    svg.add("{}", hatching);
    svg.add(R"(<text class="title" x="{}" y="20">{}</text>)", left, escaped(chart_.title));
    add_axes(svg);
    std::size_t colour = 0;
    for (std::size_t i = 0; i < chart_.series.size(); ++i) {
      const std::string_view ink = chart_.series[i].published ? "#777" : colours.at(colour++ % colours.size());
      if (chart_.bars) {
        add_bars(svg, i, ink);
      } else {
        add_line(svg, chart_.series[i], ink);
      }
      add_legend(svg, i, ink);
    }
    return std::move(svg).text();
  }

 private:
  double x_of(const std::string& x) const {
    const auto place = static_cast<double>(std::ranges::find(places_, x) - places_.begin());
    return left + plot_width * (place + 0.5) / static_cast<double>(places_.size());
  }
  double y_of(double y) const { return top + plot_height * (1 - (y - low_) / (high_ - low_)); }

  void add_axes(Svg& svg) const {
    for (double y = low_; y <= high_ + step_ / 2; y += step_) {
      svg.add(R"(<line class="grid" x1="{0}" y1="{2:.1f}" x2="{1}" y2="{2:.1f}"/>)", left, left + plot_width, y_of(y));
      svg.add(R"(<text x="{}" y="{:.1f}" text-anchor="end">{}</text>)", left - 6, y_of(y) + 4,
              short_number(std::abs(y) < step_ / 1000 ? 0 : y));
    }
    svg.add(R"(<line class="axis" x1="{0}" y1="{2}" x2="{1}" y2="{2}"/>)", left, left + plot_width, top + plot_height);
    for (const std::string& x : places_)
      svg.add(R"(<text class="small" x="{:.1f}" y="{}" text-anchor="middle">{}</text>)", x_of(x),
              top + plot_height + 16, escaped(x));
    svg.add(R"(<text x="{}" y="{}" text-anchor="middle">{}</text>)", left + plot_width / 2, top + plot_height + 36,
            escaped(chart_.x));
    svg.add(R"-(<text transform="translate(16 {}) rotate(-90)" text-anchor="middle">{}</text>)-", top + plot_height / 2,
            escaped(chart_.y));
  }

  void add_bars(Svg& svg, std::size_t index, std::string_view ink) const {
    const ChartSeries& series = chart_.series[index];
    const double group = 0.8 * plot_width / static_cast<double>(places_.size());
    const double width = group / static_cast<double>(chart_.series.size());
    for (const ChartPoint& point : series.points) {
      if (!point.y) continue;
      const double x = x_of(point.x) - group / 2 + width * static_cast<double>(index);
      const double y0 = y_of(std::max(0.0, low_));
      const double y1 = y_of(*point.y);
      svg.add(R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="{}"><title>{}</title></rect>)", x,
              std::min(y0, y1), std::max(width - 1, 1.0), std::abs(y0 - y1), series.published ? "url(#hatch)" : ink,
              label(series, point));
    }
  }

  void add_line(Svg& svg, const ChartSeries& series, std::string_view ink) const {
    std::string points;
    for (const ChartPoint& point : series.points)
      if (point.y) fmt::format_to(std::back_inserter(points), "{:.1f},{:.1f} ", x_of(point.x), y_of(*point.y));
    svg.add(R"(<polyline points="{}" fill="none" stroke="{}" stroke-width="2"{}/>)", points, ink,
            series.published ? R"( stroke-dasharray="6 4")" : "");
    for (const ChartPoint& point : series.points) {
      if (!point.y) continue;
      svg.add(R"(<circle cx="{:.1f}" cy="{:.1f}" r="3.5" fill="{}" stroke="{}"><title>{}</title></circle>)",
              x_of(point.x), y_of(*point.y), series.published ? "#fff" : ink, ink, label(series, point));
    }
  }

  static std::string label(const ChartSeries& series, const ChartPoint& point) {
    return escaped(fmt::format("{}, {}: {}", series.name, point.x, short_number(*point.y)));
  }

  void add_legend(Svg& svg, std::size_t index, std::string_view ink) const {
    const double x = left + plot_width / 2 * static_cast<double>(index % 2);
    const double y = top + plot_height + foot + legend_line * static_cast<double>(index / 2);
    const ChartSeries& series = chart_.series[index];
    if (chart_.bars) {
      svg.add(R"(<rect x="{}" y="{}" width="14" height="10" fill="{}"/>)", x, y - 9,
              series.published ? "url(#hatch)" : ink);
    } else {
      svg.add(R"(<line x1="{}" y1="{}" x2="{}" y2="{}" stroke="{}" stroke-width="2"{}/>)", x, y - 4, x + 14, y - 4, ink,
              series.published ? R"( stroke-dasharray="4 3")" : "");
    }
    svg.add(R"(<text x="{}" y="{}">{}</text>)", x + 20, y, escaped(series.name));
  }

  const Chart& chart_;
  std::vector<std::string> places_;  ///< values of x
  double low_ = 1e300;
  double high_ = -1e300;
  double step_ = 1;
};

std::optional<double> real_of(const sweep::Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

/// A figure of a claim. Places are relative to its range: 0 is the lowest accepted value, 1 the highest.
struct ClaimLine {
  std::string name;
  std::string numbers;
  std::optional<double> measured;
  std::optional<double> published;
};

std::optional<double> place_in(const std::pair<double, double>& range, std::optional<double> value) {
  if (!value) return std::nullopt;
  const double width = range.second - range.first;
  if (width != 0) return (*value - range.first) / width;
  return *value == range.first ? 0.5 : *value < range.first ? -1.0 : 2.0;
}

std::vector<ClaimLine> lines_of(const std::vector<JudgedClaim>& claims) {
  std::vector<ClaimLine> lines;
  for (const JudgedClaim& judged : claims) {
    for (std::size_t i = 0; i < judged.claim->parts.size(); ++i) {
      const ClaimPart& part = judged.claim->parts[i];
      const auto* range = std::get_if<std::pair<double, double>>(&part.accepted);
      if (range == nullptr) continue;
      const std::string& format = judged.claim->format;
      lines.push_back({judged.claim->id + (part.name.empty() ? "" : ": " + part.name),
                       fmt::format("{} in {} to {}", formatted(judged.measured[i], format),
                                   formatted(range->first, format), formatted(range->second, format)),
                       place_in(*range, real_of(judged.measured[i])), place_in(*range, part.published_number)});
    }
  }
  return lines;
}

}  // namespace

std::vector<ChartSeries> series_of(const sweep::Answer& answer) {
  std::vector<ChartSeries> all;
  for (const auto& row : answer.rows) {
    const std::string name = sweep::text_of(row.at(1));
    auto found = std::ranges::find(all, name, &ChartSeries::name);
    if (found == all.end()) found = all.insert(all.end(), {name, name.starts_with("paper"), {}});
    found->points.push_back({sweep::text_of(row[0]), real_of(row.at(2))});
  }
  return all;
}

std::string svg_of(const Chart& chart) { return Plot(chart).text(); }

std::string svg_of(const std::string& title, const std::vector<JudgedClaim>& claims) {
  constexpr double letter = 6.3;  // width of an average one
  constexpr double band = 120;    // width of the accepted range
  constexpr double outside = 90;  // on each side
  constexpr double line_height = 20;
  const std::vector<ClaimLine> lines = lines_of(claims);
  double names = 100;  // width of the column
  for (const ClaimLine& line : lines) names = std::max(names, letter * static_cast<double>(line.name.size()) + 20);
  const double height = top + line_height * static_cast<double>(lines.size()) + 20;
  Svg svg(static_cast<std::size_t>(names + band + 2 * outside + 190), static_cast<std::size_t>(height), title, style);
  svg.add(R"(<text class="title" x="10" y="20">{}</text>)", escaped(title));
  const double begin = names + outside;
  svg.add(R"(<rect x="{}" y="{}" width="{}" height="{}" fill="#e3efe3"/>)", begin, top - 8, band, height - top - 4);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const ClaimLine& line = lines[i];
    const double y = top + line_height * (static_cast<double>(i) + 0.4);
    svg.add(R"(<text class="small" x="{}" y="{:.1f}" text-anchor="end">{}</text>)", names - 8, y + 4,
            escaped(line.name));
    svg.add(R"(<line class="grid" x1="{}" y1="{:.1f}" x2="{}" y2="{:.1f}"/>)", names, y, names + band + 2 * outside, y);
    svg.add(R"(<text class="small" x="{}" y="{:.1f}">{}</text>)", names + band + 2 * outside + 8, y + 4,
            escaped(line.numbers));
    // Figures far outside are at the edge.
    const auto x_of = [&](double place) {
      return std::clamp(begin + band * place, names + 4, names + band + 2 * outside - 4);
    };
    if (line.published)
      svg.add(R"(<line x1="{0:.1f}" y1="{1:.1f}" x2="{0:.1f}" y2="{2:.1f}" stroke="#222" stroke-width="2"/>)",
              x_of(*line.published), y - 7, y + 7);
    if (!line.measured) continue;
    const bool inside = *line.measured >= 0 && *line.measured <= 1;
    svg.add(R"(<circle cx="{:.1f}" cy="{:.1f}" r="5" fill="{}"/>)", x_of(*line.measured), y,
            inside ? "#2f8a4c" : "#c0392b");
  }
  return std::move(svg).text();
}

}  // namespace reconverge::reproduction

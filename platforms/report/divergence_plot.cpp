// SPDX-License-Identifier: Apache-2.0
#include "platforms/report/divergence_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace reconverge::report {

namespace {

// In units of the picture.
constexpr double left = 60;
constexpr double top = 40;
constexpr double width = 720;
constexpr double height = 300;
constexpr double legend = left + width + 20;

// Lost slots are grey; the more lanes, the darker.
constexpr std::array<std::string_view, divergence_classes.size()> colours{
    "#ffffff", "#d9d9d9", "#ffffcc", "#ffeda0", "#fed976", "#feb24c", "#fd8d3c", "#fc4e2a", "#e31a1c", "#800026"};

std::size_t class_of(std::size_t lanes) { return lanes <= 4 ? 2 : 2 + (lanes - 1) / 4; }

double share(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(all);
}

double x_of(std::uint64_t cycle, const DivergencePlot& plot) { return left + width * share(cycle, plot.cycles); }

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '<') {
      result += "&lt;";
    } else if (c == '&') {
      result += "&amp;";
    } else {
      result += c;
    }
  }
  return result;
}

/// The area of a class: along its upper edge, then back along the lower one.
std::string area(const DivergencePlot& plot, std::size_t of_class) {
  std::string upper;
  std::string lower;
  for (std::size_t i = 0; i < plot.intervals.size(); ++i) {
    const DivergencePlot::Interval& one = plot.intervals[i];
    // Full warps are at the bottom.
    std::uint64_t below = 0;
    for (std::size_t k = of_class + 1; k < one.of_class.size(); ++k) below += one.of_class[k];
    const double y0 = top + height * (1 - share(below, one.slots));
    const double y1 = top + height * (1 - share(below + one.of_class[of_class], one.slots));
    const double x0 = x_of(one.begin, plot);
    const double x1 = x_of(i + 1 < plot.intervals.size() ? plot.intervals[i + 1].begin : plot.cycles, plot);
    fmt::format_to(std::back_inserter(upper), "{:.1f},{:.1f} {:.1f},{:.1f} ", x0, y1, x1, y1);
    lower = fmt::format("{:.1f},{:.1f} {:.1f},{:.1f} ", x1, y0, x0, y0) + lower;
  }
  return upper + lower;
}

std::string text_at(double x, double y, std::string_view anchor, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, escaped(text));
}

}  // namespace

std::array<std::uint64_t, divergence_classes.size()> slots_by_class(const SlotCounts& slots) {
  std::array<std::uint64_t, divergence_classes.size()> counts{slots.empty(), slots.waiting()};
  for (std::size_t lanes = 0; lanes < slots.issued.size(); ++lanes) counts[class_of(lanes)] += slots.issued[lanes];
  return counts;
}

DivergencePlot divergence_plot(std::span<const PlottedRun> runs) {
  DivergencePlot plot;
  for (const PlottedRun& run : runs) {
    if (run.history->samples.empty()) continue;
    plot.marks.push_back({run.name, plot.cycles});
    for (const IntervalCounts& sample : run.history->samples) {
      plot.intervals.push_back({plot.cycles + sample.begin, sample.slots.all(), slots_by_class(sample.slots)});
    }
    plot.cycles += run.history->cycles;
  }
  return plot;
}

DivergencePlot divergence_plot(const RunReport& report) {
  std::vector<PlottedRun> runs;
  for (const Part& part : report.parts()) {
    if (part.is_main) runs.push_back({std::string(part.name), &part.cost->history});
  }
  return divergence_plot(runs);
}

std::string svg_of(const DivergencePlot& plot, std::string_view title) {
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
      legend + 90, top + height + 50);
  svg += text_at(left, top - 16, "start", fmt::format("{}: issue slots by the lanes that executed", title));
  for (std::size_t k = divergence_classes.size(); k-- > 0;) {
    svg += fmt::format("<polygon fill=\"{}\" points=\"{}\"/>\n", colours[k], area(plot, k));
    const double y = top + 22.0 * static_cast<double>(k);
    svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"14\" height=\"14\" fill=\"{}\" stroke=\"#808080\"/>\n", legend,
                       y, colours[k]);
    svg += text_at(legend + 20, y + 12, "start", divergence_classes[k]);
  }
  svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#000000\"/>\n", left,
                     top, width, height);
  for (unsigned percent = 0; percent <= 100; percent += 25) {
    svg += text_at(left - 6, top + height * (1 - percent / 100.0) + 4, "end", fmt::format("{} %", percent));
  }
  for (unsigned part = 0; part <= 4; ++part) {
    const std::uint64_t cycle = plot.cycles * part / 4;
    svg += text_at(x_of(cycle, plot), top + height + 18, "middle", fmt::format("{}", cycle));
  }
  svg += text_at(left + width / 2, top + height + 38, "middle", "cycles");
  for (const DivergencePlot::Mark& mark : plot.marks) {
    if (mark.begin == 0) continue;
    const double x = x_of(mark.begin, plot);
    svg += fmt::format("<path d=\"M{0:.1f},{1} V{2}\" stroke=\"#0000ff\" stroke-dasharray=\"4\"/>\n", x, top,
                       top + height);
    svg += text_at(x + 3, top + 12, "start", mark.stage);
  }
  return svg + "</svg>\n";
}

std::string csv_of(const DivergencePlot& plot) {
  std::string csv = "cycle,slots";
  for (const std::string_view name : divergence_classes) (csv += ',') += name;
  csv += '\n';
  for (const DivergencePlot::Interval& one : plot.intervals) {
    fmt::format_to(std::back_inserter(csv), "{},{}", one.begin, one.slots);
    for (const std::uint64_t count : one.of_class) {
      fmt::format_to(std::back_inserter(csv), ",{:.6f}", share(count, one.slots));
    }
    csv += '\n';
  }
  return csv;
}

}  // namespace reconverge::report

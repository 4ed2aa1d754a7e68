// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>

#include "platforms/report/csv_section.hpp"
#include "platforms/report/documents.hpp"
#include "platforms/report/figures.hpp"

namespace reconverge::report {

namespace {

void add_section(std::string& out, const Section& section) {
  std::vector<Figure> figures = section.figures();
  add_csv_figures(out, section.name, figures);
  if (const std::vector<double> half_widths = section.half_widths(); !half_widths.empty()) {
    for (std::size_t i = 0; i < figures.size(); ++i) {
      figures[i].name += ".half_width";
      figures[i].value = half_widths[i];
    }
    add_csv_figures(out, section.name, figures);
  }
  if (section.measurement) add_csv_counters(out, section.name, section.measurement->totals);
}

}  // namespace

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

void add_csv_figures(std::string& out, std::string_view stage, std::span<const Figure> figures) {
  for (const Figure& figure : figures) {
    fmt::format_to(std::back_inserter(out), "{},,{},{},{}\n", csv_field(stage), figure.name, figure.value,
                   csv_field(figure.unit));
  }
}

void add_csv_counters(std::string& out, std::string_view stage_name, const Statistics& totals) {
  const auto to = std::back_inserter(out);
  const std::string stage = csv_field(stage_name);
  totals.visit([&](std::string_view path, const StatisticsView& view) {
    view.visit([&](const StatisticDescription& statistic, std::span<const std::uint64_t> counters) {
      for (std::size_t bin = 0; bin < counters.size(); ++bin) {
        const std::string suffix = statistic.bins == 0 ? std::string() : '.' + bin_name(statistic, bin);
        fmt::format_to(to, "{},{},{}{},{},{}\n", stage, path, statistic.name, suffix, counters[bin],
                       csv_field(statistic.unit));
      }
    });
  });
}

std::string csv_report(const RunReport& report) {
  std::string out(csv_heading);
  for (const Section& section : report.sections()) add_section(out, section);
  for (const Section& sum : report.sums()) add_section(out, sum);
  return out;
}

}  // namespace reconverge::report

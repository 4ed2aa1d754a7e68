#include <fmt/format.h>

#include <iterator>

#include "platforms/report/documents.hpp"

namespace reconverge::report {

namespace {

/// Quoted where RFC 4180 asks for it.
std::string field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

void add_section(std::string& out, const Section& section) {
  const auto to = std::back_inserter(out);
  const std::string stage = field(section.name);
  for (const Figure& figure : figures(section.measurement)) {
    fmt::format_to(to, "{},,{},{},{}\n", stage, figure.name, figure.value, field(figure.unit));
  }
  section.measurement.totals.visit([&](std::string_view path, const StatisticsView& view) {
    view.visit([&](const StatisticDescription& statistic, std::span<const std::uint64_t> counters) {
      for (std::size_t bin = 0; bin < counters.size(); ++bin) {
        const std::string suffix = statistic.bins == 0 ? std::string() : '.' + bin_name(statistic, bin);
        fmt::format_to(to, "{},{},{}{},{},{}\n", stage, path, statistic.name, suffix, counters[bin],
                       field(statistic.unit));
      }
    });
  });
}

}  // namespace

std::string csv_report(const RunReport& report) {
  std::string out = "stage,path,figure,value,unit\n";
  for (const Section& stage : report.stages()) add_section(out, stage);
  add_section(out, report.tracing());
  add_section(out, report.total());
  return out;
}

}  // namespace reconverge::report

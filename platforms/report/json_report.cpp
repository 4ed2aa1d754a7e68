// SPDX-License-Identifier: Apache-2.0
#include <boost/json/value.hpp>
#include <utility>

#include "platforms/configuration/json_text.hpp"
#include "platforms/profile/profile.hpp"
#include "platforms/report/build_info.hpp"
#include "platforms/report/documents.hpp"
#include "platforms/report/format/report_format.hpp"
#include "platforms/report/json_section.hpp"
#include "platforms/report/timeline_json.hpp"

namespace reconverge::report {

namespace {

namespace json = boost::json;

void add_values(json::object& object, const Section& section) {
  const std::vector<Figure> figures = section.figures();
  object["figures"] = values_of(figures);
  if (std::vector<double> half_widths = section.half_widths(); !half_widths.empty()) {
    std::vector<Figure> widths = figures;
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i].value = half_widths[i];
    object["half_widths"] = values_of(widths);
  }
  object["counters"] = section.measurement ? values_of(section.measurement->totals) : json::object{};
}

json::object checks_of(const RunReport& report) {
  json::object checks;
  for (const Check& check : report.checks()) checks[check.name] = check.passed;
  return checks;
}

json::object definitions_of(const Section& section) {
  return {{"figures", define(section.figures())},
          {"counters", section.measurement ? define_counters(section.measurement->totals) : json::object{}}};
}

std::uint64_t simulated_cycles(const RunReport& report) {
  std::uint64_t cycles = 0;
  for (const Part& part : report.parts()) cycles += part.cost->simulated_cycles();
  return cycles;
}

json::object sample_json(const sampling::Sample& sample) {
  return {{"unit", sample.unit}, {"whole", sample.whole}, {"simulated", sample.simulated}, {"batches", sample.batches}};
}

json::array parts_of(const RunReport& report) {
  json::array parts;
  for (std::size_t i = 0; i < report.parts().size(); ++i) {
    const launch::LaunchResult& cost = *report.parts()[i].cost;
    json::object part = report.outcome().part_json(i);
    if (const auto& profile = report.profiles()[i]) part["profile"] = profile_json(*profile);
    if (cost.history.interval != 0) part["timeline"] = timeline_json(cost.history, *cost.counters);
    if (cost.sample) part["sample"] = sample_json(*cost.sample);
    if (!cost.in_full.empty()) part["simulated_in_full"] = cost.in_full;
    add_values(part, report.sections()[i]);
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace

std::string json_report(const RunReport& report) {
  const Outcome& outcome = report.outcome();
  const ReportShape shape = outcome.shape();
  const std::optional<Measurement>& measurement = report.main_sum().measurement;
  json::object document{{"format", shape.format},
                        {"schema_version", schema_version},
                        {"program_version", build_info().version},
                        {"experiment", report.parameters().name},
                        {"partial", report.partial()}};
  if (const SamplingParameters& sampling = report.parameters().sample; sampling.every > 1) {
    document["sampling"] = {{"every", sampling.every},
                            {"consecutive", sampling.consecutive},
                            {"confidence", sampling.confidence},
                            {"estimated", !report.total().estimates.empty()},
                            {"simulated_cycles", simulated_cycles(report)}};
  }
  outcome.add_subject(document, report.machine());
  document["checks"] = checks_of(report);
  outcome.add_results(document, report.place());
  document["definitions"] = definitions_of(report.total());
  document["notes"] = measurement ? notes_json(report.parameters(), *measurement) : json::object{};
  document[shape.parts] = parts_of(report);
  for (const Section& sum : report.sums()) {
    json::object values{{"name", sum.name}};
    add_values(values, sum);
    document[sum.name] = std::move(values);
  }
  return configuration::pretty(document);
}

}  // namespace reconverge::report

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/json.hpp>

#include "platforms/configuration/json_text.hpp"
#include "platforms/report/build_info.hpp"
#include "platforms/report/json_section.hpp"
#include "platforms/report/launch_report.hpp"
#include "platforms/report/profile.hpp"
#include "platforms/report/timeline_json.hpp"
#include "platforms/report/traffic.hpp"

namespace reconverge::report {

namespace {

namespace json = boost::json;

json::array extents(const Dim3& extent) { return {extent.x, extent.y, extent.z}; }

void add_values(json::object& object, const LaunchSection& section) {
  object["figures"] = values_of(section.figures());
  object["counters"] = section.measurement ? values_of(section.measurement->totals) : json::object{};
}

json::array launches_of(const LaunchReport& report) {
  json::array launches;
  for (std::size_t i = 0; i < report.launches().size(); ++i) {
    const launch::PlannedLaunch& planned = report.plan().launches[i];
    const kernel::Program& program = *planned.program;
    json::object launch{{"name", planned.name},
                        {"kernel", program.name},
                        {"grid", extents(planned.grid)},
                        {"block", extents(planned.block)},
                        {"registers", program.registers},
                        {"shared_bytes", program.shared_bytes + planned.dynamic_shared_bytes},
                        {"runs", report.result().launches[i].runs},
                        {"completed", report.result().launches[i].completed}};
    if (const auto& result = report.result().launches[i]; !result.traffic.empty()) {
      launch["parts"] = parts_json(result.parts);
      launch["traffic"] = traffic_json(result.traffic);
    }
    if (const auto& profile = report.profiles()[i]) launch["profile"] = profile_json(*profile);
    if (const auto& result = report.result().launches[i]; result.history.interval != 0) {
      launch["timeline"] = timeline_json(result.history, *result.counters);
    }
    add_values(launch, report.launches()[i]);
    launches.push_back(std::move(launch));
  }
  return launches;
}

/// A file relative to the experiment's, or how else the values were given.
std::string against(const LaunchReport& report, const launch::PlannedCheck& check) {
  const std::vector<std::string>& files = report.plan().files;
  return std::ranges::find(files, check.against) == files.end() ? check.against : report.place().shown(check.against);
}

json::array expected_of(const LaunchReport& report) {
  json::array checks;
  for (std::size_t i = 0; i < report.result().checks.size(); ++i) {
    const launch::Comparison& comparison = report.result().checks[i];
    const launch::PlannedCheck& planned = report.plan().checks[i];
    json::array first;
    for (const launch::Difference& difference : comparison.first) {
      first.push_back(
          {{"index", planned.first + difference.index}, {"got", difference.got}, {"expected", difference.expected}});
    }
    checks.push_back({{"buffer", report.plan().buffers[planned.buffer].name},
                      {"against", against(report, planned)},
                      {"absolute", number(planned.tolerance.absolute)},
                      {"relative", number(planned.tolerance.relative)},
                      {"ulps", planned.tolerance.ulps},
                      {"values", comparison.values},
                      {"differing", comparison.differing},
                      {"largest_absolute", number(comparison.largest_absolute)},
                      {"largest_relative", number(comparison.largest_relative)},
                      {"first", std::move(first)}});
  }
  return checks;
}

json::array buffers_of(const LaunchReport& report) {
  json::array buffers;
  for (const launch::PlannedBuffer& buffer : report.plan().buffers) {
    buffers.push_back({{"name", buffer.name},
                       {"type", to_string(buffer.type)},
                       {"shape", json::array(buffer.shape.begin(), buffer.shape.end())}});
  }
  return buffers;
}

json::array outputs_of(const LaunchReport& report) {
  json::array outputs;
  for (std::size_t i = 0; i < report.result().outputs.size(); ++i) {
    const launch::PlannedOutput& output = report.plan().outputs[i];
    outputs.push_back({{"file", output.file}, {"buffer", report.plan().buffers[output.buffer].name}});
  }
  return outputs;
}

}  // namespace

std::string json_report(const LaunchReport& report) {
  const LaunchChecks& checks = report.checks();
  json::object platform{{"machine", to_string(report.parameters().machine)}};
  const json::object facts = facts_of(report.parameters());
  platform.insert(facts.begin(), facts.end());
  const std::optional<Measurement>& measurement = report.total().measurement;
  json::object total{{"name", report.total().name}};
  add_values(total, report.total());
  const json::value document{{"format", "reconverge launch report"},
                             {"schema_version", schema_version},
                             {"program_version", build_info().version},
                             {"experiment", report.parameters().name},
                             {"partial", report.partial()},
                             {"platform", std::move(platform)},
                             {"checks", {{"expected_agree", checks.expected}, {"issue_slots_add_up", checks.slots}}},
                             {"buffers", buffers_of(report)},
                             {"expected", expected_of(report)},
                             {"outputs", outputs_of(report)},
                             {"definitions",
                              {{"figures", define(report.total().figures())},
                               {"counters", measurement ? define_counters(measurement->totals) : json::object{}}}},
                             {"notes", measurement ? notes_json(report.parameters(), *measurement) : json::object{}},
                             {"launches", launches_of(report)},
                             {"total", std::move(total)}};
  return configuration::pretty(document);
}

}  // namespace reconverge::report

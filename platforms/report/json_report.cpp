// SPDX-License-Identifier: Apache-2.0
#include <boost/json.hpp>

#include "platforms/configuration/json_text.hpp"
#include "platforms/machines/machines.hpp"
#include "platforms/report/build_info.hpp"
#include "platforms/report/documents.hpp"
#include "platforms/report/figures.hpp"
#include "platforms/report/json_section.hpp"
#include "platforms/report/profile.hpp"
#include "platforms/report/timeline_json.hpp"
#include "platforms/report/traffic.hpp"

namespace reconverge::report {

namespace {

namespace json = boost::json;

json::object hit(const scenes::Hit& hit) {
  return {{"triangle", hit.triangle}, {"t", number(hit.t)}, {"u", number(hit.u)}, {"v", number(hit.v)}};
}

json::object hits_of(const scenes::HitComparison& hits) {
  json::array examples;
  for (const scenes::HitMismatch& mismatch : hits.examples) {
    examples.push_back({{"ray", mismatch.ray},
                        {"expected", hit(mismatch.expected)},
                        {"actual", hit(mismatch.actual)},
                        {"reason", mismatch.reason}});
  }
  return {{"checked", hits.rays},
          {"equal", hits.equal},
          {"ties", hits.ties},
          {"edges", hits.edges},
          {"mismatches", hits.mismatches},
          {"max_relative_distance_error", number(hits.max_relative_distance_error)},
          {"examples", std::move(examples)}};
}

json::object section(const Section& section) {
  return {{"name", section.name},
          {"figures", values_of(figures(section.measurement))},
          {"counters", values_of(section.measurement.totals)}};
}

json::array stages_of(const RunReport& report) {
  json::array stages;
  for (std::size_t i = 0; i < report.stages().size(); ++i) {
    const Stage& stage = report.result().stages[i];
    json::object entry{{"name", stage.name},
                       {"kernel", stage.kernel},
                       {"completed", stage.completed},
                       {"rays", stage.rays},
                       {"rays_done", stage.rays_done}};
    if (!stage.traffic.empty()) entry["traffic"] = traffic_json(stage.traffic);
    if (stage.rays != 0 && stage.completed) entry["hits"] = hits_of(stage.hits);
    if (const auto& profile = report.profiles()[i]) entry["profile"] = profile_json(*profile);
    if (stage.history.interval != 0) entry["timeline"] = timeline_json(stage.history, stage.totals);
    json::object values = section(report.stages()[i]);
    entry["figures"] = std::move(values["figures"]);
    entry["counters"] = std::move(values["counters"]);
    stages.push_back(std::move(entry));
  }
  return stages;
}

json::value picture_of(const RunReport& report) {
  const RayTracingResult& result = report.result();
  if (result.rgba.empty()) return nullptr;
  return {{"file", "picture.png"},
          {"width", result.width},
          {"height", result.height},
          {"largest_difference", number(result.picture_error)}};
}

/// A ray experiment runs on the GPU unless it says otherwise.
json::object platform_of(const ExperimentParameters& parameters) {
  const MachineKind& machine = machine_of(parameters);
  json::object platform;
  if (!machine.traits.sms) platform["machine"] = machine.name;
  for (const auto& [key, value] : facts_of(parameters)) platform[key] = value;
  return platform;
}

}  // namespace

std::string json_report(const RunReport& report) {
  const WorkloadFacts& facts = report.result().facts;
  const HitCounts& hits = report.hits();
  const Checks& checks = report.checks();
  const json::value document{
      {"format", "reconverge report"},
      {"schema_version", schema_version},
      {"program_version", build_info().version},
      {"experiment", report.parameters().name},
      {"partial", report.partial()},
      {"stopped_after", report.result().cut ? json::value(report.parameters().stop_after) : json::value(nullptr)},
      {"platform", platform_of(report.parameters())},
      {"workload",
       {{"scene", facts.scene},
        {"triangles", facts.triangles},
        {"triangles_dropped", facts.repaired_triangles},
        {"structure",
         {{"kind", to_string(facts.structure.kind)},
          {"nodes", facts.structure.nodes},
          {"depth", facts.structure.depth},
          {"entries", facts.structure.entries},
          {"duplicates", facts.structure.entries - facts.triangles},
          {"bytes", facts.structure.bytes}}},
        {"rays", facts.rays}}},
      {"checks",
       {{"hits_agree", checks.hits}, {"picture_agrees", checks.picture}, {"issue_slots_add_up", checks.slots}}},
      {"hits",
       {{"checked", hits.checked},
        {"equal", hits.equal},
        {"ties", hits.ties},
        {"edges", hits.edges},
        {"mismatches", hits.mismatches}}},
      {"picture", picture_of(report)},
      {"definitions",
       {{"figures", define(figures(report.total().measurement))},
        {"counters", define_counters(report.total().measurement.totals)}}},
      {"notes", notes_json(report.parameters(), report.tracing().measurement)},
      {"stages", stages_of(report)},
      {"tracing", section(report.tracing())},
      {"total", section(report.total())}};
  return configuration::pretty(document);
}

}  // namespace reconverge::report

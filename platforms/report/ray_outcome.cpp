// SPDX-License-Identifier: Apache-2.0
#include "platforms/report/ray_outcome.hpp"

#include <fmt/format.h>

#include <boost/json/value.hpp>
#include <filesystem>

#include "platforms/report/json_section.hpp"
#include "platforms/report/table_parts.hpp"
#include "platforms/report/traffic.hpp"
#include "scenes/files/picture.hpp"

namespace reconverge::report {

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr std::string_view stage_row = "{:<21}{:>12}{:>16}{:>9}{:>7}{}\n";

/// Summed over stages.
struct HitCounts {
  std::uint64_t checked = 0;
  std::uint64_t equal = 0;
  std::uint64_t ties = 0;
  std::uint64_t edges = 0;
  std::uint64_t mismatches = 0;
};

HitCounts hits_of(const RayTracingResult& result) {
  HitCounts all;
  for (const Stage& stage : result.stages) {
    all.checked += stage.hits.rays;
    all.equal += stage.hits.equal;
    all.ties += stage.hits.ties;
    all.edges += stage.hits.edges;
    all.mismatches += stage.hits.mismatches;
  }
  return all;
}

json::object hit_json(const scenes::Hit& hit) {
  return {{"triangle", hit.triangle}, {"t", number(hit.t)}, {"u", number(hit.u)}, {"v", number(hit.v)}};
}

json::object hits_json(const scenes::HitComparison& hits) {
  json::array examples;
  for (const scenes::HitMismatch& mismatch : hits.examples) {
    examples.push_back({{"ray", mismatch.ray},
                        {"expected", hit_json(mismatch.expected)},
                        {"actual", hit_json(mismatch.actual)},
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

json::value picture_json(const RayTracingResult& result) {
  if (result.rgba.empty()) return nullptr;
  return {{"file", "picture.png"},
          {"width", result.width},
          {"height", result.height},
          {"largest_difference", number(result.picture_error)}};
}

/// The device's words have red in the lowest byte and opacity in the highest.
std::string png_of(const RayTracingResult& result) {
  scenes::Picture picture{result.width, result.height, {}};
  picture.rgb.reserve(3 * result.rgba.size());
  for (const std::uint32_t pixel : result.rgba) {
    for (const unsigned shift : {0U, 8U, 16U}) picture.rgb.push_back(static_cast<std::uint8_t>(pixel >> shift));
  }
  const std::vector<std::uint8_t> bytes = scenes::encode_png(picture);
  return {bytes.begin(), bytes.end()};
}

}  // namespace

std::vector<Part> RayOutcome::parts() const {
  std::vector<Part> parts;
  for (const Stage& stage : result_.stages) {
    parts.push_back({stage.name, &stage.cost, stage.rays_done, 0, stage.rays != 0});
  }
  return parts;
}

/// The kernel adds in the host's order, so equal hits give an equal picture to the last bit.
bool RayOutcome::picture_agrees() const { return result_.rgba.empty() || result_.picture_error == 0; }

std::uint64_t RayOutcome::rays_done() const {
  std::uint64_t done = 0;
  for (const Stage& stage : result_.stages) done += stage.rays_done;
  return done;
}

std::vector<Check> RayOutcome::checks() const {
  return {{"hits_agree", hits_of(result_).mismatches == 0}, {"picture_agrees", picture_agrees()}};
}

/// Micro-kernels are a file of the report; their sources are those of the original kernel.
ReportedProgram RayOutcome::program_of(std::size_t part, const ReportPlace& place) const {
  const std::string& program = result_.stages[part].cost.profile->program;
  const bool made = !result_.microkernels.empty() && program == microkernels_name;
  const fs::path file = made ? parameters_.workload.trace_program : program;
  return {made ? program : place.shown(file), file.parent_path()};
}

void RayOutcome::add_subject(json::object& document, const MachineKind& machine) const {
  document["stopped_after"] = result_.cut ? json::value(parameters_.stop_after) : json::value(nullptr);
  // A ray experiment runs on the GPU unless it says otherwise.
  document["platform"] = platform_json(machine, parameters_, !machine.traits.sms);
  const WorkloadFacts& facts = result_.facts;
  document["workload"] = {{"scene", facts.scene},
                          {"triangles", facts.triangles},
                          {"triangles_dropped", facts.repaired_triangles},
                          {"structure",
                           {{"kind", to_string(facts.structure.kind)},
                            {"nodes", facts.structure.nodes},
                            {"depth", facts.structure.depth},
                            {"entries", facts.structure.entries},
                            {"duplicates", facts.structure.entries - facts.triangles},
                            {"bytes", facts.structure.bytes}}},
                          {"rays", facts.rays}};
}

void RayOutcome::add_results(json::object& document, const ReportPlace& /*place*/) const {
  const HitCounts hits = hits_of(result_);
  document["hits"] = {{"checked", hits.checked},
                      {"equal", hits.equal},
                      {"ties", hits.ties},
                      {"edges", hits.edges},
                      {"mismatches", hits.mismatches}};
  document["picture"] = picture_json(result_);
}

json::object RayOutcome::part_json(std::size_t part) const {
  const Stage& stage = result_.stages[part];
  json::object entry{{"name", stage.name},
                     {"kernel", stage.kernel},
                     {"completed", stage.cost.completed},
                     {"rays", stage.rays},
                     {"rays_done", stage.rays_done}};
  if (!stage.cost.traffic.empty()) entry["traffic"] = traffic_json(stage.cost.traffic);
  if (stage.rays != 0 && stage.cost.completed) entry["hits"] = hits_json(stage.hits);
  return entry;
}

TableTexts RayOutcome::texts() const {
  const WorkloadFacts& facts = result_.facts;
  TableTexts texts;
  texts.heading =
      fmt::format("scene {}, {} triangles, {} rays", facts.scene, grouped(facts.triangles), grouped(facts.rays));
  if (facts.repaired_triangles != 0) {
    texts.remarks += fmt::format("{} triangles that no ray can hit were dropped\n", grouped(facts.repaired_triangles));
  }
  if (partial()) texts.remarks += "PARTIAL: the run was stopped; the last stage is incomplete\n";
  if (result_.cut) {
    texts.remarks += fmt::format(
        "Stopped after {} cycles, as the experiment says: {} of {} rays are done; no hit of the last stage is "
        "checked\n",
        grouped(parameters_.stop_after), grouped(rays_done()), grouped(facts.rays));
  }
  texts.columns =
      fmt::format(stage_row, "stage", "rays", "cycles", "Mrays/s", "IPC", "    SIMD  L1 hit Tex hit  L2 hit");
  texts.legend = "IPC: thread instructions a cycle. SIMD: active lanes of the lanes of issued instructions.\n";
  texts.results = result_texts();
  return texts;
}

std::string RayOutcome::row(const Section& section) const {
  const Measurement& m = section.measurement.value();
  return fmt::format(stage_row, section.name, section.is_main ? grouped(m.rays.value_or(0)) : "-", grouped(cycles(m)),
                     section.is_main ? fmt::format("{:.2f}", rays_per_second(m) / 1e6) : "-",
                     fmt::format("{:.1f}", thread_ipc(m)), lanes_and_caches(m));
}

std::string RayOutcome::result_texts() const {
  const HitCounts hits = hits_of(result_);
  std::string out = fmt::format("\nHits against Embree: {} checked, {} equal, {} ties, {} edges, {} mismatches\n",
                                grouped(hits.checked), grouped(hits.equal), grouped(hits.ties), grouped(hits.edges),
                                grouped(hits.mismatches));
  for (const Stage& stage : result_.stages) {
    for (const scenes::HitMismatch& mismatch : stage.hits.examples) {
      out += fmt::format("  {}, ray {}: {}\n", stage.name, mismatch.ray, mismatch.reason);
    }
  }
  if (!result_.rgba.empty()) {
    out += fmt::format("Picture against the host's: {}, largest difference of a channel {:.3g}\n",
                       picture_agrees() ? "agrees" : "DIFFERS", result_.picture_error);
  }
  return out;
}

std::optional<OutputFile> RayOutcome::picture() const {
  if (result_.rgba.empty()) return std::nullopt;
  return OutputFile{"picture.png", png_of(result_)};
}

std::vector<OutputFile> RayOutcome::files() const {
  if (result_.microkernels.empty()) return {};
  return {{microkernels_name, result_.microkernels}};
}

}  // namespace reconverge::report

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "platforms/report/documents.hpp"
#include "platforms/report/table_parts.hpp"

namespace reconverge::report {

namespace {

constexpr std::string_view row_format = "{:<21}{:>12}{:>16}{:>9}{:>7}{}\n";

std::string row_of(const Section& section, bool traces) {
  const Measurement& m = section.measurement;
  return fmt::format(row_format, section.name, traces ? grouped(m.rays) : "-", grouped(cycles(m)),
                     traces ? fmt::format("{:.2f}", rays_per_second(m) / 1e6) : "-",
                     fmt::format("{:.1f}", thread_ipc(m)), lanes_and_caches(m));
}

void add_checks(std::string& out, const RunReport& report) {
  const HitCounts& hits = report.hits();
  const RayTracingResult& result = report.result();
  out += fmt::format("\nHits against Embree: {} checked, {} equal, {} ties, {} edges, {} mismatches\n",
                     grouped(hits.checked), grouped(hits.equal), grouped(hits.ties), grouped(hits.edges),
                     grouped(hits.mismatches));
  for (const Stage& stage : result.stages) {
    for (const scenes::HitMismatch& mismatch : stage.hits.examples) {
      out += fmt::format("  {}, ray {}: {}\n", stage.name, mismatch.ray, mismatch.reason);
    }
  }
  if (!result.rgba.empty()) {
    out += fmt::format("Picture against the host's: {}, largest difference of a channel {:.3g}\n",
                       report.checks().picture ? "agrees" : "DIFFERS", result.picture_error);
  }
  if (!report.checks().slots) out += "Issue slots do not add up: see unaccounted_slots in the report\n";
}

}  // namespace

std::string table(const RunReport& report) {
  const RayTracingResult& result = report.result();
  std::string out =
      fmt::format("{}: scene {}, {} triangles, {} rays; {}\n", report.parameters().name, result.facts.scene,
                  grouped(result.facts.triangles), grouped(result.facts.rays), machine_text(report.parameters()));
  if (result.facts.repaired_triangles != 0) {
    out += fmt::format("{} triangles that no ray can hit were dropped\n", grouped(result.facts.repaired_triangles));
  }
  if (report.partial()) out += "PARTIAL: the run was stopped; the last stage is incomplete\n";
  if (result.cut) {
    out += fmt::format(
        "Stopped after {} cycles, as the experiment says: {} of {} rays are done; no hit of the last stage is "
        "checked\n",
        grouped(report.parameters().stop_after), grouped(report.tracing().measurement.rays),
        grouped(result.facts.rays));
  }
  out += '\n';
  out += fmt::format(row_format, "stage", "rays", "cycles", "Mrays/s", "IPC", "    SIMD  L1 hit Tex hit  L2 hit");
  for (std::size_t i = 0; i < report.stages().size(); ++i) {
    out += row_of(report.stages()[i], result.stages[i].rays != 0);
  }
  out += row_of(report.tracing(), true);
  out += row_of(report.total(), true);
  out += "IPC: thread instructions a cycle. SIMD: active lanes of the lanes of issued instructions.\n";
  add_notes(out, report.parameters(), report.tracing().measurement);
  add_details(out, report.tracing().name, report.tracing().measurement);
  add_checks(out, report);
  return out;
}

}  // namespace reconverge::report

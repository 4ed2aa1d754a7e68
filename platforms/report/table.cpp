#include <fmt/format.h>

#include <iterator>

#include "models/core/quantity.hpp"
#include "platforms/report/documents.hpp"

namespace reconverge::report {

namespace {

constexpr std::size_t bar_length = 50;  // of a share of one

/// With commas between groups of three digits.
std::string grouped(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, 1, ',');
  return text;
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

constexpr std::string_view row_format = "{:<22}{:>12}{:>13}{:>9}{:>9}{:>9}{:>9}{:>9}\n";

std::string row_of(const Section& section, bool traces) {
  const Measurement& m = section.measurement;
  const auto& l1 = m.totals.l1;
  const auto& l2 = m.totals.l2;
  return fmt::format(row_format, section.name, traces ? grouped(m.rays) : "-", grouped(m.totals.gpu.cycles),
                     traces ? fmt::format("{:.2f}", rays_per_second(m) / 1e6) : "-",
                     fmt::format("{:.1f}", thread_ipc(m)), percent(simd_efficiency(m.totals.scheduler.active_lanes)),
                     percent(hit_rate(l1.hits, l1.misses, l1.merges)),
                     percent(hit_rate(l2.hits, l2.misses, l2.merges)));
}

void add_bar(std::string& out, std::string_view name, double share) {
  const std::string bar(static_cast<std::size_t>(share * static_cast<double>(bar_length) + 0.5), '#');
  out += fmt::format("  {:<12}{:>9}{}{}\n", name, percent(share), bar.empty() ? "" : "  ", bar);
}

void add_lanes(std::string& out, const Section& section) {
  const ActiveLanes& active = section.measurement.totals.scheduler.active_lanes;
  const auto all = static_cast<double>(warp_instructions(active));
  out += fmt::format("\nWarp instructions by active lanes ({}: {} instructions, SIMD efficiency {})\n", section.name,
                     grouped(warp_instructions(active)), percent(simd_efficiency(active)));
  for (const LaneGroup& group : lane_groups()) {
    add_bar(out, group.name, ratio(static_cast<double>(instructions_in(group, active)), all));
  }
}

void add_slots(std::string& out, const Section& section) {
  const auto& slots = section.measurement.totals.scheduler.slots;
  const std::uint64_t all = sum(slots.values);
  out += fmt::format("\nIssue slots ({}: {} slots)\n", section.name, grouped(all));
  const StatisticsView view(section.measurement.totals.scheduler);
  view.visit([&](const StatisticDescription& statistic, std::span<const std::uint64_t> values) {
    if (statistic.name != "slots") return;
    for (std::size_t bin = 0; bin < values.size(); ++bin) {
      add_bar(out, bin_name(statistic, bin), ratio(static_cast<double>(values[bin]), static_cast<double>(all)));
    }
  });
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
  const GpuParameters& gpu = report.parameters().gpu;
  const RayTracingResult& result = report.result();
  std::string out = fmt::format("{}: scene {}, {} triangles, {} rays; {} SMs at {}, {}\n", report.parameters().name,
                                result.facts.scene, grouped(result.facts.triangles), grouped(result.facts.rays),
                                gpu.sms, format_frequency(gpu.clock), to_string(gpu.sm.scheme));
  if (result.facts.repaired_triangles != 0) {
    out += fmt::format("{} triangles that no ray can hit were dropped\n", grouped(result.facts.repaired_triangles));
  }
  if (report.partial()) out += "PARTIAL: the run was stopped; the last stage is incomplete\n";
  out += '\n';
  out += fmt::format(row_format, "stage", "rays", "cycles", "Mrays/s", "IPC", "SIMD", "L1 hits", "L2 hits");
  for (std::size_t i = 0; i < report.stages().size(); ++i) {
    out += row_of(report.stages()[i], result.stages[i].rays != 0);
  }
  out += row_of(report.tracing(), true);
  out += row_of(report.total(), true);
  out += "IPC: thread instructions a cycle. SIMD: active lanes of the lanes of issued instructions.\n";
  add_lanes(out, report.tracing());
  add_slots(out, report.tracing());
  add_checks(out, report);
  return out;
}

}  // namespace reconverge::report

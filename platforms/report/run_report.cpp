// SPDX-License-Identifier: Apache-2.0
#include "platforms/report/run_report.hpp"

#include <filesystem>
#include <utility>

#include "platforms/machines/machines.hpp"

namespace reconverge::report {

namespace {

namespace fs = std::filesystem;

/// The kernel adds in the host's order, so equal hits give an equal picture to the last bit.
bool picture_agrees(const RayTracingResult& result) { return result.rgba.empty() || result.picture_error == 0; }

/// Micro-kernels are a file of the report; their sources are those of the original kernel.
ReportedProgram program_of(const RunReport& report, const InstructionProfile& profile) {
  const bool made = !report.result().microkernels.empty() && profile.program == microkernels_name;
  const fs::path file = made ? report.parameters().workload.trace_program : profile.program;
  return {made ? profile.program : report.place().shown(file), file.parent_path()};
}

}  // namespace

RunReport::RunReport(const ExperimentParameters& parameters, const RayTracingResult& result, SchemeList schemes,
                     ReportPlace place)
    : parameters_(&parameters), result_(&result), place_(std::move(place)) {
  SourceLines sources(place_.source_roots);
  Statistics total = machine_of(parameters).zeros(schemes);
  Statistics tracing = total;
  std::uint64_t rays = 0;
  for (const Stage& stage : result.stages) {
    const std::uint64_t traced = stage.rays_done;
    stages_.push_back({stage.name, measure(parameters, stage.totals, traced, schemes)});
    auto& profile = profiles_.emplace_back();
    if (stage.profile) profile = profile_of(*stage.profile, &stage.totals, program_of(*this, *stage.profile), sources);
    checks_.slots = checks_.slots && unaccounted_slots(stages_.back().measurement) == 0;
    total += stage.totals;
    if (stage.rays != 0) tracing += stage.totals;
    rays += traced;
    hits_.checked += stage.hits.rays;
    hits_.equal += stage.hits.equal;
    hits_.ties += stage.hits.ties;
    hits_.edges += stage.hits.edges;
    hits_.mismatches += stage.hits.mismatches;
  }
  tracing_ = {"tracing", measure(parameters, tracing, rays, schemes)};
  total_ = {"total", measure(parameters, total, rays, schemes)};
  checks_.hits = hits_.mismatches == 0;
  checks_.picture = picture_agrees(result);
  warnings_ = sources.warnings();
}

}  // namespace reconverge::report

#include "platforms/report/run_report.hpp"

#include "platforms/gpu/schemes.hpp"
#include "platforms/launch/platform.hpp"

namespace reconverge::report {

namespace {

/// The kernel adds in the host's order, so equal hits give an equal picture to the last bit.
bool picture_agrees(const RayTracingResult& result) { return result.rgba.empty() || result.picture_error == 0; }

}  // namespace

RunReport::RunReport(const ExperimentParameters& parameters, const RayTracingResult& result, SchemeList schemes)
    : parameters_(&parameters), result_(&result) {
  Statistics total = launch::zeros_of(parameters.machine, schemes);
  Statistics tracing = total;
  std::uint64_t rays = 0;
  for (const Stage& stage : result.stages) {
    const std::uint64_t traced = stage.rays_done;
    stages_.push_back({stage.name, measure(parameters, stage.totals, traced, schemes)});
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
}

}  // namespace reconverge::report

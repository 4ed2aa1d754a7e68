#pragma once
/// A run put together by hand, with numbers that can be followed on paper.

#include "platforms/experiment/ray_tracing.hpp"

namespace reconverge::tests {

/// One SM with one scheduler of two issue slots at 1 GHz.
inline ExperimentParameters sample_parameters() {
  ExperimentParameters parameters;
  parameters.name = "sample";
  parameters.gpu.sms = 1;
  parameters.gpu.clock = 1'000'000'000;
  parameters.gpu.sm.scheduler.count = 1;
  parameters.gpu.sm.scheduler.dispatch = 2;
  return parameters;
}

/// 1000 cycles in which 100 warp instructions with 8 lanes and 300 with 32 were issued.
inline GpuTotals sample_totals() {
  GpuTotals totals;
  totals.gpu.cycles = 1000;
  totals.scheduler.active_lanes[8] = 100;
  totals.scheduler.active_lanes[32] = 300;
  totals.scheduler.slots[WarpSchedulerSlots::issued] = 400;
  totals.scheduler.slots[WarpSchedulerSlots::memory] = 1600;
  totals.l1.hits = 60;
  totals.l1.misses = 30;
  totals.l1.merges = 10;
  totals.texture_cache.hits = 30;
  totals.texture_cache.misses = 5;
  totals.texture_cache.merges = 5;
  totals.constant_cache.hits = 9;
  totals.constant_cache.merges = 1;
  totals.l2.hits = 10;
  totals.l2.misses = 30;
  totals.l2.bytes_from_memory = 3840;
  totals.l2.bytes_to_memory = 1280;
  totals.dram.reads = 30;
  totals.dram.writes = 10;
  return totals;
}

/// A tracing stage of 5000 rays and a shading stage; the picture is 2 by 1 pixels.
inline RayTracingResult sample_result() {
  RayTracingResult result;
  result.facts.scene = "paper";
  result.facts.triangles = 12;
  result.facts.rays = 5000;
  Stage trace{"bounce 1", "trace", 5000, true, sample_totals(), {}};
  trace.hits.rays = 5000;
  trace.hits.equal = 5000;
  const Stage shade{"shade bounce 1", "shade_hits", 0, true, sample_totals(), {}};
  result.stages = {trace, shade};
  result.completed = true;
  result.width = 2;
  result.height = 1;
  result.rgba = {0xff0000ffU, 0xff00ff00U};
  return result;
}

}  // namespace reconverge::tests

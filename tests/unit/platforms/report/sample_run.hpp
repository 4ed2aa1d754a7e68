// SPDX-License-Identifier: Apache-2.0
#pragma once
/// An artificial run, with numbers that can be checked by hand.

#include "platforms/experiment/ray_tracing.hpp"
#include "platforms/machines/gpu/schemes.hpp"

namespace reconverge::tests {

/// A machine with one SM at 1 GHz, whose only scheduler has two issue slots.
inline ExperimentParameters sample_parameters() {
  ExperimentParameters parameters;
  parameters.name = "sample";
  parameters.gpu.sms = 1;
  parameters.gpu.clock = 1'000'000'000;
  parameters.gpu.sm.scheduler.count = 1;
  parameters.gpu.sm.scheduler.dispatch = 2;
  return parameters;
}

/// The counters of 1000 cycles, in which 100 warp instructions with 8 lanes and 300 with 32 lanes were issued.
inline Statistics sample_totals() {
  Statistics totals = gpu_statistics();
  totals.of<GpuStatistics>().cycles = 1000;
  totals.of<WarpSchedulerStatistics>().active_lanes[8] = 100;
  totals.of<WarpSchedulerStatistics>().active_lanes[32] = 300;
  totals.of<WarpSchedulerStatistics>().slots[WarpSchedulerSlots::issued] = 400;
  totals.of<WarpSchedulerStatistics>().slots[WarpSchedulerSlots::memory] = 1600;
  totals.of<L1CacheStatistics>().hits = 60;
  totals.of<L1CacheStatistics>().misses = 30;
  totals.of<L1CacheStatistics>().merges = 10;
  totals.of<TextureCacheStatistics>().hits = 30;
  totals.of<TextureCacheStatistics>().misses = 5;
  totals.of<TextureCacheStatistics>().merges = 5;
  totals.of<ConstantCacheStatistics>().hits = 9;
  totals.of<ConstantCacheStatistics>().merges = 1;
  totals.of<L2CacheStatistics>().hits = 10;
  totals.of<L2CacheStatistics>().misses = 30;
  totals.of<L2CacheStatistics>().bytes_from_memory = 3840;
  totals.of<L2CacheStatistics>().bytes_to_memory = 1280;
  totals.of<DramStatistics>().reads = 30;
  totals.of<DramStatistics>().writes = 10;
  return totals;
}

/// The result of a launch with these counters.
inline launch::LaunchResult sample_cost() {
  launch::LaunchResult cost;
  cost.completed = true;
  cost.counters = sample_totals();
  return cost;
}

/// A tracing stage of 5000 rays and a shading stage. The picture has 2 by 1 pixels.
inline RayTracingResult sample_result() {
  RayTracingResult result;
  result.facts.scene = "paper";
  result.facts.triangles = 12;
  result.facts.rays = 5000;
  Stage trace{"bounce 1", "trace", 5000, 5000, sample_cost()};
  trace.hits.rays = 5000;
  trace.hits.equal = 5000;
  const Stage shade{"shade bounce 1", "shade_hits", 0, 0, sample_cost()};
  result.stages = {trace, shade};
  result.completed = true;
  result.width = 2;
  result.height = 1;
  result.rgba = {0xff0000ffU, 0xff00ff00U};
  return result;
}

}  // namespace reconverge::tests

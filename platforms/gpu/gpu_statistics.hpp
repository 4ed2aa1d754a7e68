#pragma once
/// All counters of a GPU, added up over the instances of each block.

#include "blocks/constant_cache.hpp"
#include "blocks/crossbar.hpp"
#include "blocks/dram.hpp"
#include "blocks/dynamic_ray_shuffling.hpp"
#include "blocks/fixed_latency_memory.hpp"
#include "blocks/gpu.hpp"
#include "blocks/instruction_cache.hpp"
#include "blocks/instruction_fetch.hpp"
#include "blocks/l1_cache.hpp"
#include "blocks/l2_cache.hpp"
#include "blocks/lanes.hpp"
#include "blocks/load_store.hpp"
#include "blocks/mimd.hpp"
#include "blocks/operand_collector.hpp"
#include "blocks/reconvergence_stack.hpp"
#include "blocks/scoreboard.hpp"
#include "blocks/sm.hpp"
#include "blocks/texture_cache.hpp"
#include "blocks/thread_block_compaction.hpp"
#include "blocks/warp_scheduler.hpp"

namespace reconverge {

struct GpuTotals {
  GpuStatistics gpu;
  SmStatistics sm;
  WarpSchedulerStatistics scheduler;
  InstructionFetchStatistics fetch;
  InstructionCacheStatistics instruction_cache;
  ScoreboardStatistics scoreboard;
  OperandCollectorStatistics operand_collector;
  LanesStatistics lanes;
  LoadStoreStatistics load_store;
  L1CacheStatistics l1;
  TextureCacheStatistics texture_cache;
  ConstantCacheStatistics constant_cache;
  ReconvergenceStackStatistics reconvergence_stack;
  MimdStatistics mimd;
  DynamicRayShufflingStatistics dynamic_ray_shuffling;
  ThreadBlockCompactionStatistics thread_block_compaction;
  CrossbarStatistics crossbar;
  L2CacheStatistics l2;
  DramStatistics dram;
  FixedLatencyMemoryStatistics fixed_latency;

  /// Adds counter by counter, to sum over launches.
  GpuTotals& operator+=(const GpuTotals& other) {
    gpu += other.gpu;
    sm += other.sm;
    scheduler += other.scheduler;
    fetch += other.fetch;
    instruction_cache += other.instruction_cache;
    scoreboard += other.scoreboard;
    operand_collector += other.operand_collector;
    lanes += other.lanes;
    load_store += other.load_store;
    l1 += other.l1;
    texture_cache += other.texture_cache;
    constant_cache += other.constant_cache;
    reconvergence_stack += other.reconvergence_stack;
    mimd += other.mimd;
    dynamic_ray_shuffling += other.dynamic_ray_shuffling;
    thread_block_compaction += other.thread_block_compaction;
    crossbar += other.crossbar;
    l2 += other.l2;
    dram += other.dram;
    fixed_latency += other.fixed_latency;
    return *this;
  }

  /// What was counted since `earlier` was taken.
  GpuTotals since(const GpuTotals& earlier) const {
    GpuTotals difference = *this;
    difference.gpu -= earlier.gpu;
    difference.sm -= earlier.sm;
    difference.scheduler -= earlier.scheduler;
    difference.fetch -= earlier.fetch;
    difference.instruction_cache -= earlier.instruction_cache;
    difference.scoreboard -= earlier.scoreboard;
    difference.operand_collector -= earlier.operand_collector;
    difference.lanes -= earlier.lanes;
    difference.load_store -= earlier.load_store;
    difference.l1 -= earlier.l1;
    difference.texture_cache -= earlier.texture_cache;
    difference.constant_cache -= earlier.constant_cache;
    difference.reconvergence_stack -= earlier.reconvergence_stack;
    difference.mimd -= earlier.mimd;
    difference.dynamic_ray_shuffling -= earlier.dynamic_ray_shuffling;
    difference.thread_block_compaction -= earlier.thread_block_compaction;
    difference.crossbar -= earlier.crossbar;
    difference.l2 -= earlier.l2;
    difference.dram -= earlier.dram;
    difference.fixed_latency -= earlier.fixed_latency;
    return difference;
  }

  /// Calls `visit(path, StatisticsView)` for each block, in report order.
  template <typename Visit>
  void visit(Visit&& visitor) const {
    visitor("gpu", StatisticsView(gpu));
    visitor("gpu.sm", StatisticsView(sm));
    visitor("gpu.sm.scheduler", StatisticsView(scheduler));
    visitor("gpu.sm.fetch", StatisticsView(fetch));
    visitor("gpu.sm.instruction_cache", StatisticsView(instruction_cache));
    visitor("gpu.sm.scoreboard", StatisticsView(scoreboard));
    visitor("gpu.sm.operand_collector", StatisticsView(operand_collector));
    visitor("gpu.sm.lanes", StatisticsView(lanes));
    visitor("gpu.sm.load_store", StatisticsView(load_store));
    visitor("gpu.sm.l1", StatisticsView(l1));
    visitor("gpu.sm.texture_cache", StatisticsView(texture_cache));
    visitor("gpu.sm.constant_cache", StatisticsView(constant_cache));
    visitor("gpu.sm.reconvergence_stack", StatisticsView(reconvergence_stack));
    visitor("gpu.sm.mimd", StatisticsView(mimd));
    visitor("gpu.sm.dynamic_ray_shuffling", StatisticsView(dynamic_ray_shuffling));
    visitor("gpu.sm.thread_block_compaction", StatisticsView(thread_block_compaction));
    visitor("gpu.crossbar", StatisticsView(crossbar));
    visitor("gpu.l2", StatisticsView(l2));
    visitor("gpu.dram", StatisticsView(dram));
    visitor("gpu.fixed_latency", StatisticsView(fixed_latency));
  }
};

}  // namespace reconverge

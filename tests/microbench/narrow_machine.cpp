// SPDX-License-Identifier: Apache-2.0
#include "tests/microbench/narrow_machine.hpp"

#include <bit>
#include <cstring>

#include "blocks/dynamic_ray_shuffling.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "scenes/device_layout.h"
#include "tests/microbench/ray_kernel.hpp"

namespace reconverge::tests {

namespace {

const Overrides narrow{
    "sms=2",
    "sm.warp_slots=12",
    "sm.block_slots=3",
    "sm.shared_memory=16 KiB",
    "sm.scheduler.count=2",
    "sm.instruction_cache.capacity=512 B",
    "sm.operand_collector.units=2",
    "sm.operand_collector.banks=2",
    "sm.operand_collector.result_bus=1",
    "sm.register_file.registers=8192",
    "sm.lanes.alu_units=2",
    "sm.lanes.special_interval=16 cycles",
    "sm.lanes.fp64_interval=16 cycles",
    "sm.load_store.queue=2",
    "sm.load_store.coalescing=sectors",
    "sm.l1.capacity=2 KiB",
    "sm.l1.ways=2",
    "sm.l1.mshrs=6",
    "sm.l1.merges=2",
    "sm.l1.pending_writes=4",
    "sm.texture_cache.capacity=1 KiB",
    "sm.texture_cache.ways=2",
    "sm.texture_cache.mshrs=3",
    "sm.texture_cache.merges=2",
    "sm.constant_cache.capacity=256 B",
    "sm.constant_cache.mshrs=1",
    "sm.constant_cache.merges=4",
    "sm.raytrace.warps=3",
    "sm.raytrace.box_units=2",
    "sm.raytrace.triangle_units=1",
    "sm.raytrace.node_cache.capacity=1 KiB",
    "sm.raytrace.node_cache.ways=2",
    "sm.raytrace.node_cache.mshrs=2",
    "sm.raytrace.node_cache.merges=1",
    "l2.capacity=16 KiB",
    "l2.ways=2",
    "l2.slices=4",
    "l2.slice_bytes=8",
    "l2.mshrs=3",
    "l2.merges=2",
    "l2.write_buffer=2",
    "dram.channels=2",
    "dram.banks=4",
    "dram.row_bytes=512 B",
    "dram.queue=4",
};

constexpr std::uint64_t buffer_bytes = 256 << 10;

/// A tree over 32 adjacent cells along x, and rays in the direction of z through the cells. Each cell has a triangle at
/// z = 5, except the last, which is empty. Every fourth ray misses its triangle.
void fill_cells(std::span<std::byte> bytes, DeviceAddress /*address*/) {
  constexpr unsigned cells = 32;
  const auto put = [&](std::size_t at, const auto& value) { std::memcpy(&bytes[at], &value, sizeof(value)); };
  for (unsigned node = 0; node + 1 < cells; ++node) {
    // The tree has the layout of a heap: node n has the children 2n + 1 and 2n + 2, and leaves follow the nodes.
    const unsigned level = static_cast<unsigned>(std::bit_width(node + 1U)) - 1;
    const unsigned width = cells >> level;
    const float low = static_cast<float>((node + 1 - (1U << level)) * width);
    const float half = static_cast<float>(width) / 2;
    scenes::BvhNode made{low, low + half, 0, 1, low + half, low + 2 * half, 0, 1, 0, 9, 0, 9, 0, 0, 0, 0};
    const auto child = [&](unsigned heap) {
      return heap < cells - 1 ? static_cast<int>(heap) : ~static_cast<int>(4 * (heap - (cells - 1)));
    };
    made.child0 = child(2 * node + 1);
    made.child1 = child(2 * node + 2);
    put(node * sizeof(made), made);
  }
  for (unsigned cell = 0; cell < cells; ++cell) {
    const auto left = static_cast<float>(cell);
    const std::size_t rows = 16384 + std::size_t{cell} * 64;
    put(rows, scenes::WoopTriangle{{0, 0, 1, 5}, {1, 0, 0, -left}, {0, 1, 0, 0}});
    put(rows + 48, scenes::leaf_end_bits);
    if (cell + 1 == cells) put(rows, scenes::leaf_end_bits);
    put(49152 + std::size_t{cell} * 16, cell);
  }
  for (unsigned ray = 0; ray < traced_rays; ++ray) {
    const float offset = ray % 4 == 3 ? 0.75F : 0.25F;
    const float x = static_cast<float>(ray / 3 * 7 % cells) + offset;
    put(65536 + std::size_t{ray} * 32, scenes::Ray{{x, offset, 0}, 0, {0, 0, 1}, 100});
  }
}

}  // namespace

configuration::Configuration narrow_configuration(const Overrides& overrides, GpuParameters& parameters) {
  Overrides all = narrow;
  all.insert(all.end(), overrides.begin(), overrides.end());
  return configuration::load_defaults(with_schemes(gpu_block), &parameters, all);
}

GpuParameters narrow_machine(const Overrides& overrides) {
  GpuParameters parameters;
  narrow_configuration(overrides, parameters);
  return parameters;
}

Statistics run_medley(const GpuParameters& parameters) {
  return run({"medley", "medley", 8, 96, 36, 0, buffer_bytes}, 6, parameters).totals;
}

Statistics run_alone(const GpuParameters& parameters) {
  return run({"medley", "alone", 16, 96, 36, 0, buffer_bytes}, 4, parameters).totals;
}

Measurement run_rays(const GpuParameters& parameters) {
  Microbench bench{"rays", "rays", ray_blocks, ray_block_threads, 0, 0, buffer_bytes};
  bench.text = ray_kernel(parameters.sm.schemes.of<DynamicRayShufflingParameters>().ray_registers);
  bench.stack_bytes = sizeof(std::uint32_t);  // a ray's result is the one entry of its stack
  return run(bench, rays_of_narrow_machine, parameters);
}

Measurement run_spawns(const GpuParameters& parameters) {
  return run({"spawn", "once", spawning_threads / 88, 88, 0, 0, buffer_bytes}, 20, parameters);
}

Measurement run_traces(const GpuParameters& parameters) {
  Microbench bench{"trace", "many", tracing_threads / 96, 96, traced_rays, 0, buffer_bytes};
  bench.fill = fill_cells;
  return run(bench, traced_rounds, parameters);
}

}  // namespace reconverge::tests

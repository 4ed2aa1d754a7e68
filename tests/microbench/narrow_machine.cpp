#include "tests/microbench/narrow_machine.hpp"

#include "blocks/dynamic_ray_shuffling.hpp"
#include "platforms/gpu/schemes.hpp"
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
  return run(bench, rays_of_narrow_machine, parameters);
}

Measurement run_spawns(const GpuParameters& parameters) {
  return run({"spawn", "once", spawning_threads / 88, 88, 0, 0, buffer_bytes}, 20, parameters);
}

}  // namespace reconverge::tests

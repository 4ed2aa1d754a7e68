#include "platforms/gpu/shuffling_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"
#include "models/dynamic_ray_shuffling/ray_shuffler.hpp"
#include "models/dynamic_ray_shuffling/twin/rtl_block.hpp"
#include "platforms/gpu/schemes.hpp"

namespace reconverge {

namespace {

constexpr const char* block_key = "gpu.sm.dynamic_ray_shuffling.";

/// Of rdctrl in a kernel that has it.
SourceLocation place_in(const kernel::Program& program) {
  const auto found = std::ranges::find_if(program.instructions, kernel::reads_control);
  return {program.file, found->line, 0};
}

}  // namespace

void check_rows_of_rays(const SmParameters& parameters) {
  if (!has_scheme(parameters, "dynamic_ray_shuffling")) return;
  const auto& block = parameters.schemes.of<DynamicRayShufflingParameters>();
  const std::size_t extra = RayShuffler::extra_rows(block);
  if (parameters.warp_slots + extra > RowSet::capacity) {
    throw ParameterError("gpu.sm.warp_slots",
                         fmt::format("{} rows of rays for {} warps, of {}", parameters.warp_slots + extra,
                                     parameters.warp_slots, RowSet::capacity),
                         fmt::format("lower it to {} at most", RowSet::capacity - extra));
  }
  if (block.swap_buffers % shuffle_units != 0) {
    throw ParameterError(std::string(block_key) + "swap_buffers",
                         fmt::format("{} for {} special rows", block.swap_buffers, shuffle_units),
                         "each has as many: a multiple of three is needed");
  }
  if (block.implementation != DynamicRayShufflingImplementation::model) require_rtl(block);
}

void check_ray_registers(const kernel::Program& program, const SmParameters& parameters) {
  if (program.ray_registers.empty()) return;
  if (!has_scheme(parameters, "dynamic_ray_shuffling")) {
    throw InputError(place_in(program), "rdctrl needs dynamic ray shuffling, which the platform does not have",
                     "set gpu.sm.scheme to dynamic_ray_shuffling, or run another kernel, as trace_while_if");
  }
  const auto& block = parameters.schemes.of<DynamicRayShufflingParameters>();
  if (program.ray_registers.size() != block.ray_registers) {
    throw InputError(place_in(program),
                     fmt::format("rdctrl lists {} ray registers, and the platform moves {}",
                                 program.ray_registers.size(), block.ray_registers),
                     fmt::format("set {}ray_registers to what the kernel has, if it can be that", block_key));
  }
  const std::uint64_t registers = block.extra_bank ? 0 : RayShuffler::extra_registers(block);
  if (registers <= parameters.register_file.registers) return;
  throw InputError(place_in(program),
                   fmt::format("{} rows of rays beyond those of warps take {} registers, and an SM has {}",
                               RayShuffler::extra_rows(block), registers, parameters.register_file.registers),
                   fmt::format("lower {}backup_rows, set {}extra_bank, or raise gpu.sm.register_file.registers",
                               block_key, block_key));
}

void check_whole_warps(const Launch& launch) {
  if (launch.program->ray_registers.empty() || launch.threads_per_block() % warp_size == 0) return;
  throw InputError(
      place_in(*launch.program),
      fmt::format("rdctrl needs warps of {} threads, and a block has {}", warp_size, launch.threads_per_block()),
      "launch blocks of whole warps");
}

}  // namespace reconverge

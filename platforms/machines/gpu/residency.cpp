// SPDX-License-Identifier: Apache-2.0
#include "platforms/machines/gpu/residency.hpp"

#include <algorithm>

#include "models/execution/block_barriers.hpp"
#include "models/kernel/analysis/occupancy.hpp"

namespace reconverge {

namespace {

kernel::LaunchNeeds needs_of(const Launch& launch) {
  const kernel::Program& program = *launch.program;
  return {program.registers, std::uint64_t{program.shared_bytes} + launch.dynamic_shared_bytes,
          launch.threads_per_block()};
}

kernel::SmLimits limits_of(const SmParameters& parameters, std::uint64_t registers, std::uint64_t warp_slots) {
  return {registers, 1, parameters.shared_memory, warp_slots, parameters.block_slots};
}

/// Warps may begin one by one if none waits for, or shares memory with, another warp of its block. In a cooperative
/// launch they may wait for any warp.
bool warps_are_alone(const Launch& launch) {
  if (launch.cooperative || uses_shared_memory(launch)) return false;
  const auto& instructions = launch.program->instructions;
  return std::none_of(instructions.begin(), instructions.end(), [](const kernel::Instruction& instruction) {
    return BlockBarriers::is_block_barrier(instruction);
  });
}

}  // namespace

bool uses_shared_memory(const Launch& launch) {
  const kernel::Program& program = *launch.program;
  return program.shared_bytes + launch.dynamic_shared_bytes != program.reserved_shared_bytes ||
         program.names_reserved_shared;
}

std::uint64_t warps_that_fit(const Launch& launch, const SmParameters& parameters, std::uint64_t registers) {
  return occupancy(needs_of(launch), limits_of(parameters, registers, parameters.warp_slots), kernel::LaunchUnit::warp)
      .warps;
}

std::uint64_t blocks_that_fit(const Launch& launch, const SmParameters& parameters, std::uint64_t registers,
                              std::uint64_t warps) {
  return occupancy(needs_of(launch), limits_of(parameters, registers, warps), kernel::LaunchUnit::block).blocks;
}

bool starts_by_warp(const Launch& launch, const SmParameters& parameters, const SchemeTraits& paths) {
  return parameters.launch_unit == SmLaunchUnit::warp && !paths.whole_blocks && warps_are_alone(launch);
}

std::uint64_t blocks_at_once(const Launch& launch, const SmParameters& parameters, const SchemeTraits& paths,
                             std::uint64_t registers) {
  const std::uint64_t warps = warps_that_fit(launch, parameters, registers);
  if (!starts_by_warp(launch, parameters, paths)) return blocks_that_fit(launch, parameters, registers, warps);
  return (warps + launch.warps_per_block() - 1) / launch.warps_per_block();
}

}  // namespace reconverge

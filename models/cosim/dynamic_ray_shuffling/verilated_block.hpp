// SPDX-License-Identifier: Apache-2.0
#pragma once
/// What Verilator made of rtl/dynamic_ray_shuffling, at its pins.

#include "models/cosim/dynamic_ray_shuffling/rtl_block.hpp"
#include "models/cosim/twin/verilated.hpp"

namespace reconverge {

/// `Class`: Verilator's, with the same parameters.
template <typename Class>
class VerilatedBlock final : public twin::Verilated<RayPorts, Class> {
 public:
  VerilatedBlock(const DynamicRayShufflingParameters& parameters, std::size_t warps, unsigned width)
      : twin::Verilated<RayPorts, Class>(RayPorts::shape_of(parameters, warps, width)) {}
};

template <typename Class, std::size_t warps, std::size_t backup_rows, std::size_t swap_buffers,
          std::size_t ray_registers>
std::unique_ptr<RtlBlock> make_verilated() {
  DynamicRayShufflingParameters parameters;
  parameters.backup_rows = backup_rows;
  parameters.swap_buffers = swap_buffers;
  parameters.ray_registers = ray_registers;
  return std::make_unique<VerilatedBlock<Class>>(parameters, warps, warp_size);
}

}  // namespace reconverge

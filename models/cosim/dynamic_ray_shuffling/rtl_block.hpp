// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The RTL of dynamic ray shuffling, whatever its configuration, and the configurations that were built.

#include <memory>
#include <span>

#include "models/cosim/dynamic_ray_shuffling/ray_ports.hpp"
#include "models/cosim/twin/rtl.hpp"

namespace reconverge {

using RtlBlock = twin::Rtl<RayPorts>;

/// A configuration that was built, for warps of 32 lanes.
struct RtlConfiguration {
  std::size_t warps;
  std::size_t backup_rows;
  std::size_t swap_buffers;
  std::size_t ray_registers;
  std::unique_ptr<RtlBlock> (*make)();  ///< after reset
};

/// All of them: RECONVERGE_RTL of CMake says which.
std::span<const RtlConfiguration> rtl_configurations();

/// Throws ParameterError, which names those that there are, when none has these parameters.
void require_rtl(const DynamicRayShufflingParameters& parameters);
/// The block after reset. Throws the same when none has these parameters and so many warps.
std::unique_ptr<RtlBlock> make_rtl(const DynamicRayShufflingParameters& parameters, std::size_t warps);

}  // namespace reconverge

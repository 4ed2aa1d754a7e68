// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The RTL of dynamic ray shuffling in lock step with its model: a partner of Pins.

#include "models/cosim/dynamic_ray_shuffling/ray_ports.hpp"
#include "models/cosim/twin/compared.hpp"

namespace reconverge {

class ComparedRtl : public twin::Compared<RayPorts> {
 public:
  /// Throws ParameterError if no such RTL was built.
  ComparedRtl(const DynamicRayShufflingParameters& parameters, std::size_t warps, unsigned /*width*/)
      : Compared(twin::make_rtl<RayPorts>(RayPorts::sizes_of(parameters, warps))) {}
};

}  // namespace reconverge

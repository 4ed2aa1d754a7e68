// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The RTL of dynamic ray shuffling in lock step with its model: a partner of Pins.

#include "models/cosim/dynamic_ray_shuffling/rtl_block.hpp"
#include "models/cosim/twin/compared.hpp"

namespace reconverge {

class ComparedRtl : public twin::Compared<RayPorts> {
 public:
  /// Throws ParameterError when there is no such RTL.
  ComparedRtl(const DynamicRayShufflingParameters& parameters, std::size_t warps, unsigned /*width*/)
      : Compared(make_rtl(parameters, warps)) {}
};

}  // namespace reconverge

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Dynamic ray shuffling in lock step with any RTL, outside an SM.

#include <memory>

#include "models/cosim/dynamic_ray_shuffling/ray_ports.hpp"
#include "models/cosim/twin/compared.hpp"
#include "models/cosim/twin/verilated.hpp"
// SystemC's headers must follow Verilator's.
#include "models/cosim/dynamic_ray_shuffling/traffic/pins_with_rays.hpp"

namespace reconverge {

/// `Rtl`: the class that Verilator made of rtl/dynamic_ray_shuffling with the same parameters.
template <typename Rtl>
class ComparedWith : public twin::Compared<RayPorts> {
 public:
  using Block = twin::Verilated<RayPorts, Rtl>;

  ComparedWith(const DynamicRayShufflingParameters& parameters, std::size_t warps, unsigned width)
      : Compared(std::make_unique<Block>(RayPorts::shape_of(RayPorts::sizes_of(parameters, warps), width))) {}

  Rtl& verilated() { return static_cast<Block&>(rtl()).rtl(); }
};

template <typename Rtl>
using LockStep = PinsWithRays<ComparedWith<Rtl>>;

}  // namespace reconverge

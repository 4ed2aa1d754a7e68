// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Dynamic ray shuffling in lock step with any RTL, outside an SM.

#include "models/cosim/dynamic_ray_shuffling/ray_ports.hpp"
#include "models/cosim/twin/verilated_partners.hpp"
// SystemC's headers must follow Verilator's.
#include "models/cosim/dynamic_ray_shuffling/traffic/pins_with_rays.hpp"

namespace reconverge {

/// `Rtl`: the class that Verilator makes from rtl/dynamic_ray_shuffling with the same parameters.
template <typename Rtl>
using LockStep = PinsWithRays<RayPartner<twin::ComparedWith<RayPorts, Rtl>>>;

}  // namespace reconverge

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The scenarios of each block that has RTL, in the order of its page.

#include <vector>

#include "models/cosim/benes_network/network_ports.hpp"
#include "models/cosim/dynamic_microkernel/formation_ports.hpp"
#include "models/cosim/dynamic_ray_shuffling/ray_ports.hpp"
#include "models/cosim/subwarp_interleaving/subwarp_ports.hpp"
#include "platforms/specification/scenario.hpp"

namespace reconverge::specification {

std::vector<Scenario<RayPorts>> ray_scenarios();
std::vector<Scenario<FormationPorts>> formation_scenarios();
std::vector<Scenario<SubwarpPorts>> subwarp_scenarios();
std::vector<Scenario<NetworkPorts>> network_scenarios();

}  // namespace reconverge::specification

// SPDX-License-Identifier: Apache-2.0
/// RTL whose sizes differ from the sizes that it states, linked in place of the lists of RTL in the build.

#include "VBenes16Pipelined.h"
#include "VDrs.h"
#include "VFormation.h"
#include "VSubwarpsTwo.h"
#include "models/cosim/benes_network/network_ports.hpp"
#include "models/cosim/dynamic_microkernel/formation_ports.hpp"
#include "models/cosim/dynamic_ray_shuffling/ray_ports.hpp"
#include "models/cosim/subwarp_interleaving/subwarp_ports.hpp"
#include "models/cosim/twin/verilated.hpp"

namespace reconverge {

/// Six swap buffers, declared as nine.
std::span<const twin::Configuration<RayPorts>> RayPorts::configurations() {
  static constexpr twin::Configuration<RayPorts> wrong{{58, 1, 9, 17},
                                                       twin::make_verilated<RayPorts, VDrs, 58, 1, 6, 17>};
  return {&wrong, 1};
}

/// A FIFO of 64 warps, declared as one of a single warp.
std::span<const twin::Configuration<FormationPorts>> FormationPorts::configurations() {
  static constexpr twin::Configuration<FormationPorts> wrong{
      {64, 1, 54}, twin::make_verilated<FormationPorts, VFormation, 64, 64, 54>};
  return {&wrong, 1};
}

/// Tables of two entries, declared as tables of six.
std::span<const twin::Configuration<SubwarpPorts>> SubwarpPorts::configurations() {
  static constexpr twin::Configuration<SubwarpPorts> wrong{{8, 6},
                                                           twin::make_verilated<SubwarpPorts, VSubwarpsTwo, 8, 2>};
  return {&wrong, 1};
}

/// A register every three stages, declared as one every two.
std::span<const twin::Configuration<NetworkPorts>> NetworkPorts::configurations() {
  static constexpr twin::Configuration<NetworkPorts> wrong{
      {16, 2}, twin::make_verilated<NetworkPorts, VBenes16Pipelined, 16, 3>};
  return {&wrong, 1};
}

}  // namespace reconverge

// SPDX-License-Identifier: Apache-2.0
/// RTL whose sizes differ from those that it states, linked in place of the lists of RTL in the build.

#include "VBenes16Pipelined.h"
#include "VDrs.h"
#include "VFormation.h"
#include "VSubwarpsTwo.h"
#include "models/cosim/benes_network/verilated_network.hpp"
#include "models/cosim/dynamic_microkernel/verilated_formation.hpp"
#include "models/cosim/dynamic_ray_shuffling/verilated_block.hpp"
#include "models/cosim/subwarp_interleaving/verilated_subwarp.hpp"

namespace reconverge {

/// Six swap buffers, declared as nine.
std::span<const RtlConfiguration> rtl_configurations() {
  static constexpr RtlConfiguration wrong{58, 1, 9, 17, make_verilated<VDrs, 58, 1, 6, 17>};
  return {&wrong, 1};
}

/// A FIFO of 64 warps, declared as one of a single warp.
std::span<const FormationConfiguration> formation_configurations() {
  static constexpr FormationConfiguration wrong{64, 1, 54, make_verilated_formation<VFormation, 54>};
  return {&wrong, 1};
}

/// Tables of two entries, declared as tables of six.
std::span<const SubwarpConfiguration> subwarp_configurations() {
  static constexpr SubwarpConfiguration wrong{8, 6, make_verilated_subwarp<VSubwarpsTwo, 8, 2>};
  return {&wrong, 1};
}

/// A register every three stages, declared as one every two.
std::span<const NetworkConfiguration> network_configurations() {
  static constexpr NetworkConfiguration wrong{16, 2, make_verilated_network<VBenes16Pipelined, 16>};
  return {&wrong, 1};
}

}  // namespace reconverge

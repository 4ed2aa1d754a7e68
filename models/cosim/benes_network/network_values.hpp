// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The values at the pins of a Benes network in a clock. Plain data, no SystemC.

#include "models/stream/benes_network/messages.hpp"

namespace reconverge {

/// The kinds of NetworkKind, and permute: active records move as the given switch settings direct.
enum class NetworkMode : std::uint8_t { pack, split, unpack, permute };

/// A record of at most 32 bits for each lane or port.
using NetworkData = std::array<std::uint32_t, most_network_ports>;

struct NetworkInputs {
  bool valid = false;
  NetworkMode mode = NetworkMode::pack;
  RecordGroup group = {};
  NetworkSettings crossed = {};  ///< switch settings of permute
  NetworkData data = {};
};

struct NetworkOutputs {
  bool ready = true;
  bool asked = false;  ///< copies of the inputs `valid` and `mode`
  NetworkMode mode = NetworkMode::pack;
  unsigned next_first = 0;
  unsigned next_second = 0;
  // For unpack: the ports that are read in this clock, and the bank of each.
  PortMask read = 0;
  PortMask read_bank = 0;
  // Outputs of the network: a bit for each port or lane that has a record, and the bank of each record.
  PortMask valid = 0;
  PortMask bank = 0;
  NetworkData data = {};
};

}  // namespace reconverge

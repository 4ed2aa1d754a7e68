// SPDX-License-Identifier: Apache-2.0
#pragma once
/// What is at the pins of a Benes network in a clock. Plain data, no SystemC.

#include "models/stream/benes_network/messages.hpp"

namespace reconverge {

/// As NetworkKind, and permute: active records move as switches are set.
enum class NetworkMode : std::uint8_t { pack, split, unpack, permute };

/// Of each lane or port; 32 bits at most.
using NetworkData = std::array<std::uint32_t, most_network_ports>;

struct NetworkInputs {
  bool valid = false;
  NetworkMode mode = NetworkMode::pack;
  RecordGroup group = {};
  NetworkSettings crossed = {};  ///< permute
  NetworkData data = {};
};

struct NetworkOutputs {
  bool ready = true;
  bool asked = false;  ///< of a request, and its mode, as they came in
  NetworkMode mode = NetworkMode::pack;
  unsigned next_first = 0;
  unsigned next_second = 0;
  // Of ports, unpacking: which are read in this clock, and where from.
  PortMask read = 0;
  PortMask read_bank = 0;
  // Of those that leave: bit by bit whether there is a record, and its bank.
  PortMask valid = 0;
  PortMask bank = 0;
  NetworkData data = {};
};

}  // namespace reconverge

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The values at the pins of a Benes network in a clock. Plain data, no SystemC.

#include "models/stream/benes_network/messages.hpp"

namespace reconverge {

/// The modes of NetworkKind, and permute: active records move as the inputs set the switches.
enum class NetworkMode : std::uint8_t { pack, split, unpack, permute };

/// A record for each lane or port, of 32 bits at most.
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
  bool asked = false;  ///< copies of the inputs: whether there is a request, and its mode
  NetworkMode mode = NetworkMode::pack;
  unsigned next_first = 0;
  unsigned next_second = 0;
  // Unpack, for each port: whether it is read in this clock, and from which bank.
  PortMask read = 0;
  PortMask read_bank = 0;
  // The records that leave. For each port or lane: whether there is a record, and its bank.
  PortMask valid = 0;
  PortMask bank = 0;
  NetworkData data = {};
};

}  // namespace reconverge

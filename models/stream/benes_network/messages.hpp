// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Requests to a Benes network between lanes and two striped memories.

#include "models/stream/benes_network/record_packing.hpp"

namespace reconverge {

/// pack: all records go to bank 0. split: taken records go to bank 0, the others to bank 1. unpack: records return to
/// their lanes; `taken`, the control stream, selects the bank of each.
enum class NetworkKind : std::uint8_t { pack, split, unpack };

/// A group of records that passes the network; lanes and stripes beyond its ports do not exist.
struct NetworkRequest {
  NetworkKind kind = NetworkKind::pack;
  RecordGroup group = {};
  bool wants_ports = false;

  // The answer.
  unsigned clocks = 0;      ///< clocks in which the group enters the network: 1, or 2 if its records would collide
  unsigned next_first = 0;  ///< the stripes after the group
  unsigned next_second = 0;
  PortMap ports = {};  ///< the port of each active lane, if requested
};

}  // namespace reconverge

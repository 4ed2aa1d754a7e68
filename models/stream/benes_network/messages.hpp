#pragma once
/// What is asked of a Benes network between lanes and two striped memories.

#include "models/stream/benes_network/record_packing.hpp"

namespace reconverge {

/// pack: all records to bank 0. split: those taken to bank 0, the others to bank 1. unpack: back to their lanes, as
/// `taken`, the control stream, says which bank each comes from.
enum class NetworkKind : std::uint8_t { pack, split, unpack };

/// A group of records that goes through; lanes and stripes beyond the network's ports do not exist.
struct NetworkRequest {
  NetworkKind kind = NetworkKind::pack;
  RecordGroup group = {};
  bool wants_ports = false;

  // The answer.
  unsigned clocks = 0;      ///< in which the group enters the network: 1, or 2 where its records would collide
  unsigned next_first = 0;  ///< the stripes behind the group
  unsigned next_second = 0;
  PortMap ports = {};  ///< of each active lane, if they are wanted
};

}  // namespace reconverge

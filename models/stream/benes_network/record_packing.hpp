// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Packing and splitting by a Benes network without its looping algorithm (Popa 2004, section 4.1.1): each stage routes
/// a record by one bit of its port. Plain data, no SystemC.
///
/// Records use the middle stage and the stages after it, at distances 1, 2, ..., N/2. A switch of distance 2^k sets bit
/// k of a record's position to that bit of its port. README.md explains why they do not collide.

#include <optional>

#include "models/stream/benes_network/benes_routing.hpp"

namespace reconverge {

/// Records, at most one per lane, that move to two memories with one stripe for each lane. Stripes of bank 0 fill
/// upwards and those of bank 1 downwards, both with wrap-around.
struct RecordGroup {
  PortMask active = 0;  ///< lanes with a record
  PortMask taken = 0;   ///< the lanes among these whose records go to bank 0
  unsigned first = 0;   ///< the stripe that bank 0 fills next
  unsigned second = 0;  ///< the stripe that bank 1 fills next

  PortMask to_first() const { return active & taken; }
  PortMask to_second() const { return active & ~taken; }
};

/// Only the records of one bank.
RecordGroup of_first(const RecordGroup& group);
RecordGroup of_second(const RecordGroup& group);

class RecordPacking {
 public:
  explicit RecordPacking(BenesRouting routing) : routing_(routing) {}

  const BenesRouting& routing() const { return routing_; }

  /// The port of each active lane's record: in lane order, upwards from `first` or downwards from `second`.
  PortMap ports_of(const RecordGroup& group) const;

  /// Whether all records pass in one clock. This is so unless, for some aligned block of 2^k lanes with records for
  /// both banks, (second - first - records before the block) mod 2^k < records in the block - 1. All records therefore
  /// pass if they are for one bank, or if second = first - 1 (mod N) and records are in the lowest lanes.
  bool at_once(const RecordGroup& group) const;

  /// Settings that route the records to their ports; none if two records need different settings of a switch, or the
  /// same port. The reversed settings route them back.
  std::optional<NetworkSettings> settings_of(const RecordGroup& group) const;

  /// The next stripes after the group.
  unsigned next_first(const RecordGroup& group) const {
    return (group.first + static_cast<unsigned>(std::popcount(group.to_first()))) & routing_.around();
  }
  unsigned next_second(const RecordGroup& group) const {
    return (group.second - static_cast<unsigned>(std::popcount(group.to_second()))) & routing_.around();
  }

 private:
  BenesRouting routing_;
};

}  // namespace reconverge

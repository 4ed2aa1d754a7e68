#pragma once
/// Packing and splitting by a Benes network without its looping algorithm (Popa 2004, section 4.1.1): records find
/// their way by one bit of their port a stage. Plain data, no SystemC.
///
/// Records go through the middle and the stages behind it, at distances 1, 2, ..., N/2, where a switch of distance 2^k
/// sets bit k of a record's place to that bit of its port. README.md says why they do not collide.

#include <optional>

#include "models/stream/benes_network/benes_routing.hpp"

namespace reconverge {

/// Records, one a lane at most, on their way to two memories that lie in as many stripes as there are lanes. Stripes of
/// bank 0 fill upwards and those of bank 1 downwards, each around.
struct RecordGroup {
  PortMask active = 0;  ///< lanes with a record
  PortMask taken = 0;   ///< of those, the ones whose records go to bank 0
  unsigned first = 0;   ///< the stripe that bank 0 fills next
  unsigned second = 0;  ///< the stripe that bank 1 fills next

  PortMask to_first() const { return active & taken; }
  PortMask to_second() const { return active & ~taken; }
};

/// The records of one bank alone.
RecordGroup of_first(const RecordGroup& group);
RecordGroup of_second(const RecordGroup& group);

class RecordPacking {
 public:
  explicit RecordPacking(BenesRouting routing) : routing_(routing) {}

  const BenesRouting& routing() const { return routing_; }

  /// The port of each active lane's record: in the order of lanes from `first` on upwards, or from `second` on
  /// downwards.
  PortMap ports_of(const RecordGroup& group) const;

  /// Whether all records get through in one clock. They do unless, for some aligned block of 2^k lanes with records for
  /// both banks, (second - first - records in front of the block) mod 2^k < records in the block - 1. So they do when
  /// records are for one bank; and when second = first - 1 (mod N) and records are in the lowest lanes.
  bool at_once(const RecordGroup& group) const;

  /// Settings that bring the records to their ports; none where two records need one switch set differently, or one
  /// port. The settings reversed bring them back.
  std::optional<NetworkSettings> settings_of(const RecordGroup& group) const;

  /// The stripes that are next behind the group.
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

// SPDX-License-Identifier: Apache-2.0
#include "models/stream/benes_network/record_packing.hpp"

namespace reconverge {

namespace {

unsigned count(PortMask mask) { return static_cast<unsigned>(std::popcount(mask)); }

}  // namespace

RecordGroup of_first(const RecordGroup& group) {
  RecordGroup part = group;
  part.active = group.to_first();
  return part;
}

RecordGroup of_second(const RecordGroup& group) {
  RecordGroup part = group;
  part.active = group.to_second();
  return part;
}

PortMap RecordPacking::ports_of(const RecordGroup& group) const {
  PortMap ports{};
  unsigned up = group.first;
  unsigned down = group.second;
  for (PortMask left = group.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const bool taken = (group.taken >> lane & 1U) != 0;
    ports[lane] = static_cast<std::uint8_t>((taken ? up++ : down--) & routing_.around());
  }
  return ports;
}

bool RecordPacking::at_once(const RecordGroup& group) const {
  const PortMask up = group.to_first();
  const PortMask down = group.to_second();
  if (up == 0 || down == 0) return true;
  const unsigned gap = (group.second - group.first) & routing_.around();
  const bool lowest_lanes = (group.active & (group.active + 1)) == 0;
  if (gap == routing_.around() && lowest_lanes) return true;
  for (unsigned size = 2; size <= routing_.ports(); size *= 2) {
    for (unsigned begin = 0; begin < routing_.ports(); begin += size) {
      const PortMask block = (~PortMask{0} >> (most_network_ports - size)) << begin;
      if ((up & block) == 0 || (down & block) == 0) continue;
      const unsigned before = count(group.active & ((PortMask{1} << begin) - 1));
      if (((gap - before) & (size - 1)) < count(group.active & block) - 1) return false;
    }
  }
  return true;
}

std::optional<NetworkSettings> RecordPacking::settings_of(const RecordGroup& group) const {
  PortMap to = ports_of(group);  // of the record at each position
  PortMask occupied = group.active;
  NetworkSettings settings{};
  for (unsigned bit = 0; bit < routing_.levels(); ++bit) {
    const unsigned step = 1U << bit;
    PortMask after = 0;
    PortMap next{};
    for (unsigned place = 0; place < routing_.ports(); ++place) {
      if ((occupied >> place & 1U) == 0) continue;
      const unsigned goes = (place & ~step) | (to[place] & step);
      if ((after >> goes & 1U) != 0) return std::nullopt;
      after |= PortMask{1} << goes;
      next[goes] = to[place];
      if (goes != place) {
        settings[routing_.stage_behind(bit)] |= 1U << BenesRouting::switch_of(place & ~step, step);
      }
    }
    occupied = after;
    to = next;
  }
  return settings;
}

}  // namespace reconverge

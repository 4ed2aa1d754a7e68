// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_microkernel/partial_warp_pool.hpp"

namespace reconverge {

PartialWarpPool::PartialWarpPool(sc_core::sc_module_name name) : sc_module(name), regions("regions") {
  regions.bind(static_cast<ControlTarget<FormationRegion>&>(*this));
}

void PartialWarpPool::begin(SpawnAddress first, std::uint64_t entries) {
  first_ = first;
  free_ = Parts(entries / warp_size).set();
  next_ = 0;
}

std::size_t PartialWarpPool::taken() const { return free_.size() - free_.count(); }

std::optional<std::size_t> PartialWarpPool::find(std::size_t from) const {
  std::size_t part = from == 0 ? free_.find_first() : free_.find_next(from - 1);
  if (part == Parts::npos) part = free_.find_first();
  return part == Parts::npos ? std::nullopt : std::optional(part);
}

void PartialWarpPool::b_transport(FormationRegion& region, sc_core::sc_time& /*delay*/) {
  if (region.kind == FormationRegion::Kind::release) {
    free_.set((region.address - first_) / region_bytes);
    return;
  }
  const auto one = find(next_);
  if (!one) return;
  region.next[0] = address_of(*one);
  const auto other = find(*one + 1);
  if (other && other != one) region.next[1] = address_of(*other);
  if (region.kind == FormationRegion::Kind::look) return;
  for (unsigned i = 0; i < region.count; ++i) {
    const std::size_t part = i == 0 ? *one : *other;
    free_.reset(part);
    next_ = (part + 1) % free_.size();
  }
}

}  // namespace reconverge

#include "models/dynamic_microkernel/partial_warp_pool.hpp"

#include <algorithm>

namespace reconverge {

PartialWarpPool::PartialWarpPool(sc_core::sc_module_name name) : sc_module(name), regions("regions") {
  regions.bind(static_cast<ControlTarget<FormationRegion>&>(*this));
}

void PartialWarpPool::begin(SpawnAddress first, std::uint64_t entries) {
  first_ = first;
  taken_.assign(entries / warp_size, false);
  next_ = 0;
}

std::size_t PartialWarpPool::taken() const { return static_cast<std::size_t>(std::ranges::count(taken_, true)); }

std::optional<std::size_t> PartialWarpPool::find(std::size_t from) const {
  for (std::size_t i = 0; i < taken_.size(); ++i) {
    const std::size_t part = (from + i) % taken_.size();
    if (!taken_[part]) return part;
  }
  return std::nullopt;
}

void PartialWarpPool::b_transport(FormationRegion& region, sc_core::sc_time& /*delay*/) {
  if (region.kind == FormationRegion::Kind::release) {
    taken_[(region.address - first_) / region_bytes] = false;
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
    taken_[part] = true;
    next_ = (part + 1) % taken_.size();
  }
}

}  // namespace reconverge

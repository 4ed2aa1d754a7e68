// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/raytrace/warp_buffer.hpp"

#include <algorithm>

namespace reconverge {

namespace {

constexpr std::uint64_t sector = 32;

std::uint64_t first_sector(const MemoryFetch& fetch) { return fetch.address / sector; }
std::uint64_t last_sector(const MemoryFetch& fetch) { return (fetch.address + fetch.bytes - 1) / sector; }

}  // namespace

void WarpBuffer::begin() {
  order_.clear();
  order_.reserve(warps_.size());
}

std::uint32_t WarpBuffer::take() {
  std::uint32_t free = 0;
  while (std::ranges::find(order_, free) != order_.end()) ++free;
  order_.push_back(free);
  return free;
}

void WarpBuffer::release(std::uint32_t warp) { order_.erase(std::ranges::find(order_, warp)); }

std::optional<SharedFetch> WarpBuffer::next(Cycle now) const {
  for (const std::uint32_t number : order_) {
    const TracedWarp& warp = warps_[number];
    LaneMask can = 0;
    for_each_lane(warp.left, [&](unsigned lane) { can |= warp.ready[lane] <= now ? lane_bit(lane) : 0; });
    if (can == 0) continue;
    const MemoryFetch& first = warp.needs(first_lane(can));
    SharedFetch shared{number, 0, first_sector(first), last_sector(first)};
    for_each_lane(can, [&](unsigned lane) {
      const MemoryFetch& other = warp.needs(lane);
      const bool inside = first_sector(other) >= shared.first && last_sector(other) <= shared.last;
      if (inside && other.purpose == first.purpose) shared.lanes |= lane_bit(lane);
    });
    return shared;
  }
  return std::nullopt;
}

Cycle WarpBuffer::next_ready() const {
  Cycle first = never;
  for (const std::uint32_t number : order_) {
    const TracedWarp& warp = warps_[number];
    for_each_lane(warp.left, [&](unsigned lane) { first = std::min(first, warp.ready[lane]); });
  }
  return first;
}

}  // namespace reconverge

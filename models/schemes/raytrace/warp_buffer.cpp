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
  for (Asks& asks : asks_) asks.fill(never);
  std::ranges::fill(first_, never);
}

std::uint32_t WarpBuffer::take() {
  std::uint32_t free = 0;
  while (std::ranges::find(order_, free) != order_.end()) ++free;
  order_.push_back(free);
  return free;
}

void WarpBuffer::release(std::uint32_t warp) { order_.erase(std::ranges::find(order_, warp)); }

void WarpBuffer::can_ask(std::uint32_t warp, unsigned lane, Cycle ready) {
  asks_[warp][lane] = ready;
  first_[warp] = std::min(first_[warp], ready);
}

void WarpBuffer::wait(std::uint32_t warp, LaneMask lanes) {
  for_each_lane(lanes, [&](unsigned lane) { asks_[warp][lane] = never; });
  first_[warp] = std::ranges::min(asks_[warp]);
}

std::optional<SharedFetch> WarpBuffer::next(Cycle now) const {
  for (const std::uint32_t number : order_) {
    if (first_[number] > now) continue;
    const TracedWarp& warp = warps_[number];
    LaneMask can = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) can |= asks_[number][lane] <= now ? lane_bit(lane) : 0;
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

Cycle WarpBuffer::next_ready() const { return std::ranges::min(first_); }

}  // namespace reconverge

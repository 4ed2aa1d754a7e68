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
  for (Asks& asks : asks_) {
    asks.able = asks.later = 0;
    asks.earliest = never;
  }
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
  Asks& asks = asks_[warp];
  const MemoryFetch& needed = warps_[warp].needs(lane);
  asks.later |= lane_bit(lane);
  asks.earliest = std::min(asks.earliest, ready);
  asks.ready[lane] = ready;
  asks.first[lane] = first_sector(needed);
  asks.last[lane] = last_sector(needed);
  asks.purpose[lane] = needed.purpose;
  first_[warp] = std::min(first_[warp], ready);
}

void WarpBuffer::wait(std::uint32_t warp, LaneMask lanes) {
  Asks& asks = asks_[warp];
  asks.able &= ~lanes;
  first_[warp] = asks.able != 0 ? 0 : asks.earliest;
}

void WarpBuffer::Asks::advance(Cycle now) {
  if (earliest > now) return;
  earliest = never;
  for_each_lane(later, [&](unsigned lane) {
    if (ready[lane] <= now) {
      able |= lane_bit(lane);
    } else {
      earliest = std::min(earliest, ready[lane]);
    }
  });
  later &= ~able;
}

std::optional<SharedFetch> WarpBuffer::next(Cycle now) {
  for (const std::uint32_t number : order_) {
    if (first_[number] > now) continue;
    Asks& asks = asks_[number];
    asks.advance(now);
    first_[number] = 0;
    const unsigned lowest = first_lane(asks.able);
    SharedFetch shared{number, 0, asks.first[lowest], asks.last[lowest]};
    const std::uint8_t purpose = asks.purpose[lowest];
    for_each_lane(asks.able, [&](unsigned lane) {
      const bool inside = asks.first[lane] >= shared.first && asks.last[lane] <= shared.last;
      shared.lanes |= inside && asks.purpose[lane] == purpose ? lane_bit(lane) : 0;
    });
    return shared;
  }
  return std::nullopt;
}

Cycle WarpBuffer::next_ready() const { return std::ranges::min(first_); }

}  // namespace reconverge

// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/raytrace/warp_buffer.hpp"

#include <catch2/catch.hpp>

namespace reconverge::tests {
namespace {

/// An instruction with one fetch for each of some lanes, lane `i` at addresses[i].
std::uint32_t add(WarpBuffer& buffer, const std::vector<DeviceAddress>& addresses, std::uint16_t bytes, Cycle ready) {
  const std::uint32_t number = buffer.take();
  TracedWarp& warp = buffer[number];
  warp.fetches.clear();
  warp.left = 0;
  for (unsigned lane = 0; lane < addresses.size(); ++lane) {
    warp.fetches.push_back({addresses[lane], bytes, static_cast<std::uint8_t>(lane), 1, false});
    warp.next[lane] = lane;
    warp.end[lane] = lane + 1;
    warp.ready[lane] = ready;
    warp.left |= lane_bit(lane);
  }
  return number;
}

}  // namespace

TEST_CASE("the oldest instruction is first and rays that need the same sectors share a fetch") {
  WarpBuffer buffer(2);
  buffer.begin();
  CHECK(buffer.empty());
  CHECK(buffer.next_ready() == never);
  CHECK_FALSE(buffer.next(0));
  const std::uint32_t first = add(buffer, {256, 512, 256, 272}, 16, 10);
  const std::uint32_t second = add(buffer, {512}, 64, 5);
  CHECK(buffer.full());
  CHECK(buffer.next_ready() == 5);
  CHECK_FALSE(buffer.next(4));
  // The one that could send its request first is younger, and the older one cannot yet.
  CHECK(buffer.next(5)->warp == second);
  CHECK(buffer.next(5)->first == 16);
  CHECK(buffer.next(5)->last == 17);
  const auto shared = buffer.next(10);
  CHECK(shared->warp == first);
  CHECK(shared->lanes == 0b1101);
  CHECK(shared->first == 8);
  CHECK(shared->last == 8);
}

TEST_CASE("fetches for different purposes do not go together, nor do rays that wait") {
  WarpBuffer buffer(1);
  buffer.begin();
  const std::uint32_t number = add(buffer, {64, 64, 64}, 32, 0);
  buffer[number].fetches[1].purpose = 2;
  CHECK(buffer.next(0)->lanes == 0b101);
  buffer[number].ready[0] = never;
  CHECK(buffer.next(0)->lanes == 0b010);
  buffer[number].left = 0b100;
  CHECK(buffer.next(0)->lanes == 0b100);
}

TEST_CASE("a place that is given back is taken again, by one that is younger than all") {
  WarpBuffer buffer(2);
  buffer.begin();
  const std::uint32_t first = add(buffer, {0}, 32, 0);
  const std::uint32_t second = add(buffer, {0}, 32, 0);
  buffer.release(first);
  CHECK_FALSE(buffer.full());
  CHECK(buffer.take() == first);
  CHECK(buffer.held().size() == 2);
  CHECK(buffer.held().front() == second);
}

}  // namespace reconverge::tests

// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/raytrace/warp_buffer.hpp"

#include <catch2/catch.hpp>

namespace reconverge::tests {
namespace {

/// Adds an instruction with one fetch for each lane: lane `i` fetches addresses[i], for purposes[i] if given.
std::uint32_t add(WarpBuffer& buffer, const std::vector<DeviceAddress>& addresses, std::uint16_t bytes, Cycle ready,
                  const std::vector<std::uint8_t>& purposes = {}) {
  const std::uint32_t number = buffer.take();
  TracedWarp& warp = buffer[number];
  warp.fetches.clear();
  warp.left = 0;
  for (unsigned lane = 0; lane < addresses.size(); ++lane) {
    const std::uint8_t purpose = lane < purposes.size() ? purposes[lane] : 1;
    warp.fetches.push_back({addresses[lane], bytes, static_cast<std::uint8_t>(lane), purpose, false});
    warp.next[lane] = lane;
    warp.end[lane] = lane + 1;
    warp.left |= lane_bit(lane);
    buffer.can_ask(number, lane, ready);
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
  // The younger instruction can send its request earlier. The older instruction cannot send yet.
  CHECK(buffer.next(5)->warp == second);
  CHECK(buffer.next(5)->first == 16);
  CHECK(buffer.next(5)->last == 17);
  const auto shared = buffer.next(10);
  CHECK(shared->warp == first);
  CHECK(shared->lanes == 0b1101);
  CHECK(shared->first == 8);
  CHECK(shared->last == 8);
}

TEST_CASE("fetches for different purposes are not combined, and waiting rays are excluded") {
  WarpBuffer buffer(1);
  buffer.begin();
  const std::uint32_t number = add(buffer, {64, 64, 64}, 32, 0, {1, 2, 1});
  CHECK(buffer.next(0)->lanes == 0b101);
  buffer.wait(number, 0b001);
  CHECK(buffer.next(0)->lanes == 0b010);
  buffer.wait(number, 0b010);
  CHECK(buffer.next(0)->lanes == 0b100);
}

TEST_CASE("the buffer tracks the first ray that can send a request while rays wait and continue") {
  WarpBuffer buffer(2);
  buffer.begin();
  const std::uint32_t first = add(buffer, {0, 32}, 32, 7);
  const std::uint32_t second = add(buffer, {64}, 32, 9);
  CHECK(buffer.next(7)->lanes == 0b01);
  buffer.wait(first, 0b01);
  CHECK(buffer.next(7)->lanes == 0b10);
  buffer.wait(first, 0b10);
  CHECK(buffer.next_ready() == 9);
  CHECK_FALSE(buffer.next(8));
  buffer.can_ask(first, 1, 12);
  CHECK(buffer.next_ready() == 9);
  buffer.can_ask(first, 0, 8);
  CHECK(buffer.next_ready() == 8);
  CHECK(buffer.next(8)->lanes == 0b01);
  CHECK(buffer.next_ready() <= 8);
  // When the first ray that could send a request waits, the next ray of its instruction counts.
  buffer.wait(first, 0b01);
  CHECK(buffer.next_ready() == 9);
  CHECK(buffer.next(9)->warp == second);
  buffer.wait(second, 0b1);
  CHECK(buffer.next_ready() == 12);
  CHECK_FALSE(buffer.next(11));
  CHECK(buffer.next(12)->lanes == 0b10);
  buffer.wait(first, 0b10);
  CHECK(buffer.next_ready() == never);
}

TEST_CASE("a new launch and a new instruction begin without rays that can send requests") {
  WarpBuffer buffer(1);
  buffer.begin();
  add(buffer, {0, 32}, 32, 7);
  buffer.begin();
  CHECK(buffer.next_ready() == never);
  add(buffer, {0}, 32, 8);
  CHECK(buffer.next(8)->lanes == 0b1);
}

TEST_CASE("a released entry is reused by an instruction that is younger than all others") {
  WarpBuffer buffer(2);
  buffer.begin();
  const std::uint32_t first = add(buffer, {0}, 32, 0);
  const std::uint32_t second = add(buffer, {0}, 32, 0);
  buffer.wait(first, 0b1);
  buffer.release(first);
  CHECK_FALSE(buffer.full());
  CHECK(buffer.take() == first);
  CHECK(buffer.held().size() == 2);
  CHECK(buffer.held().front() == second);
}

}  // namespace reconverge::tests

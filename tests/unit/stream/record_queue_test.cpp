// SPDX-License-Identifier: Apache-2.0
#include "models/stream/record_queue.hpp"

#include <catch2/catch.hpp>
#include <deque>
#include <numeric>

namespace reconverge {

namespace {

void append(RecordQueue& queue, LaneMask lanes, const LaneWords& first, const LaneWords& second) {
  const LaneList list(lanes);
  queue.begin(list);
  queue.put(0, list, first.data());
  queue.put(1, list, second.data());
  queue.put_threads(list, first.data());
}

}  // namespace

TEST_CASE("a record queue returns records in order and packed, regardless of their lanes", "[stream]") {
  const std::uint64_t capacity = GENERATE(std::uint64_t{40}, std::uint64_t{257}, RecordQueue::unlimited);
  RecordQueue queue(2, capacity);
  std::deque<std::uint32_t> expected;
  std::uint32_t next = 0;
  std::uint64_t state = 1;
  for (int round = 0; round < 500; ++round) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const auto lanes = static_cast<LaneMask>(state >> 32U);
    if (queue.room() >= warp_size && queue.size() < 5000) {
      LaneWords first{};
      LaneWords second{};
      for_each_lane(lanes, [&](unsigned lane) {
        expected.push_back(next);
        first[lane] = next++;
        second[lane] = ~first[lane];
      });
      append(queue, lanes, first, second);
    }
    REQUIRE(queue.size() == expected.size());
    const std::uint64_t count = std::min<std::uint64_t>({queue.size(), warp_size, state >> 20U & 31U});
    for (std::uint64_t i = 0; i < count; ++i) {
      CHECK(queue.column(0)[i] == expected[i]);
      CHECK(queue.column(1)[i] == ~expected[i]);
      CHECK(queue.threads()[i] == expected[i]);
    }
    queue.pop(count);
    expected.erase(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(count));
  }
  CHECK(queue.written() == next);
}

}  // namespace reconverge

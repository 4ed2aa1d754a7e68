// SPDX-License-Identifier: Apache-2.0
// The warps that threads of several warps form if no thread changes its lane, compared with calculations by hand.

#include "models/schemes/thread_block_compaction/compactor.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "tests/unit/thread_block_compaction/thread_rows.hpp"

namespace reconverge::tests {
namespace {

Texts compacted(std::initializer_list<std::string_view> rows, std::initializer_list<LaneMask> chosen, unsigned lanes) {
  std::vector<ThreadRow> from;
  for (const auto row : rows) from.push_back(row_of(row));
  std::vector<ThreadRow> to;
  compact(from, std::vector<LaneMask>(chosen), to);
  return texts_of(to, lanes);
}

}  // namespace

TEST_CASE("two warps with threads in different lanes form one warp") {
  CHECK(compacted({"aaaa", "bbbb"}, {0b0011, 0b1100}, 4) == Texts{"aabb"});
}

TEST_CASE("a lane with two threads needs two warps, regardless of other lanes") {
  CHECK(compacted({"aaaa", "bbbb"}, {0b0011, 0b0110}, 4) == Texts{"aab.", ".b.."});
  // Three warps have seven threads. All three have a thread in lane 0.
  CHECK(compacted({"aaaa", "bbbb", "cccc"}, {0b0001, 0b0011, 0b1111}, 4) == Texts{"abcc", "bc..", "c..."});
}

TEST_CASE("threads of earlier rows come first in a lane, regardless of their original warp") {
  CHECK(compacted({"ba..", "ab.c"}, {0b1111, 0b1111}, 4) == Texts{"ba.c", "ab.."});
}

TEST_CASE("lanes without a thread stay empty, and there are no empty rows") {
  CHECK(compacted({"a.a.", "..b."}, {0b1011, 0b0100}, 4) == Texts{"a.b."});
  CHECK(compacted({"aaaa", "bbbb"}, {0, 0}, 4).empty());
}

TEST_CASE("the fullest lane determines the number of rows, and every thread is in one row in its lane") {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const std::size_t count = 1 + random() % 8;
    std::vector<ThreadRow> rows(count);
    std::vector<LaneMask> chosen(count);
    std::array<std::size_t, warp_size> in_lane{};
    for (std::size_t i = 0; i < count; ++i) {
      rows[i].home.fill(static_cast<std::uint8_t>(i));
      rows[i].lanes = static_cast<LaneMask>(random());
      chosen[i] = rows[i].lanes & static_cast<LaneMask>(random());
      for_each_lane(chosen[i], [&](unsigned lane) { ++in_lane[lane]; });
    }
    std::vector<ThreadRow> made;
    compact(rows, chosen, made);
    CHECK(made.size() == *std::ranges::max_element(in_lane));
    std::vector<LaneMask> found(count, 0);
    for (const ThreadRow& row : made) {
      for_each_lane(row.lanes, [&](unsigned lane) {
        CHECK((found[row.home[lane]] >> lane & 1U) == 0);
        found[row.home[lane]] |= lane_bit(lane);
      });
    }
    CHECK(found == chosen);
  }
}

}  // namespace reconverge::tests

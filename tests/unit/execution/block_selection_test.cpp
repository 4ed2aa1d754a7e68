// SPDX-License-Identifier: Apache-2.0
#include "models/execution/block_selection.hpp"

#include <catch2/catch.hpp>
#include <vector>

namespace reconverge {
namespace {

std::vector<std::uint64_t> selected(const BlockSelection& selection, std::uint64_t blocks) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t i = 0; i < selection.count(blocks); ++i) all.push_back(selection.block(i, blocks));
  return all;
}

}  // namespace

TEST_CASE("a selection and its complement contain each block once", "[block_selection]") {
  for (const std::uint64_t period : {1, 2, 3, 7, 16, 40}) {
    for (std::uint64_t length = 1; length <= period; ++length) {
      const BlockSelection selection{period, length};
      for (const std::uint64_t blocks : {0, 1, 2, 15, 16, 17, 39, 40, 41, 100, 163}) {
        CAPTURE(period, length, blocks);
        std::vector<int> times(blocks, 0);
        std::uint64_t last = 0;
        for (const BlockSelection& part : {selection, selection.others()}) {
          for (const std::uint64_t block : selected(part, blocks)) {
            REQUIRE(block < blocks);
            CHECK((block >= last || times[block] == 0));
            ++times[block];
            last = block;
          }
        }
        CHECK(times == std::vector<int>(blocks, 1));
        CHECK(selection.count(blocks) == blocks / period * length + blocks % period * length / period);
      }
    }
  }
}

TEST_CASE("selected blocks ascend and are consecutive in each period", "[block_selection]") {
  const std::vector<std::uint64_t> blocks = selected({40, 5}, 4000);
  REQUIRE(blocks.size() == 500);
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    CHECK(blocks[i] > blocks[i - 1]);
    if (i % 5 != 0) CHECK(blocks[i] == blocks[i - 1] + 1);
    CHECK(blocks[i] / 40 == i / 5);
  }
}

TEST_CASE("a pattern that repeats with the period is sampled evenly", "[block_selection]") {
  // A tenth of the blocks is marked, at the same position in each period. Consecutive blocks at a fixed position of the
  // period would be all marked or all unmarked.
  const std::vector<std::uint64_t> blocks = selected({100, 10}, 100'000);
  std::uint64_t marked = 0;
  for (const std::uint64_t block : blocks) marked += block % 100 >= 40 && block % 100 < 50 ? 1 : 0;
  CHECK(marked > 700);
  CHECK(marked < 1500);
}

}  // namespace reconverge

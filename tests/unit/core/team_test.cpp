// SPDX-License-Identifier: Apache-2.0
#include "models/core/team.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <numeric>
#include <vector>

namespace reconverge {
namespace {

TEST_CASE("a team executes each part of each task once") {
  const unsigned threads = GENERATE(1U, 2U, 3U, 8U);
  Team team(threads);
  for (std::uint32_t parts = 0; parts < 200; ++parts) {
    std::vector<unsigned> done(parts);
    team.run(parts, [&](std::size_t part) { ++done[part]; });
    REQUIRE(std::ranges::count(done, 1U) == parts);
  }
}

TEST_CASE("parts begin in order, so that a part may wait for earlier parts") {
  Team team(3);
  for (unsigned task = 0; task < 200; ++task) {
    std::vector<std::atomic<bool>> done(16);
    std::atomic<unsigned> early = 0;
    team.run(16, [&](std::size_t part) {
      for (std::size_t before = 0; before < part; ++before) done[before].wait(false);
      early += part != 0 && !done[part - 1] ? 1 : 0;
      done[part] = true;
      done[part].notify_all();
    });
    REQUIRE(early == 0);
  }
}

TEST_CASE("writes of a task are visible to the next task") {
  Team team(4);
  std::vector<std::uint64_t> sums(32, 1);
  for (unsigned task = 0; task < 100; ++task) {
    const std::vector<std::uint64_t> before = sums;
    team.run(32, [&](std::size_t part) { sums[part] = before[part] + before[31 - part]; });
  }
  std::uint64_t expected = 1;
  for (unsigned task = 0; task < 100; ++task) expected += expected;
  CHECK(std::ranges::count(sums, expected) == 32);
}

}  // namespace
}  // namespace reconverge

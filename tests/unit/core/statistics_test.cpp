// SPDX-License-Identifier: Apache-2.0
#include "models/core/statistics.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/core/statistics_tree.hpp"
#include "test_blocks/core.hpp"
#include "test_blocks/machine.hpp"

namespace test_blocks {

using namespace reconverge;

TEST_CASE("counters are plain members, and are added over instances") {
  CoreStatistics first;
  ++first.hits;
  first.active_lanes[32] += 5;
  first.lost[CoreLost::memory] += 7;
  CoreStatistics second = first;
  ++second.lost[CoreLost::static_];
  second += first;
  CHECK(second.hits == 2);
  CHECK(second.active_lanes[32] == 10);
  CHECK(second.lost[CoreLost::memory] == 14);
  CHECK(second.lost[CoreLost::static_] == 1);
  CHECK_FALSE(first == second);
  STATIC_REQUIRE(sizeof(CoreStatistics) == (1 + 33 + 3) * sizeof(std::uint64_t));
}

TEST_CASE("a view reads any statistics") {
  CoreStatistics statistics;
  statistics.hits = 3;
  statistics.active_lanes[31] = 4;
  statistics.lost[CoreLost::scoreboard] = 5;
  statistics.lost[CoreLost::static_] = 6;
  const StatisticsView view(statistics);
  std::vector<std::string> seen;
  view.visit([&](const StatisticDescription& statistic, std::span<const std::uint64_t> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] == 0) continue;
      const std::string bin = statistic.bins == 0 ? std::string() : fmt::format("[{}]", bin_name(statistic, i));
      seen.push_back(fmt::format("{}{} {} {}", statistic.name, bin, values[i], statistic.unit));
    }
  });
  CHECK(seen == std::vector<std::string>{"hits 3 requests", "active_lanes[31] 4 warp instructions",
                                         "lost[scoreboard] 5 issue slots", "lost[static] 6 issue slots"});
  CHECK(sum(view.values(view.descriptions()[2])) == 11);
  CHECK(view.values(view.descriptions()[1]).size() == 33);
  CHECK(view.values(view.descriptions()[0]) == std::vector<std::uint64_t>{3});
}

TEST_CASE("a block without statistics has an empty view") {
  MachineStatistics statistics;
  statistics += statistics;
  CHECK(StatisticsView(statistics).descriptions().empty());
}

TEST_CASE("counters of a tree of blocks can be accessed by struct and visited by path") {
  Statistics all(machine_block);
  all.of<CoreStatistics>().hits = 3;
  std::vector<std::string> paths;
  std::as_const(all).visit([&](std::string_view path, const StatisticsView& view) {
    paths.emplace_back(path);
    CHECK(view.values(view.descriptions()[0])[0] == 3);
  });
  // The machine and its memories have no counters.
  CHECK(paths == std::vector<std::string>{"machine.core"});
  CHECK_THROWS_AS(all.of<MachineStatistics>(), std::logic_error);
}

TEST_CASE("trees of counters can be added and subtracted") {
  Statistics first(machine_block);
  first.of<CoreStatistics>().hits = 3;
  Statistics second = first;
  second.of<CoreStatistics>().hits = 10;
  second.of<CoreStatistics>().lost[CoreLost::memory] = 2;
  const Statistics since = second.since(first);
  CHECK(since.of<CoreStatistics>().hits == 7);
  CHECK(since.of<CoreStatistics>().lost[CoreLost::memory] == 2);
  CHECK(first.of<CoreStatistics>().hits == 3);
  Statistics sum;
  CHECK(std::as_const(sum).of<CoreStatistics>() == CoreStatistics{});
  sum += first;
  sum += second;
  sum += Statistics();
  CHECK(sum.of<CoreStatistics>().hits == 13);
  CHECK_THROWS_AS(sum += Statistics(core_block), std::logic_error);
}

}  // namespace test_blocks

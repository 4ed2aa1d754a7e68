// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_ray_shuffling/ray_state_table.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/dynamic_ray_shuffling/asker.hpp"

using namespace reconverge;
using namespace reconverge::tests;

namespace {

/// A table of four rows of eight lanes; all rays of the first three rows are in the fetch state.
struct Bench {
  SimulationContext context;
  RayStateTable table{"table"};
  Asker<RayReport> report{"report", table.reports};
  Asker<RaySwap> swap{"swap", table.swaps};
  Asker<RowRead> read{"read", table.reads};
  Asker<RowSummary> summary{"summary", table.summaries};

  Bench() {
    elaborate();
    table.begin(4, 3, 8);
  }
};

constexpr LaneMask all = 0xFF;

}  // namespace

TEST_CASE("The ray state table holds the reported states in existing lanes") {
  Bench bench;
  CHECK(bench.read({0}).lanes(RayState::fetch) == all);
  CHECK(bench.read({0}).rays() == all);
  CHECK(bench.read({3}).lanes(RayState::none) == all);
  bench.report({1, all_lanes, uniform_row(RayState::leaf)});
  CHECK(bench.read({1}).lanes(RayState::leaf) == all);
  bench.report({1, 0b11, uniform_row(RayState::inner)});
  CHECK(bench.read({1}).lanes(RayState::leaf) == 0b11111100);
  CHECK(bench.read({1}).lanes(RayState::inner) == 0b11);
  CHECK(bench.read({0}).lanes(RayState::fetch) == all);
}

TEST_CASE("The ray state table finds rows by their states") {
  Bench bench;
  RowSummary summary = bench.summary();
  for (const std::size_t row : {0U, 1U, 2U}) {
    CHECK(summary.full().holds(row));
    CHECK(summary.with(RayState::fetch).holds(row));
  }
  CHECK_FALSE(summary.with_rays().holds(3));
  CHECK_FALSE(summary.uniform().holds(3));
  bench.report({1, 0b1, uniform_row(RayState::none)});
  bench.report({2, 0b1, uniform_row(RayState::leaf)});
  summary = bench.summary();
  CHECK(summary.uniform().holds(1));  // but not full
  CHECK_FALSE(summary.full().holds(1));
  CHECK(summary.with(RayState::none).holds(1));
  CHECK_FALSE(summary.uniform().holds(2));
  CHECK(summary.with(RayState::leaf).holds(2));
}

TEST_CASE("The ray state table swaps the i-th source lane with the i-th destination lane") {
  Bench bench;
  bench.report({0, 0b0110, uniform_row(RayState::leaf)});
  bench.swap({0, 3, 0b0110, 0b1001, false});
  CHECK(bench.read({0}).lanes(RayState::none) == 0b0110);
  CHECK(bench.read({3}).lanes(RayState::leaf) == 0b1001);
  CHECK(bench.summary().with(RayState::leaf).first() == 3U);
  // The swap moves rays in both directions, each to its own lane.
  bench.report({1, 0b100, uniform_row(RayState::inner)});
  bench.report({1, 0b010, uniform_row(RayState::leaf)});
  bench.swap({1, 2, 0b110, 0b011, true});
  CHECK(bench.read({2}).lanes(RayState::leaf) == 0b001);
  CHECK(bench.read({2}).lanes(RayState::inner) == 0b010);
  CHECK(bench.read({1}).lanes(RayState::fetch) == all);
}

TEST_CASE("A launch resets the ray state table") {
  Bench bench;
  bench.report({0, all, uniform_row(RayState::leaf)});
  bench.table.begin(2, 1, 32);
  CHECK(bench.read({0}).lanes(RayState::fetch) == all_lanes);
  CHECK(bench.read({1}).rays() == 0);
  CHECK(bench.summary().with(RayState::leaf).empty());
}

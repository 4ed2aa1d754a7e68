// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_ray_shuffling/ray_shuffler.hpp"

#include <catch2/catch.hpp>

#include "models/cosim/dynamic_ray_shuffling/traffic/traffic.hpp"
#include "tests/repetition.hpp"

using namespace reconverge;

namespace {

using Answer = RayControl::Answer;

void run_until_idle(RayShuffler& shuffler) {
  for (int cycle = 0; cycle < 1000; ++cycle) {
    shuffler.step(grants_for(shuffler));
    if (shuffler.idle()) return;
  }
  FAIL("shuffling does not end");
}

}  // namespace

TEST_CASE("The walkthrough of DRS section 3.3, Fig. 6") {
  // Two warps of eight lanes and five rows: two of the warps, one of backup rays, two empty.
  Alone<RayShuffler> shuffler({}, 2, 8);
  CHECK(shuffler.rows() == 5);
  constexpr LaneMask all = 0xFF;
  for (const std::size_t warp : {std::size_t{0}, std::size_t{1}}) {
    const RayControl control = shuffler.control(warp);
    CHECK(control.answer == Answer::row);
    CHECK(control.row == warp);
    CHECK(control.states.lanes(RayState::fetch) == all);
    shuffler.report(warp, all, uniform_row(RayState::inner, all));
    shuffler.step({});
  }
  // T0: both run rows of inner rays. T1: three rays of row 1 reach leaves.
  constexpr LaneMask three = 0b00101010;
  shuffler.report(1, three, uniform_row(RayState::leaf, all));
  shuffler.step({});
  CHECK_FALSE(shuffler.table().summary().uniform().holds(1));
  CHECK(shuffler.control(0).row == 0);
  const RayControl moved = shuffler.control(1);
  CHECK(moved.answer == Answer::row);
  CHECK(moved.row == 2);
  shuffler.step({});
  CHECK(shuffler.renaming().row_of(1) == 2U);
  CHECK_FALSE(shuffler.renaming().bound().holds(1));
  // T2: the three rays have moved to an empty row, which collects rays at leaves.
  shuffler.report(1, all, uniform_row(RayState::inner, all));
  run_until_idle(shuffler);
  CHECK(shuffler.table().lanes(3, RayState::leaf) == 0b111);
  CHECK(shuffler.table().rays(1) == (all & ~three));
  CHECK(shuffler.table().summary().uniform().holds(1));
  // T3: five more have reached leaves in row 2; the collecting row is full, and a warp runs it.
  shuffler.report(1, 0b11111, uniform_row(RayState::leaf, all));
  shuffler.step({});
  CHECK(shuffler.control(1).answer == Answer::stall);
  run_until_idle(shuffler);
  CHECK(shuffler.table().lanes(3, RayState::leaf) == all);
  CHECK(shuffler.table().lanes(2, RayState::inner) == all);
  CHECK(shuffler.control(1).row == 2);
  shuffler.report(0, 1, uniform_row(RayState::leaf));
  shuffler.step({});
  const RayControl collected = shuffler.control(0);
  CHECK(collected.row == 3);
  CHECK(collected.states.lanes(RayState::leaf) == all);
}

TEST_CASE("A warp whose rays are all in one state keeps its row") {
  Alone<RayShuffler> shuffler({}, 3);
  CHECK(shuffler.control(2).row == 2);
  shuffler.step({});
  shuffler.report(2, all_lanes, uniform_row(RayState::inner));
  shuffler.step({});
  const RayControl control = shuffler.control(2);
  CHECK(control.row == 2);
  CHECK(control.states == uniform_row(RayState::inner));
  CHECK(shuffler.statistics().kept_rows == 2);
  CHECK(shuffler.statistics().renamings == 0);
}

TEST_CASE("Few rays end too without further rays in the same state") {
  struct Run {
    std::size_t warps;
    unsigned rays;
    std::uint32_t seed;
    double granted;
  };
  // Each run reaches a state in which a special row is the only one with rays of its state and also holds others, and
  // no warp has a row.
  for (const Run& run : {Run{2, 95, 3235, 0.6}, Run{1, 181, 3913, 0.9}, Run{2, 159, 8107, 0.9}}) {
    INFO("seed " << run.seed);
    Traffic<RayShuffler> traffic({}, {run.warps, 32}, run.rays, run.seed, {.granted = run.granted});
    for (unsigned cycle = 0; cycle < 400'000 && !traffic.done(); ++cycle) traffic.cycle();
    CHECK(traffic.done());
    CHECK(traffic.sound);
    CHECK(traffic.mixed_runs == 0);
  }
}

TEST_CASE("Warps end when no ray is left for them, and not before") {
  Alone<RayShuffler> shuffler({}, 2, 4);
  // Warp 0 finds no rays to fetch; the backup row still has rays.
  CHECK(shuffler.control(0).answer == Answer::row);
  shuffler.report(0, all_lanes, uniform_row(RayState::none));
  shuffler.step({});
  CHECK(shuffler.control(0).row == 2);
  shuffler.step({});
  shuffler.report(0, all_lanes, uniform_row(RayState::none));
  shuffler.step({});
  CHECK(shuffler.control(0).answer == Answer::exit);  // warp 1 works on the rest
  shuffler.step({});
  CHECK(shuffler.control(1).answer == Answer::row);
  shuffler.report(1, all_lanes, uniform_row(RayState::none));
  shuffler.step({});
  CHECK(shuffler.control(1).answer == Answer::exit);
}

TEST_CASE("Under random traffic no warp runs a mixed row, no ray is lost or copied, and all ends") {
  struct Shape {
    std::size_t warps;
    unsigned width;
    std::uint64_t backup_rows, swap_buffers;
    bool ideal;
    double granted;
  };
  for (const Shape& shape :
       {Shape{58, 32, 1, 6, false, 0.7}, Shape{60, 32, 8, 18, false, 0.9}, Shape{58, 32, 1, 6, true, 0.0},
        Shape{1, 32, 1, 6, false, 1.0}, Shape{2, 8, 1, 6, false, 0.5}, Shape{3, 2, 2, 9, false, 0.3}}) {
    DynamicRayShufflingParameters parameters;
    parameters.backup_rows = shape.backup_rows;
    parameters.swap_buffers = shape.swap_buffers;
    parameters.ideal = shape.ideal;
    for (std::uint32_t seed = 1; seed <= (tests::short_form() ? 1 : 3); ++seed) {
      INFO(shape.warps << " warps of " << shape.width << ", seed " << seed);
      const unsigned rays = (shape.warps <= 10 ? 3'000 : 60'000) / (tests::short_form() ? 5 : 1);
      Traffic<RayShuffler> traffic(parameters, {shape.warps, shape.width}, rays, seed, {.granted = shape.granted});
      for (std::uint64_t cycle = 0; !traffic.done(); ++cycle) {
        if (cycle == 3'000'000) FAIL("there is no end");
        traffic.cycle();
      }
      CHECK(traffic.sound);
      CHECK(traffic.mixed_runs == 0);
      CHECK(traffic.fetched == rays);
      const DynamicRayShufflingStatistics& counted = traffic.shuffler.statistics();
      CHECK(counted.kept_rows + counted.renamings == traffic.uniform_runs);
      CHECK(counted.exits == shape.warps);
      CHECK(counted.control_reads == counted.kept_rows + counted.renamings + counted.stalls + counted.exits);
      CHECK(counted.swaps > 0);
      // Lanes become empty only while the last rays are traced.
      if (shape.warps > 10) CHECK(traffic.incomplete_runs < traffic.uniform_runs / 4);
      for (std::size_t row = 0; row < traffic.shuffler.rows(); ++row) CHECK(traffic.shuffler.table().rays(row) == 0);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
// The block's answers to warps, with the pipeline (RayShuffler) and without it (IdealShuffler).

#include "models/schemes/dynamic_ray_shuffling/ray_shuffler.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/dynamic_ray_shuffling/driven.hpp"

using namespace reconverge;
using namespace reconverge::tests;

namespace {

using Answer = RayControl::Answer;

constexpr LaneMask all = 0xFF;
constexpr LaneMask three = 0b00101010;

/// Both warps trace the rays of their rows to inner nodes. The block has two warps of eight lanes and five rows: one
/// for each warp, one of backup rays, and two empty rows.
template <typename Shuffler>
void begin_at_inner_nodes(Shuffler& shuffler) {
  REQUIRE(shuffler.rows() == 5);
  for (const std::size_t warp : {0U, 1U}) {
    const RayControl control = execute_rdctrl(shuffler, warp);
    CHECK(control.answer == Answer::row);
    CHECK(control.row == warp);
    CHECK(control.states.lanes(RayState::fetch) == all);
    report(shuffler, warp, all, RayState::inner);
  }
}

/// Three rays of row 1 reach leaves. The warp gets row 2, and traces its rays to inner nodes.
template <typename Shuffler>
void part_row_1(Shuffler& shuffler) {
  begin_at_inner_nodes(shuffler);
  report(shuffler, 1, three, RayState::leaf);
  REQUIRE(execute_rdctrl(shuffler, 1).row == 2);
  report(shuffler, 1, all, RayState::inner);
  run_until_idle(shuffler);
}

/// `moved_last`: the number of rays that the swaps of T3 move.
template <typename Shuffler>
void walk_through(std::uint64_t moved_last) {
  Alone<Shuffler> shuffler({}, 2, 8);
  // T0: both warps run rows of inner rays. T1: three rays of row 1 reach leaves.
  begin_at_inner_nodes(shuffler);
  report(shuffler, 1, three, RayState::leaf);
  CHECK_FALSE(shuffler.table().summary().uniform().holds(1));
  CHECK(execute_rdctrl(shuffler, 0).row == 0);
  const RayControl moved = execute_rdctrl(shuffler, 1);
  CHECK(moved.answer == Answer::row);
  CHECK(moved.row == 2);
  CHECK(moved.states.lanes(RayState::fetch) == all);
  CHECK(shuffler.renaming().row_of(1) == 2U);
  CHECK_FALSE(shuffler.renaming().bound().holds(1));
  // T2: the three rays have moved to an empty row, which collects rays at leaves.
  report(shuffler, 1, all, RayState::inner);
  run_until_idle(shuffler);
  CHECK(shuffler.table().lanes(3, RayState::leaf) == 0b111);
  CHECK(shuffler.table().rays(1) == (all & ~three));
  CHECK(shuffler.table().summary().uniform().holds(1));
  CHECK(shuffler.statistics().swaps == 1);
  CHECK(shuffler.statistics().rays_moved == 3);
  // T3: five more rays, in row 2, have reached leaves. The collecting row is now full, and a warp runs it.
  report(shuffler, 1, 0b11111, RayState::leaf);
  CHECK(execute_rdctrl(shuffler, 1).answer == Answer::stall);
  CHECK_FALSE(shuffler.renaming().row_of(1));
  run_until_idle(shuffler);
  CHECK(shuffler.table().lanes(3, RayState::leaf) == all);
  CHECK(shuffler.table().lanes(2, RayState::inner) == all);
  CHECK(shuffler.has_answer());
  CHECK(execute_rdctrl(shuffler, 1).row == 2);
  report(shuffler, 0, 1, RayState::leaf);
  const RayControl collected = execute_rdctrl(shuffler, 0);
  CHECK(collected.row == 3);
  CHECK(collected.states.lanes(RayState::leaf) == all);
  // Three rows were kept: the first row of each warp, and row 0 once more.
  const DynamicRayShufflingStatistics& counted = shuffler.statistics();
  CHECK(counted.control_reads == 7);
  CHECK(counted.kept_rows == 3);
  CHECK(counted.renamings == 3);
  CHECK(counted.stalls == 1);
  CHECK(counted.exits == 0);
  CHECK(counted.swaps == 3);
  CHECK(counted.rays_moved == 3 + moved_last);
}

template <typename Shuffler>
void keep_row() {
  Alone<Shuffler> shuffler({}, 3);
  CHECK(execute_rdctrl(shuffler, 2).row == 2);
  report(shuffler, 2, all_lanes, RayState::inner);
  const RayControl control = execute_rdctrl(shuffler, 2);
  CHECK(control.row == 2);
  CHECK(control.states == uniform_row(RayState::inner));
  CHECK(shuffler.statistics().kept_rows == 2);
  CHECK(shuffler.statistics().renamings == 0);
}

template <typename Shuffler>
void end_warps() {
  Alone<Shuffler> shuffler({}, 2, 4);
  // Warp 0 finds no more rays to fetch, and gets the backup row, which still has rays.
  CHECK(execute_rdctrl(shuffler, 0).answer == Answer::row);
  report(shuffler, 0, 0b1111, RayState::none);
  CHECK(execute_rdctrl(shuffler, 0).row == 2);
  report(shuffler, 0, 0b1111, RayState::none);
  CHECK(execute_rdctrl(shuffler, 0).answer == Answer::exit);  // warp 1 has the only remaining rays
  CHECK(execute_rdctrl(shuffler, 1).answer == Answer::row);
  report(shuffler, 1, 0b0111, RayState::none);
  // One ray is left. The warp releases the row, and gets it again although lanes are empty.
  CHECK(execute_rdctrl(shuffler, 1).answer == Answer::stall);
  run_until(shuffler, [&] { return shuffler.has_answer(); });
  const RayControl rest = execute_rdctrl(shuffler, 1);
  CHECK(rest.answer == Answer::row);
  CHECK(rest.states.lanes(RayState::fetch) == 0b1000);
  report(shuffler, 1, 0b1000, RayState::none);
  CHECK(execute_rdctrl(shuffler, 1).answer == Answer::exit);
  CHECK(shuffler.statistics().exits == 2);
}

/// Row 1 has five inner rays, and row 3 has three leaf rays.
template <typename Shuffler>
void drain() {
  Alone<Shuffler> shuffler({}, 2, 8);
  part_row_1(shuffler);
  CHECK_FALSE(shuffler.has_answer());
  report(shuffler, 1, all, RayState::none);
  run_until_idle(shuffler);
  CHECK(shuffler.has_answer());
  const RayControl control = execute_rdctrl(shuffler, 1);
  CHECK(control.row == 1);
  CHECK(control.states == uniform_row(RayState::inner, all & ~three));
  // Another launch has rays to fetch.
  shuffler.begin(2, 8);
  part_row_1(shuffler);
  CHECK_FALSE(shuffler.has_answer());
}

/// Row 0 has two leaf rays when it is released. Leaf rays are still collected in row 3, although row 0 is lower.
template <typename Shuffler>
void continue_in_special_row() {
  Alone<Shuffler> shuffler({}, 2, 8);
  part_row_1(shuffler);
  report(shuffler, 0, 0b11, RayState::leaf);
  report(shuffler, 0, all & ~LaneMask{0b11}, RayState::none);
  execute_rdctrl(shuffler, 0);
  run_until_idle(shuffler);
  CHECK(shuffler.table().lanes(3, RayState::leaf) == 0b11111);
  CHECK(shuffler.table().rays(0) == 0);
}

/// Nothing is left to fetch; row 1 has five rays, and row 3 is full.
template <typename Shuffler>
void prefer_full_rows() {
  DynamicRayShufflingParameters parameters;
  parameters.backup_rows = 2;
  Alone<Shuffler> shuffler(parameters, 2, 8);
  report(shuffler, 1, three, RayState::leaf);
  REQUIRE(execute_rdctrl(shuffler, 1).row == 2);
  report(shuffler, 1, all, RayState::none);
  run_until_idle(shuffler);
  REQUIRE(shuffler.table().summary().uniform().first() == 0U);
  REQUIRE(shuffler.table().summary().uniform().without(0).first() == 1U);
  CHECK(execute_rdctrl(shuffler, 1).row == 3);
}

/// The only warp leaves 7 inner, 7 leaf and 2 fetch rays in its rows of 8 lanes.
template <typename Shuffler>
void release_all_rows() {
  Alone<Shuffler> shuffler({}, 1, 8);
  REQUIRE(execute_rdctrl(shuffler, 0).row == 0);
  report(shuffler, 0, all, RayState::inner);
  report(shuffler, 0, 0b1, RayState::leaf);
  REQUIRE(execute_rdctrl(shuffler, 0).row == 1);
  report(shuffler, 0, 0b111111, RayState::leaf);
  REQUIRE(execute_rdctrl(shuffler, 0).answer == Answer::stall);
  run_until(shuffler, [&] { return shuffler.has_answer(); });
  const RowSummary& summary = shuffler.table().summary();
  CHECK((summary.with_rays() & ~summary.uniform()).empty());
  const RayControl control = execute_rdctrl(shuffler, 0);
  REQUIRE(control.answer == Answer::row);
  // The rays of each state have been collected in one row.
  const unsigned count = count_lanes(control.states.high | control.states.low);
  CHECK((count == 7 || count == 2));
  CHECK(shuffler.table().summary().uniform().holds(control.row));
}

}  // namespace

TEST_CASE("The walkthrough of DRS section 3.3, Fig. 6") {
  // In T3, the choice for inner rays precedes the choice for leaf rays, because the latter made the last swap. Row 2
  // has no empty lane, so five of its leaf rays swap with five inner rays of row 1. Then they move on to row 3.
  SECTION("pipelined") { walk_through<RayShuffler>(10 + 5); }
  // Leaf rays move first: five move from row 2 to row 3, and five inner rays of row 1 take their lanes.
  SECTION("ideal") { walk_through<IdealShuffler>(5 + 5); }
}

TEST_CASE("A warp whose rays are all in one state keeps its row") {
  SECTION("pipelined") { keep_row<RayShuffler>(); }
  SECTION("ideal") { keep_row<IdealShuffler>(); }
}

TEST_CASE("Warps end when no ray is left for them, and not before") {
  SECTION("pipelined") { end_warps<RayShuffler>(); }
  SECTION("ideal") { end_warps<IdealShuffler>(); }
}

TEST_CASE("Rays are collected in the same row until it is full") {
  SECTION("pipelined") { continue_in_special_row<RayShuffler>(); }
  SECTION("ideal") { continue_in_special_row<IdealShuffler>(); }
}

TEST_CASE("A warp gets a row with empty lanes when no ray is left to fetch") {
  SECTION("pipelined") { drain<RayShuffler>(); }
  SECTION("ideal") { drain<IdealShuffler>(); }
}

TEST_CASE("A warp gets a full row before a row with empty lanes") {
  SECTION("pipelined") { prefer_full_rows<RayShuffler>(); }
  SECTION("ideal") { prefer_full_rows<IdealShuffler>(); }
}

TEST_CASE("A warp gets a row with empty lanes when no warp has a row") {
  SECTION("pipelined") { release_all_rows<RayShuffler>(); }
  SECTION("ideal") { release_all_rows<IdealShuffler>(); }
}

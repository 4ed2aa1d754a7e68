// SPDX-License-Identifier: Apache-2.0
// A choice after its offer: the update of the table, and the next choice, which overlaps it.

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "tests/unit/dynamic_ray_shuffling/choice_bench.hpp"

using namespace reconverge;
using namespace reconverge::tests;

namespace {

using Bench = ChoiceBench;
using Stage = ShuffleControl::Stage;
using Numbers = std::vector<std::size_t>;

}  // namespace

TEST_CASE("The control does not rest while it offers a swap or before the table shows the swap") {
  for (const bool taken : {true, false}) {
    CAPTURE(taken);
    Bench bench(one_leaf_swap());
    const int offered = bench.until_offered();
    // All further choices fail. If the swap has been taken, the first update of the table is denied and waits.
    if (taken) bench.end({.taken = true}, true);
    while (bench.now < offered + 100) {
      REQUIRE_FALSE(bench.state().rests);
      bench.end({}, taken);
    }
    if (!taken) bench.take();
    CHECK(bench.until_rest() == offered + 100 + (taken ? to_update : 1));
  }
}

TEST_CASE("A choice updates the table, row by row") {
  // Row 1 has no empty lane, so rays move in both directions: leaf rays of row 2 swap with other rays of row 1.
  Bench bench({full_inner, inner_but(0b0100, RayState::leaf), inner_but(0b11, RayState::leaf)});
  bench.around.rows[1].replace(0b1, uniform_row(RayState::fetch));
  REQUIRE(bench.until_offered() == to_offer);
  CHECK(bench.state().offered == RaySwap{2, 1, 0b11, 0b11, true});
  bench.take();
  // Read, write; read, write.
  const auto states = [&](std::size_t row) { return bench.around.rows[row]; };
  const RayStates source = states(2);
  const RayStates destination = states(1);
  CHECK(bench.state().updates);
  CHECK_FALSE(bench.state().reads);
  bench.end();
  REQUIRE(bench.written);
  CHECK(bench.written->row == 1);
  CHECK(bench.written->lanes == 0b11);
  CHECK(states(1) == destination);  // the write is registered
  CHECK(bench.state().reads);
  bench.end();
  CHECK(states(1).lanes(RayState::leaf) == 0b111);
  CHECK(bench.state().updates);
  bench.end();
  CHECK_FALSE(bench.state().updates);
  CHECK(states(2) == source);
  bench.end();
  RayStates moved = full_inner;
  moved.replace(0b1, uniform_row(RayState::fetch));
  CHECK(states(2) == moved);
}

TEST_CASE("If access to the table is denied, the update and the next choice wait") {
  for (const int denied : {0, 1, 9}) {
    CAPTURE(denied);
    Bench bench(two_swaps());
    bench.until_offered();
    bench.take();
    for (int i = 0; i < denied; ++i) bench.end({}, true);
    while (bench.state().updates) bench.end();
    // An update has four steps: read, write, read, write. The first read was granted in the cycle of the offer. The
    // first denial has no effect, because it falls on a write.
    const int updated = to_offer + to_update + (denied == 0 ? 0 : denied - 1);
    CHECK(bench.now == updated);
    CHECK(bench.until_offered() == std::max(to_offer + to_first_read, updated) + read_to_offer);
  }
}

TEST_CASE("The next choice selects its rows while the last one waits for the buffers") {
  for (const int taken : {0, 1, to_first_read, to_first_read + 1, 50}) {
    CAPTURE(taken);
    Bench bench(two_swaps());
    const int offered = bench.until_offered();
    const auto first = bench.state().offered;
    REQUIRE(first == RaySwap{0, 1, 0b101, 0b11, false});
    while (bench.now < offered + taken) {
      CHECK(bench.state().offered == first);
      // The second choice reads only after the table shows the first and the buffers have taken it.
      CHECK((bench.now < offered + to_update || !bench.state().reads));
      CHECK(rows_in(bench.state().swapping) == (bench.now > offered + to_lock ? Numbers{0, 1, 2, 3} : Numbers{0, 1}));
      bench.end();
    }
    bench.take();
    CHECK_FALSE(bench.state().offered);
    // The second choice samples in the cycle of the offer, and reads in the cycle after the buffers have taken it.
    const int reads = std::max(offered + to_first_read, offered + taken + 1);
    bench.end_until(reads);
    CHECK(bench.control.stage() == Stage::read_first);
    CHECK(bench.until_offered() == reads + read_to_offer);
    CHECK(bench.state().offered == RaySwap{3, 2, 0b11, 0b11, false});
  }
}

TEST_CASE("Rows count as swapping until their swap ends") {
  Bench bench(two_swaps());
  bench.until_offered();
  const RaySwap first = *bench.state().offered;
  bench.take();
  bench.until_offered();
  CHECK(rows_in(bench.state().swapping) == Numbers{0, 1, 2, 3});
  bench.end({.taken = true, .ended = first});
  CHECK(rows_in(bench.state().swapping) == Numbers{2, 3});
}

TEST_CASE("A launch begins without choices and special rows") {
  Bench bench(two_swaps());
  bench.until_offered();
  bench.take();
  bench.until_offered();
  REQUIRE(bench.control.special_row(ShuffleUnit::collect_leaf));
  bench.control.begin(width);
  bench.around.rows = two_swaps();
  bench.written.reset();
  bench.now = 0;
  CHECK(bench.control.stage() == Stage::sample);
  CHECK(bench.control.unit() == ShuffleUnit::collect_leaf);
  CHECK_FALSE(bench.control.special_row(ShuffleUnit::collect_leaf));
  CHECK_FALSE(bench.control.special_row(ShuffleUnit::collect_fetch));
  const ChoiceState state = bench.state();
  CHECK(rows_in(state.swapping) == Numbers{});
  CHECK_FALSE(state.offered);
  CHECK_FALSE(state.updates);
  CHECK(bench.until_offered() == to_offer);
  CHECK(bench.state().offered == RaySwap{0, 1, 0b101, 0b11, false});
}

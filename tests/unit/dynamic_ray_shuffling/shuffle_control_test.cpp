// SPDX-License-Identifier: Apache-2.0
// The stages of a choice, cycle by cycle.

#include "models/schemes/dynamic_ray_shuffling/shuffle_control.hpp"

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

TEST_CASE("A choice passes one stage a cycle") {
  Bench bench(one_leaf_swap());
  const std::vector<Stage> stages{Stage::sample,      Stage::weigh,      Stage::first_row,  Stage::second_row,
                                  Stage::lock,        Stage::read_first, Stage::take_first, Stage::read_second,
                                  Stage::take_second, Stage::pack,       Stage::pack,       Stage::pack,
                                  Stage::match};
  REQUIRE(stages.size() == static_cast<std::size_t>(to_offer));
  for (const Stage stage : stages) {
    CAPTURE(bench.now);
    CHECK(bench.control.stage() == stage);
    const ChoiceState state = bench.state();
    CHECK(state.locks == (stage == Stage::lock));
    CHECK(state.reads == (stage == Stage::read_first || stage == Stage::read_second));
    CHECK(rows_in(state.swapping) == (bench.now > to_lock ? Numbers{0, 1} : Numbers{}));
    CHECK_FALSE(state.offered);
    CHECK_FALSE(state.updates);
    CHECK_FALSE(state.rests);
    bench.end();
  }
  CHECK(bench.state().offered == RaySwap{0, 1, 0b101, 0b11, false});
  CHECK(bench.control.special_row(ShuffleUnit::collect_leaf) == 1);
}

TEST_CASE("Packing the lanes takes one cycle for each doubling of their number") {
  CHECK(Bench(one_leaf_swap(), 2).until_offered() == 10 + 1);
  CHECK(Bench(one_leaf_swap(), 8).until_offered() == 10 + 3);
  CHECK(Bench(one_leaf_swap(), 32).until_offered() == 10 + 5);
  CHECK(ShuffleControl::least_latency == 10 + 5);
  CHECK(Bench(one_leaf_swap(), 32, 40).until_offered() == 40);
  CHECK(Bench(one_leaf_swap(), 8, ShuffleControl::least_latency + 7).until_offered() == to_offer + 7);
}

TEST_CASE("Each denied read delays the offer by a cycle") {
  for (const int first : {0, 1, 5}) {
    for (const int second : {0, 1, 7}) {
      CAPTURE(first, second);
      Bench bench(one_leaf_swap());
      bench.end_until(to_first_read);
      for (int i = 0; i < first; ++i) bench.end({}, true);
      CHECK(bench.control.stage() == Stage::read_first);
      bench.end_until(to_first_read + first + 2);
      for (int i = 0; i < second; ++i) bench.end({}, true);
      CHECK(bench.control.stage() == Stage::read_second);
      CHECK(bench.until_offered() == to_offer + first + second);
    }
  }
}

TEST_CASE("After three choices without a swap, the control rests until a row is released") {
  Bench bench({full_inner, no_rays});
  CHECK(bench.until_rest() == failed_choices);
  bench.around.rows = one_leaf_swap();
  for (int i = 0; i < 100; ++i) {
    bench.end();
    REQUIRE(bench.state().rests);
  }
  const int released = bench.now;
  bench.end({.released = true});
  CHECK_FALSE(bench.state().rests);
  // The first unit samples in the next cycle, and finds a swap.
  CHECK(bench.until_offered() == released + 1 + to_offer);
}

TEST_CASE("Units take turns, and each choice without a swap takes four cycles") {
  // Only inner rays can move, and the third unit moves them.
  Bench bench({inner_but(0xF0, RayState::none), inner_but(0xF0, RayState::none)});
  CHECK(bench.control.unit() == ShuffleUnit::collect_leaf);
  bench.end_until(failed_choice);
  CHECK(bench.control.unit() == ShuffleUnit::collect_fetch);
  bench.end_until(2 * failed_choice);
  CHECK(bench.control.unit() == ShuffleUnit::eject_inner);
  CHECK(bench.until_offered() == 2 * failed_choice + to_offer);
  CHECK(bench.state().offered == RaySwap{0, 1, 0b1111, 0b1111'0000, false});
  CHECK(bench.control.unit() == ShuffleUnit::collect_leaf);
}

TEST_CASE("After a swap it is the next unit's turn, even if the last unit has more rays to move") {
  RayStates row = uniform_row(RayState::leaf, 0b11);
  row.replace(0b100, uniform_row(RayState::fetch));
  Bench bench({row, row, no_rays, no_rays});
  bench.until_offered();
  CHECK(bench.state().offered == RaySwap{0, 2, 0b11, 0b11, false});
  CHECK(bench.control.unit() == ShuffleUnit::collect_fetch);
  bench.take();
  bench.until_offered();
  CHECK(bench.state().offered == RaySwap{1, 3, 0b100, 0b1, false});
  CHECK(bench.control.unit() == ShuffleUnit::eject_inner);
}

TEST_CASE("A choice without a swap does not count if rows change during the choice") {
  for (int changed = 0; changed < failed_choices; ++changed) {
    for (const bool released : {true, false}) {
      CAPTURE(changed, released);
      Bench bench({full_inner, no_rays});
      bench.end_until(changed);
      ChoiceCycle cycle{.released = released};
      if (!released) cycle.ended = RaySwap{0, 1, 0, 0, false};
      bench.end(cycle);
      const int unseen = (changed / failed_choice + 1) * failed_choice;
      CHECK(bench.until_rest() == unseen + failed_choices);
    }
  }
}

TEST_CASE("A swap resets the count of choices without a swap") {
  // Only inner rays can move, so the third choice finds the swap.
  Bench bench({inner_but(0xF0, RayState::none), inner_but(0xF0, RayState::none)});
  const int offered = bench.until_offered();
  bench.take();
  CHECK(bench.until_rest() == offered + failed_choices);
}

TEST_CASE("A choice without a swap clears a special row that a warp took") {
  const RayStates mixed = inner_but(0b11, RayState::leaf);
  Bench bench({mixed, no_rays, no_rays});
  bench.until_offered();
  const RaySwap first = *bench.state().offered;
  REQUIRE(first.destination == 1);
  bench.take();
  bench.end_until(bench.now + 10);
  bench.around.bound.put(1, true);
  bench.end({.ended = first});
  bench.until_rest();
  CHECK_FALSE(bench.control.special_row(ShuffleUnit::collect_leaf));
  // When the row is released, a lower row is empty. The unit collects in the lower row.
  bench.around.rows = {no_rays, no_rays, no_rays, mixed};
  bench.around.bound = {};
  bench.end({.released = true});
  bench.until_offered();
  CHECK(bench.state().offered == RaySwap{3, 0, 0b11, 0b11, false});
}

TEST_CASE("A choice does not lock a row that a warp has taken since the sample") {
  for (const std::size_t taken : {0, 1}) {
    for (int cycle = 1; cycle <= to_lock; ++cycle) {
      CAPTURE(taken, cycle);
      Bench bench(one_leaf_swap());
      bench.end_until(cycle);
      bench.around.bound.put(taken, true);
      bench.end_until(to_lock);
      CHECK(bench.state().locks);
      bench.end();
      CHECK(rows_in(bench.state().swapping) == Numbers{});
      CHECK_FALSE(bench.control.special_row(ShuffleUnit::collect_leaf));
      // The next unit samples at once.
      CHECK(bench.control.stage() == Stage::sample);
      CHECK(bench.control.unit() == ShuffleUnit::collect_fetch);
      // The control rests only after three choices without a swap.
      CHECK(bench.until_rest() == to_lock + 1 + failed_choices);
    }
  }
}

TEST_CASE("A choice keeps to the rows that it sampled") {
  Bench bench({inner_but(0b1, RayState::leaf), no_rays, inner_but(0b11, RayState::leaf)});
  bench.end();
  bench.around.rows[0] = full_inner;
  bench.end_until(to_lock + 1);
  CHECK(rows_in(bench.state().swapping) == Numbers{0, 1});
}

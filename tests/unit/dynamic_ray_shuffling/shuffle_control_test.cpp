// SPDX-License-Identifier: Apache-2.0
// A choice, cycle by cycle. A choice that finds a swap has ten stages of one cycle each, and packs the lanes in one
// more cycle for each doubling of the lanes; a choice without a swap ends after its first four stages.

#include "models/schemes/dynamic_ray_shuffling/shuffle_control.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "tests/unit/dynamic_ray_shuffling/asker.hpp"

using namespace reconverge;
using namespace reconverge::tests;

namespace {

using Stage = ShuffleControl::Stage;

constexpr unsigned width = 8;
constexpr LaneMask all = 0xFF;
constexpr unsigned pack_steps = 3;  // log2 of the lanes
/// From the sample to the offer.
constexpr unsigned choice = 10 + pack_steps;
constexpr unsigned failed_choice = 4;
/// From the sample to the lock, and from the first read to the offer.
constexpr unsigned to_lock = 4;
constexpr unsigned to_read = 5;
constexpr unsigned read_to_offer = choice - to_read;

/// Replaces the ray state table and warp renaming.
class Rows : public sc_core::sc_module,
             private ControlTarget<RowSummary>,
             private ControlTarget<RowRead>,
             private ControlTarget<BoundRows> {
 public:
  ControlTargetSocket<RowSummary> summaries{"summaries"};
  ControlTargetSocket<RowRead> reads{"reads"};
  ControlTargetSocket<BoundRows> bound_rows{"bound_rows"};

  std::vector<RayStates> rows;
  RowSet bound;

  explicit Rows(sc_core::sc_module_name name) : sc_module(name) {
    summaries.bind(*this);
    reads.bind(*this);
    bound_rows.bind(*this);
  }

 private:
  void b_transport(RowSummary& summary, sc_core::sc_time& /*delay*/) override {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      for (const RayState state : {RayState::none, RayState::fetch, RayState::inner, RayState::leaf}) {
        summary.in_state[static_cast<std::size_t>(state)].put(row, (rows[row].lanes(state) & all) != 0);
      }
    }
  }
  void b_transport(RowRead& read, sc_core::sc_time& /*delay*/) override {
    read.states = rows.at(read.row);
    read.places = all;
  }
  void b_transport(BoundRows& answer, sc_core::sc_time& /*delay*/) override { answer.rows = bound; }
};

/// The control of a block whose table has these rows. The test is the swap buffers and the read port.
struct Bench {
  SimulationContext context;
  Rows around{"around"};
  ShuffleControl control;
  Asker<ChoiceState> state{"state", control.states};
  Asker<ChoiceCycle> cycles{"cycles", control.cycles};
  unsigned now = 0;
  std::optional<RayReport> written;  ///< in the write register of the table

  explicit Bench(std::vector<RayStates> rows, unsigned lanes = width, Cycle latency = ShuffleControl::least_latency)
      : control("control", latency) {
    control.summaries.bind(around.summaries);
    control.reads.bind(around.reads);
    control.bound_rows.bind(around.bound_rows);
    around.rows = std::move(rows);
    elaborate();
    control.begin(lanes);
  }

  /// Ends the cycle; a requested read is granted unless it is denied.
  void end(ChoiceCycle cycle = {}, bool denied = false) {
    cycle.read = state().reads && !denied;
    const auto write = std::exchange(written, cycles(cycle).write);
    if (write) around.rows[write->row].replace(write->lanes, write->states);
    ++now;
  }
  void end_until(unsigned cycle) {
    while (now < cycle) end();
  }
  /// The first cycle in which the swap is offered.
  unsigned until_offered() {
    while (!state().offered && now < 1000) end();
    return now;
  }
  /// The first cycle in which the control rests.
  unsigned until_rest() {
    while (!state().rests && now < 1000) end();
    return now;
  }
  void take() { end({.taken = true}); }
};

/// Inner rays, except that `lanes` are in another state.
RayStates inner_but(LaneMask lanes, RayState state) {
  RayStates row = uniform_row(RayState::inner, all);
  row.replace(lanes, uniform_row(state));
  return row;
}

const RayStates no_rays;
const RayStates full_inner = uniform_row(RayState::inner, all);

/// Leaf rays can move from row 0 to row 1; fetch rays cannot.
std::vector<RayStates> one_leaf_swap() { return {inner_but(0b101, RayState::leaf), no_rays, full_inner}; }

/// Leaf rays can move from row 0 to row 1, and fetch rays from row 3 to row 2.
std::vector<RayStates> two_swaps() {
  return {inner_but(0b101, RayState::leaf), no_rays, no_rays, inner_but(0b11, RayState::fetch)};
}

std::vector<std::size_t> rows_in(const RowSet& set) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < RowSet::capacity; ++row) {
    if (set.holds(row)) rows.push_back(row);
  }
  return rows;
}

using Numbers = std::vector<std::size_t>;

}  // namespace

TEST_CASE("A choice passes its stages, one a cycle") {
  Bench bench(one_leaf_swap());
  const std::vector<Stage> stages{Stage::sample,      Stage::weigh,      Stage::first_row,  Stage::second_row,
                                  Stage::lock,        Stage::read_first, Stage::take_first, Stage::read_second,
                                  Stage::take_second, Stage::pack,       Stage::pack,       Stage::pack,
                                  Stage::match};
  REQUIRE(stages.size() == choice);
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
  CHECK(bench.control.special_row(ShuffleUnit::collect_leaf) == 1U);
}

TEST_CASE("The lanes are packed in one cycle for each doubling of their number") {
  CHECK(Bench(one_leaf_swap(), 2).until_offered() == 10 + 1);
  CHECK(Bench(one_leaf_swap(), 8).until_offered() == 10 + 3);
  CHECK(Bench(one_leaf_swap(), 32).until_offered() == 10 + 5);
  CHECK(ShuffleControl::least_latency == 10 + 5);
  CHECK(Bench(one_leaf_swap(), 32, 40).until_offered() == 40);
  CHECK(Bench(one_leaf_swap(), 8, ShuffleControl::least_latency + 7).until_offered() == choice + 7);
}

TEST_CASE("Each read that is denied makes the offer later") {
  for (const unsigned first : {0U, 1U, 5U}) {
    for (const unsigned second : {0U, 1U, 7U}) {
      CAPTURE(first, second);
      Bench bench(one_leaf_swap());
      bench.end_until(to_read);
      for (unsigned i = 0; i < first; ++i) bench.end({}, true);
      CHECK(bench.control.stage() == Stage::read_first);
      bench.end_until(to_read + first + 2);
      for (unsigned i = 0; i < second; ++i) bench.end({}, true);
      CHECK(bench.control.stage() == Stage::read_second);
      CHECK(bench.until_offered() == choice + first + second);
    }
  }
}

TEST_CASE("After three choices without a swap, the control rests until a row is released") {
  Bench bench({full_inner, no_rays});
  CHECK(bench.until_rest() == shuffle_units * failed_choice);
  bench.around.rows = one_leaf_swap();
  for (unsigned i = 0; i < 100; ++i) {
    bench.end();
    REQUIRE(bench.state().rests);
  }
  const unsigned released = bench.now;
  bench.end({.released = true});
  CHECK_FALSE(bench.state().rests);
  // It samples in the next cycle, and the first unit finds a swap.
  CHECK(bench.until_offered() == released + 1 + choice);
}

TEST_CASE("Units take turns, and each choice without a swap takes four cycles") {
  // Only inner rays can move: the third unit moves them.
  Bench bench({inner_but(0xF0, RayState::none), inner_but(0xF0, RayState::none)});
  CHECK(bench.control.unit() == ShuffleUnit::collect_leaf);
  bench.end_until(failed_choice);
  CHECK(bench.control.unit() == ShuffleUnit::collect_fetch);
  bench.end_until(2 * failed_choice);
  CHECK(bench.control.unit() == ShuffleUnit::eject_inner);
  CHECK(bench.until_offered() == 2 * failed_choice + choice);
  CHECK(bench.state().offered == RaySwap{0, 1, 0b1111, 0b1111'0000, false});
  CHECK(bench.control.unit() == ShuffleUnit::collect_leaf);
}

TEST_CASE("The turn passes on after a swap, although the unit has more to move") {
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

TEST_CASE("A choice that has not seen a change does not count as one without a swap") {
  for (unsigned changed = 0; changed < shuffle_units * failed_choice; ++changed) {
    for (const bool released : {true, false}) {
      CAPTURE(changed, released);
      Bench bench({full_inner, no_rays});
      bench.end_until(changed);
      ChoiceCycle cycle{.released = released};
      if (!released) cycle.ended = RaySwap{0, 1, 0, 0, false};
      bench.end(cycle);
      const unsigned unseen = (changed / failed_choice + 1) * failed_choice;
      CHECK(bench.until_rest() == unseen + shuffle_units * failed_choice);
    }
  }
}

TEST_CASE("A swap starts the count of choices without one again") {
  // Only inner rays can move, so the third choice finds the swap.
  Bench bench({inner_but(0xF0, RayState::none), inner_but(0xF0, RayState::none)});
  const unsigned offered = bench.until_offered();
  bench.take();
  CHECK(bench.until_rest() == offered + shuffle_units * failed_choice);
}

TEST_CASE("The control does not rest while a swap is offered or the table does not show it") {
  for (const bool taken : {true, false}) {
    CAPTURE(taken);
    Bench bench(one_leaf_swap());
    const unsigned offered = bench.until_offered();
    // All further choices fail. The first update of the table waits if the swap has been taken.
    if (taken) bench.end({.taken = true}, true);
    while (bench.now < offered + 100) {
      REQUIRE_FALSE(bench.state().rests);
      bench.end({}, taken);
    }
    if (!taken) bench.take();
    CHECK(bench.until_rest() == offered + 100 + (taken ? 4 : 1));
  }
}

TEST_CASE("A choice without a swap forgets a special row that a warp took") {
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
  // A lower row is empty when the row is released.
  bench.around.rows = {no_rays, no_rays, no_rays, mixed};
  bench.around.bound = {};
  bench.end({.released = true});
  bench.until_offered();
  CHECK(bench.state().offered == RaySwap{3, 0, 0b11, 0b11, false});
}

TEST_CASE("A choice does not lock a row that a warp took since the sample") {
  for (const std::size_t taken : {0U, 1U}) {
    for (unsigned cycle = 1; cycle <= to_lock; ++cycle) {
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
      // Three choices without a swap are necessary before it rests.
      CHECK(bench.until_rest() == to_lock + 1 + shuffle_units * failed_choice);
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

TEST_CASE("A choice updates the table, row by row") {
  // Row 1 has no empty lane, so rays move in both directions: leaf rays of row 2 change places with row 1's others.
  Bench bench({full_inner, inner_but(0b0100, RayState::leaf), inner_but(0b11, RayState::leaf)});
  bench.around.rows[1].replace(0b1, uniform_row(RayState::fetch));
  REQUIRE(bench.until_offered() == choice);
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

TEST_CASE("An update that is denied the table waits, and the next choice with it") {
  for (const unsigned denied : {0U, 1U, 9U}) {
    CAPTURE(denied);
    Bench bench(two_swaps());
    bench.until_offered();
    bench.take();
    for (unsigned i = 0; i < denied; ++i) bench.end({}, true);
    while (bench.state().updates) bench.end();
    // Read, write, read, write. The first read was granted in the cycle of the offer; the first denial met a write.
    const unsigned updated = choice + 4 + (denied == 0 ? 0 : denied - 1);
    CHECK(bench.now == updated);
    CHECK(bench.until_offered() == std::max(choice + to_read, updated) + read_to_offer);
  }
}

TEST_CASE("The next choice selects its rows while the last one waits for the buffers") {
  for (const unsigned taken : {0U, 1U, to_read, to_read + 1, 50U}) {
    CAPTURE(taken);
    Bench bench(two_swaps());
    const unsigned offered = bench.until_offered();
    const auto first = bench.state().offered;
    REQUIRE(first == RaySwap{0, 1, 0b101, 0b11, false});
    while (bench.now < offered + taken) {
      CHECK(bench.state().offered == first);
      // It reads neither before the table shows the last choice nor before the buffers have it.
      CHECK((bench.now < offered + 4 || !bench.state().reads));
      CHECK(rows_in(bench.state().swapping) == (bench.now > offered + to_lock ? Numbers{0, 1, 2, 3} : Numbers{0, 1}));
      bench.end();
    }
    bench.take();
    CHECK_FALSE(bench.state().offered);
    // The second choice samples in the cycle of the offer, and reads in the cycle after the buffers have taken it.
    const unsigned reads = std::max(offered + to_read, offered + taken + 1);
    bench.end_until(reads);
    CHECK(bench.control.stage() == Stage::read_first);
    CHECK(bench.until_offered() == reads + read_to_offer);
    CHECK(bench.state().offered == RaySwap{3, 2, 0b11, 0b11, false});
  }
}

TEST_CASE("Rows swap until their swap ends") {
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
  CHECK(bench.until_offered() == choice);
  CHECK(bench.state().offered == RaySwap{0, 1, 0b101, 0b11, false});
}

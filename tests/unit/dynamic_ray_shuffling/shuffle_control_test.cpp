// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_ray_shuffling/shuffle_control.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "tests/unit/dynamic_ray_shuffling/asker.hpp"

using namespace reconverge;
using namespace reconverge::tests;

namespace {

constexpr LaneMask all = 0xFF;

/// Replaces the ray state table and warp renaming.
class Rows : public sc_core::sc_module,
             private ControlTarget<RowSummary>,
             private ControlTarget<RowRead>,
             private ControlTarget<BoundRows> {
 public:
  ControlTargetSocket<RowSummary> summaries{"summaries"};
  ControlTargetSocket<RowRead> reads{"reads"};
  ControlTargetSocket<BoundRows> bound_rows{"bound_rows"};

  std::vector<RayStates> rows;  ///< of eight places
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

struct Bench {
  SimulationContext context;
  Rows around{"around"};
  ShuffleControl control{"control"};
  Asker<SwapChoice> choice{"choice", control.choices};

  Bench() {
    control.summaries.bind(around.summaries);
    control.reads.bind(around.reads);
    control.bound_rows.bind(around.bound_rows);
    elaborate();
    control.begin();
  }

  std::optional<RaySwap> choose(ShuffleUnit unit, const RowSet& swapping = {}) { return choice({unit, swapping}).swap; }
};

/// Rays at inner nodes, except `lanes`.
RayStates inner_but(LaneMask lanes, RayState state) {
  RayStates row = uniform_row(RayState::inner, all);
  row.replace(lanes, uniform_row(state));
  return row;
}

}  // namespace

TEST_CASE("A collecting unit fills an empty row from the first row with rays and continues there") {
  Bench bench;
  bench.around.rows = {inner_but(0b11, RayState::leaf), inner_but(0b1010, RayState::leaf), {}};
  CHECK(bench.choose(ShuffleUnit::collect_leaf) == RaySwap{0, 2, 0b11, 0b11, false});
  CHECK(bench.control.special_row(ShuffleUnit::collect_leaf) == 2U);
  bench.around.rows = {inner_but(0, RayState::none), inner_but(0b1010, RayState::leaf),
                       uniform_row(RayState::leaf, 0b11)};
  CHECK(bench.choose(ShuffleUnit::collect_leaf) == RaySwap{1, 2, 0b1010, 0b1100, false});
  CHECK_FALSE(bench.choose(ShuffleUnit::collect_fetch));
}

TEST_CASE("Rays swap with rays in other states if no place is empty") {
  Bench bench;
  bench.around.rows = {inner_but(0b11, RayState::fetch), inner_but(0b1111, RayState::fetch)};
  CHECK(bench.choose(ShuffleUnit::collect_fetch) == RaySwap{1, 0, 0b1111, 0b111100, true});
}

TEST_CASE("No unit touches a row that is bound, full, or in another's swap") {
  Bench bench;
  bench.around.rows = {
      inner_but(0b11, RayState::leaf), inner_but(0b11, RayState::leaf), uniform_row(RayState::leaf, all), {}};
  bench.around.bound.put(0, true);
  CHECK(bench.choose(ShuffleUnit::collect_leaf) == RaySwap{1, 3, 0b11, 0b11, false});
  RowSet swapping;
  swapping.put(1, true);
  CHECK_FALSE(bench.choose(ShuffleUnit::eject_inner, swapping));
  // Another warp currently has its special row.
  swapping = {};
  swapping.put(3, true);
  CHECK_FALSE(bench.choose(ShuffleUnit::collect_leaf, swapping));
  CHECK(bench.control.special_row(ShuffleUnit::collect_leaf) == 3U);
}

TEST_CASE("The ejecting unit gives inner rays to the first other row that has some") {
  Bench bench;
  bench.around.rows = {uniform_row(RayState::leaf, all), uniform_row(RayState::inner, 0b111),
                       uniform_row(RayState::inner, 0b1)};
  CHECK(bench.choose(ShuffleUnit::eject_inner) == RaySwap{1, 2, 0b111, 0b1110, false});
  CHECK(bench.control.special_row(ShuffleUnit::eject_inner) == 1U);
}

TEST_CASE("A collecting unit restarts when no unit would bring rays to swap with") {
  Bench bench;
  bench.around.rows = {inner_but(0b11, RayState::leaf), inner_but(0b11, RayState::leaf), {}};
  bench.around.bound.put(2, true);
  // No row is empty, so the first becomes the special one.
  CHECK(bench.choose(ShuffleUnit::collect_leaf)->destination == 0);
  bench.around.rows[1] = inner_but(0, RayState::none);
  CHECK_FALSE(bench.choose(ShuffleUnit::collect_leaf));
  bench.around.bound = {};
  CHECK(bench.choose(ShuffleUnit::collect_leaf) == RaySwap{0, 2, 0b11, 0b11, false});
}

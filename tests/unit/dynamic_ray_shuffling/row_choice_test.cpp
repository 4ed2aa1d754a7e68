// SPDX-License-Identifier: Apache-2.0
// The rules that select a swap, each with rows that the rule decides. Rows have eight lanes.

#include "models/schemes/dynamic_ray_shuffling/row_choice.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <initializer_list>
#include <random>
#include <vector>

using namespace reconverge;

namespace {

constexpr LaneMask all = 0xFF;
constexpr unsigned width = 8;
constexpr auto leaf_unit = ShuffleUnit::collect_leaf;
constexpr auto fetch_unit = ShuffleUnit::collect_fetch;
constexpr auto inner_unit = ShuffleUnit::eject_inner;
constexpr auto no = std::nullopt;
constexpr RayState F = RayState::fetch;
constexpr RayState I = RayState::inner;
constexpr RayState L = RayState::leaf;

/// A row with rays in the listed states, from lane 0 on; its other lanes are empty.
RayStates row(std::initializer_list<RayState> states) {
  RayStates row;
  unsigned lane = 0;
  for (const RayState state : states) row.replace(lane_bit(lane++), uniform_row(state));
  return row;
}

const RayStates no_rays;
const RayStates full_leaf = uniform_row(L, all);
const RayStates full_inner = uniform_row(I, all);

/// The rows, and the special rows of the units.
struct Rows {
  std::vector<RayStates> states;
  SpecialRows special = {};
  std::vector<std::size_t> bound = {};
  std::vector<std::size_t> swapping = {};

  ChoiceRows look() const {
    ChoiceRows look;
    for (std::size_t number = 0; number < states.size(); ++number) {
      for (const RayState state : {RayState::none, F, I, L}) {
        look.table.in_state[static_cast<std::size_t>(state)].put(number, (states[number].lanes(state) & all) != 0);
      }
    }
    for (const std::size_t number : bound) look.bound.put(number, true);
    for (const std::size_t number : swapping) look.swapping.put(number, true);
    return look;
  }
  RowRead read(std::size_t number) const { return {number, states[number], all}; }
};

/// Source, destination, and the unit's special row after the choice; -1: none.
using Chosen = std::array<int, 3>;

Chosen choose(ShuffleUnit unit, const Rows& rows) {
  const RowChoice choice = choose_rows(unit, rows.look(), rows.special);
  const auto number = [](const std::optional<std::size_t>& row) { return row ? static_cast<int>(*row) : -1; };
  return {number(choice.source), number(choice.destination), number(choice.special)};
}

/// No swap.
Chosen nothing(int special = -1) { return {-1, -1, special}; }

}  // namespace

TEST_CASE("Each unit moves rays of its state") {
  CHECK(state_of(leaf_unit) == L);
  CHECK(state_of(fetch_unit) == F);
  CHECK(state_of(inner_unit) == I);
}

TEST_CASE("A collecting unit prefers a row with rays of its state only, then an empty row") {
  const RayStates mixed = row({I, L, F});
  CHECK(choose(leaf_unit, {{mixed, no_rays, mixed, row({L, L})}}) == Chosen{0, 3, 3});
  CHECK(choose(leaf_unit, {{mixed, mixed, no_rays, row({F})}}) == Chosen{0, 2, 2});
  CHECK(choose(leaf_unit, {{mixed, mixed, row({F})}}) == Chosen{1, 0, 0});
  CHECK(choose(fetch_unit, {{mixed, no_rays, mixed, row({F, F})}}) == Chosen{0, 3, 3});
  CHECK(choose(fetch_unit, {{mixed, mixed, no_rays, row({L})}}) == Chosen{0, 2, 2});
  CHECK(choose(fetch_unit, {{mixed, mixed, row({L})}}) == Chosen{1, 0, 0});
}

TEST_CASE("A unit takes the lowest of several candidate rows") {
  const RayStates mixed = row({I, L});
  CHECK(choose(leaf_unit, {{mixed, row({L}), row({L, L}), mixed}}) == Chosen{0, 1, 1});
  CHECK(choose(leaf_unit, {{mixed, no_rays, mixed, no_rays}}) == Chosen{0, 1, 1});
  CHECK(choose(inner_unit, {{no_rays, mixed, mixed, mixed}}) == Chosen{1, 2, 1});
  // Candidates in both words of a row set.
  Rows many{std::vector<RayStates>(RowSet::capacity, full_inner)};
  many.states[70] = many.states[127] = mixed;
  CHECK(choose(leaf_unit, many) == Chosen{127, 70, 70});
  CHECK(choose(inner_unit, many) == Chosen{70, 127, 70});
  many.states[63] = no_rays;
  CHECK(choose(leaf_unit, many) == Chosen{70, 63, 63});
}

TEST_CASE("A collecting unit continues in its special row") {
  const std::vector<RayStates> rows{row({I, L}), row({L}), row({F, L}), row({L, I, F})};
  CHECK(choose(leaf_unit, {rows, {2}}) == Chosen{0, 2, 2});
  CHECK(choose(leaf_unit, {rows, {0}}) == Chosen{1, 0, 0});
  CHECK(choose(fetch_unit, {rows, {no, 3}}) == Chosen{2, 3, 3});
  // The special row may have no rays of the state yet.
  CHECK(choose(leaf_unit, {{row({I, L}), row({L}), no_rays}, {2}}) == Chosen{0, 2, 2});
  // If no other row has rays of the state, the unit keeps its special row.
  CHECK(choose(leaf_unit, {{row({I}), row({L})}, {1}}) == nothing(1));
}

TEST_CASE("A collecting unit without a special row needs two rows with its rays, or one and an empty row") {
  CHECK(choose(leaf_unit, {{row({I}), no_rays}}) == nothing());
  CHECK(choose(leaf_unit, {{row({I, L}), row({I})}}) == nothing());
  CHECK(choose(leaf_unit, {{row({L}), no_rays}}) == nothing());
  CHECK(choose(leaf_unit, {{row({I, L}), no_rays}}) == Chosen{0, 1, 1});
  CHECK(choose(leaf_unit, {{row({I, L}), row({I, L})}}) == Chosen{1, 0, 0});
}

TEST_CASE("A special row that is full or that a warp took is an ordinary row again") {
  const RayStates mixed = row({I, L});
  CHECK(choose(leaf_unit, {{mixed, full_leaf, no_rays}, {1}}) == Chosen{0, 2, 2});
  CHECK(choose(leaf_unit, {{mixed, row({L}), no_rays}, {1}, {1}}) == Chosen{0, 2, 2});
  CHECK(choose(leaf_unit, {{row({I}), full_leaf}, {1}}) == nothing());
  CHECK(choose(inner_unit, {{row({I}), full_inner, row({I})}, {no, no, 1}}) == Chosen{0, 2, 0});
  CHECK(choose(inner_unit, {{row({I}), mixed, row({I})}, {no, no, 1}, {1}}) == Chosen{0, 2, 0});
}

TEST_CASE("A unit waits while another swap uses its special row") {
  const std::vector<RayStates> rows{row({I, L, F}), row({L, F, I}), row({I, L, F}), no_rays};
  for (const ShuffleUnit unit : {leaf_unit, fetch_unit, inner_unit}) {
    Rows waiting{rows, {}, {}, {1}};
    CHECK(choose(unit, waiting)[0] >= 0);
    waiting.special.at(static_cast<std::size_t>(unit)) = 1;
    CHECK(choose(unit, waiting) == nothing(1));
  }
}

TEST_CASE("No unit touches a row that is bound, full, or in another unit's swap") {
  Rows rows{{full_leaf, row({I, L}), row({I, L}), row({I, L}), no_rays, no_rays, no_rays}, {}, {1, 4}, {2, 5}};
  CHECK(choose(leaf_unit, rows) == Chosen{3, 6, 6});
  rows.states = {full_inner, row({I}), row({I}), row({I, L}), row({I}), row({I}), row({I, F})};
  CHECK(choose(inner_unit, rows) == Chosen{3, 6, 3});
  rows.swapping.push_back(6);
  CHECK(choose(inner_unit, rows) == nothing());
}

TEST_CASE("A collecting unit takes rays out of the other unit's special row, but does not collect in it") {
  const RayStates mixed = row({I, L, F});
  for (const ShuffleUnit unit : {leaf_unit, fetch_unit}) {
    const RayStates only = uniform_row(state_of(unit), 0b11);
    Rows rows{{mixed, only, no_rays, no_rays}};
    const auto others_row = [&](std::size_t number) {
      rows.special = unit == leaf_unit ? SpecialRows{no, number, no} : SpecialRows{number, no, no};
    };
    others_row(1);
    CHECK(choose(unit, rows) == Chosen{0, 2, 2});
    rows.states[1] = no_rays;
    CHECK(choose(unit, rows) == Chosen{0, 2, 2});
    others_row(2);
    rows.states = {mixed, full_inner, no_rays};
    CHECK(choose(unit, rows) == nothing());
    others_row(0);
    rows.states = {mixed, mixed, full_inner};
    CHECK(choose(unit, rows) == Chosen{0, 1, 1});
  }
}

TEST_CASE("A collecting unit may take rays out of the ejecting unit's special row, or collect in it") {
  const SpecialRows ejecting{no, no, 0};
  CHECK(choose(leaf_unit, {{row({I, L}), no_rays}, ejecting}) == Chosen{0, 1, 1});
  CHECK(choose(fetch_unit, {{row({I, F}), row({I, F})}, ejecting}) == Chosen{1, 0, 0});
}

TEST_CASE("The ejecting unit moves inner rays to the first other row that has inner rays") {
  CHECK(choose(inner_unit, {{full_leaf, row({I, I, I}), row({I})}}) == Chosen{1, 2, 1});
  // If its special row has inner rays, it moves those, possibly to a lower row.
  const std::vector<RayStates> rows{row({I}), row({I, L}), row({I})};
  CHECK(choose(inner_unit, {rows, {no, no, 1}}) == Chosen{1, 0, 1});
  CHECK(choose(inner_unit, {{row({I}), row({L}), row({I})}, {no, no, 1}}) == Chosen{0, 2, 0});
  // A swap needs two rows with inner rays that are not full.
  CHECK(choose(inner_unit, {{no_rays, row({I, L}), full_inner, row({F, L})}}) == nothing());
  CHECK(choose(inner_unit, {{no_rays, row({I, L})}, {no, no, 1}}) == nothing(1));
  CHECK(choose(inner_unit, {{row({I}), row({L})}, {no, no, 1}}) == nothing());
}

TEST_CASE("The ejecting unit does not touch the special rows of the collecting units") {
  const std::vector<RayStates> rows{row({I, L}), row({I, F}), row({I}), row({I, L})};
  CHECK(choose(inner_unit, {rows, {0, 1, no}}) == Chosen{2, 3, 2});
  CHECK(choose(inner_unit, {rows, {2, 3, no}}) == Chosen{0, 1, 0});
  CHECK(choose(inner_unit, {rows, {0, 1, 0}}) == Chosen{2, 3, 2});
  CHECK(choose(inner_unit, {rows, {0, 3, 1}}) == Chosen{1, 2, 1});
  CHECK(choose(inner_unit, {{row({I, L}), row({I, F}), row({I})}, {0, 1, no}}) == nothing());
}

TEST_CASE("A collecting unit restarts in an empty row if nothing can move other rays out of its row") {
  for (const ShuffleUnit unit : {leaf_unit, fetch_unit}) {
    const RayState state = state_of(unit);
    const SpecialRows special = unit == leaf_unit ? SpecialRows{0} : SpecialRows{no, 0};
    const RayStates mixed = row({I, state});
    CHECK(choose(unit, {{mixed, no_rays}, special}) == Chosen{0, 1, 1});
    CHECK(choose(unit, {{mixed, row({I}), no_rays, uniform_row(state, all)}, special}) == Chosen{0, 2, 2});
    // No restart: a warp has a row, and may bring rays of the state.
    CHECK(choose(unit, {{mixed, no_rays, full_inner}, special, {2}}) == nothing(0));
    // No restart: the special row has only rays of the state, or none.
    CHECK(choose(unit, {{row({state}), no_rays}, special}) == nothing(0));
    CHECK(choose(unit, {{row({I}), no_rays}, special}) == nothing(0));
    CHECK(choose(unit, {{row({I, unit == leaf_unit ? F : L}), no_rays}, special}) == nothing(0));
    // No restart: another row has rays of the state.
    CHECK(choose(unit, {{mixed, no_rays, row({I, state})}, special}) == Chosen{2, 0, 0});
    // No restart: no row is empty, or the empty row is the other unit's special row.
    CHECK(choose(unit, {{mixed, row({I})}, special}) == nothing(0));
    Rows others{{mixed, no_rays}, special};
    others.special.at(unit == leaf_unit ? 1 : 0) = 1;
    CHECK(choose(unit, others) == nothing(0));
  }
}

TEST_CASE("A swap takes the lowest suitable lanes, as many as both rows have") {
  const Rows rows{{row({L, I, L, I, L}), row({I}), row({I, I, I, I, I, I, I}), row({L, I, F, I, L, I, F, L})}};
  const auto swap = [&](std::size_t source, std::size_t destination) {
    return swap_of(rows.read(source), rows.read(destination), L);
  };
  CHECK(swap(0, 1) == RaySwap{0, 1, 0b10101, 0b1110, false});
  CHECK(swap(0, 2) == RaySwap{0, 2, 0b1, 0b1000'0000, false});
  // If no lane is empty, rays in other states move back.
  CHECK(swap(0, 3) == RaySwap{0, 3, 0b10101, 0b1110, true});
  CHECK(moved_back(swap(0, 3), rows.states[3]) == row({I, RayState::none, F, RayState::none, I}));
  CHECK(moved_back(swap(0, 1), rows.states[1]) == no_rays);
}

namespace {

/// Performs the swap that the unit finds. Returns false if it finds none.
bool swap_once(Rows& rows, ShuffleUnit unit) {
  const RowChoice choice = choose_rows(unit, rows.look(), rows.special);
  rows.special.at(static_cast<std::size_t>(unit)) = choice.special;
  if (!choice.source) return false;
  const RaySwap swap = swap_of(rows.read(*choice.source), rows.read(*choice.destination), state_of(unit));
  const unsigned count = count_lanes(swap.source_lanes);
  REQUIRE(swap.source != swap.destination);
  REQUIRE(count > 0);
  REQUIRE(count < width);  // a buffer holds one lane less than a row
  REQUIRE(count == count_lanes(swap.destination_lanes));
  const RayStates back = moved_back(swap, rows.states[swap.destination]);
  rows.states[swap.source].replace(swap.source_lanes, back);
  rows.states[swap.destination].replace(swap.destination_lanes, uniform_row(state_of(unit)));
  return true;
}

std::array<unsigned, 4> count_states(const Rows& rows) {
  std::array<unsigned, 4> count{};
  for (const RayStates& states : rows.states) {
    for (unsigned lane = 0; lane < width; ++lane) ++count.at(static_cast<std::size_t>(states.at(lane)));
  }
  return count;
}

/// Random rays, which leave at least as many lanes empty as `empty_rows` rows have.
Rows random_rows(std::mt19937& random) {
  Rows rows;
  rows.states.resize(3 + random() % 6);
  for (std::size_t rays = random() % ((rows.states.size() - empty_rows) * width + 1); rays > 0; --rays) {
    RayStates& row = rows.states[random() % rows.states.size()];
    const LaneMask empty = row.lanes(RayState::none) & all;
    if (empty == 0) continue;
    row.replace(empty & (~empty + 1), uniform_row(static_cast<RayState>(1 + random() % 3)));
  }
  return rows;
}

}  // namespace

TEST_CASE("If no warp has a row, swaps end, and a row of one state is left") {
  std::mt19937 random(1);
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Rows rows = random_rows(random);
    for (auto& special : rows.special) {
      if (random() % 2 == 0) special = random() % rows.states.size();
    }
    // The collecting units never have the same special row.
    if (rows.special[0] == rows.special[1]) rows.special[1].reset();
    CAPTURE(seed, rows.states.size());
    const auto before = count_states(rows);
    unsigned failed = 0;
    for (unsigned turn = 0; failed < shuffle_units; ++turn) {
      if (turn == 1000) FAIL("swaps do not end");
      failed = swap_once(rows, static_cast<ShuffleUnit>(turn % shuffle_units)) ? 0 : failed + 1;
    }
    CHECK(count_states(rows) == before);
    const RowSummary summary = rows.look().table;
    CHECK(summary.uniform().empty() == summary.with_rays().empty());
  }
}

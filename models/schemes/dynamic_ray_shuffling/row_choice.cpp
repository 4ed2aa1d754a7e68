// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_ray_shuffling/row_choice.hpp"

#include <algorithm>

namespace reconverge {

namespace {

constexpr auto index_of(ShuffleUnit unit) { return static_cast<std::size_t>(unit); }

LaneMask first_lanes(LaneMask lanes, unsigned count) {
  LaneMask first = 0;
  for (; count != 0; --count, lanes &= lanes - 1) first |= lanes & (~lanes + 1);
  return first;
}

/// `loose`: rows that are neither bound, nor full, nor being swapped. `special`: the unit's special row, if it is
/// loose.
RowChoice collect(ShuffleUnit unit, const ChoiceRows& rows, const RowSet& loose, std::optional<std::size_t> special,
                  std::optional<std::size_t> other) {
  const RowSet with_some = loose & rows.table.with(state_of(unit));
  const RowSet empty = (loose & rows.table.with(RayState::none) & ~rows.table.with_rays()).without(other);
  const RowSet uniform = rows.table.uniform();
  // With no row bound, no warp will bring rays that the row's other rays could be swapped with: the unit restarts in an
  // empty row.
  if (special && rows.bound.empty() && !uniform.holds(*special) && with_some.holds(*special) &&
      with_some.without(special).empty() && !empty.empty()) {
    special.reset();
  }
  std::optional<std::size_t> to = special;
  for (const RowSet& choice : {with_some & uniform, empty, with_some}) {
    if (!to) to = choice.without(other).first();
  }
  const std::optional<std::size_t> from = with_some.without(to).first();
  if (!to || !from) return {{}, {}, special};
  return {from, to, to};
}

RowChoice eject(const ChoiceRows& rows, const RowSet& loose, std::optional<std::size_t> special,
                const SpecialRows& all) {
  const RowSet with_some = (loose & rows.table.with(RayState::inner))
                               .without(all[index_of(ShuffleUnit::collect_leaf)])
                               .without(all[index_of(ShuffleUnit::collect_fetch)]);
  if (special && !with_some.holds(*special)) special.reset();
  const std::optional<std::size_t> from = special ? special : with_some.first();
  const std::optional<std::size_t> to = with_some.without(from).first();
  if (!to) return {{}, {}, special};
  return {from, to, from};
}

}  // namespace

RayState state_of(ShuffleUnit unit) {
  constexpr std::array states{RayState::leaf, RayState::fetch, RayState::inner};
  return states[index_of(unit)];
}

RowChoice choose_rows(ShuffleUnit unit, const ChoiceRows& rows, const SpecialRows& special) {
  const RowSet taken = rows.bound | rows.table.full();
  std::optional<std::size_t> row = special[index_of(unit)];
  if (row && taken.holds(*row)) row.reset();
  if (row && rows.swapping.holds(*row)) return {{}, {}, row};  // another swap is using it
  const RowSet loose = ~(taken | rows.swapping);
  if (unit == ShuffleUnit::eject_inner) return eject(rows, loose, row, special);
  const auto other = unit == ShuffleUnit::collect_leaf ? ShuffleUnit::collect_fetch : ShuffleUnit::collect_leaf;
  return collect(unit, rows, loose, row, special[index_of(other)]);
}

RaySwap swap_of(const RowRead& source, const RowRead& destination, RayState state) {
  const LaneMask given = source.lanes(state);
  const LaneMask empty = destination.lanes(RayState::none);
  const bool both_ways = empty == 0;
  const LaneMask taken = both_ways ? destination.rays() & ~destination.lanes(state) : empty;
  const unsigned count = std::min(count_lanes(given), count_lanes(taken));
  return {source.row, destination.row, first_lanes(given, count), first_lanes(taken, count), both_ways};
}

RayStates moved_back(const RaySwap& swap, const RayStates& destination) {
  RayStates states;
  for (LaneMask to = swap.source_lanes, from = swap.destination_lanes; to != 0; to &= to - 1, from &= from - 1) {
    states.replace(lane_bit(first_lane(to)), uniform_row(destination.at(first_lane(from))));
  }
  return states;
}

}  // namespace reconverge

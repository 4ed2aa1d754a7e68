#include "models/dynamic_ray_shuffling/shuffle_control.hpp"

#include <algorithm>

namespace reconverge {

namespace {

LaneMask first_lanes(LaneMask lanes, unsigned count) {
  LaneMask first = 0;
  for (; count != 0; --count, lanes &= lanes - 1) first |= lanes & (~lanes + 1);
  return first;
}

}  // namespace

std::optional<RaySwap> ShuffleControl::choose(ShuffleUnit unit, const RowSet& swapping) {
  std::optional<std::size_t>& row = special(unit);
  if (row && (renaming_.bound() | table_.full()).holds(*row)) row.reset();
  if (row && swapping.holds(*row)) return std::nullopt;  // it is another unit's for the moment
  return unit == ShuffleUnit::eject_inner ? eject(swapping) : collect(unit, swapping);
}

std::optional<RaySwap> ShuffleControl::collect(ShuffleUnit unit, const RowSet& swapping) {
  const bool leaf = unit == ShuffleUnit::collect_leaf;
  const RayState state = leaf ? RayState::leaf : RayState::fetch;
  const RowSet rows = loose(swapping);
  const RowSet with_some = rows & table_.with(state);
  const auto other = special(leaf ? ShuffleUnit::collect_fetch : ShuffleUnit::collect_leaf);
  const RowSet empty = (rows & table_.with(RayState::none) & ~table_.with_rays()).without(other);
  std::optional<std::size_t> to = special(unit);
  // Nobody would bring what its other rays could change places with: the unit begins anew in an empty row.
  if (to && renaming_.bound().empty() && !table_.uniform().holds(*to) && with_some.holds(*to) &&
      with_some.without(to).empty() && !empty.empty()) {
    special(unit).reset();
    to.reset();
  }
  if (!to) {
    for (const RowSet& choice : {with_some & table_.uniform(), empty, with_some}) {
      to = choice.without(other).first();
      if (to) break;
    }
  }
  const std::optional<std::size_t> from = with_some.without(to).first();
  if (!to || !from) return std::nullopt;
  special(unit) = to;
  return swap_of(*from, *to, state);
}

std::optional<RaySwap> ShuffleControl::eject(const RowSet& swapping) {
  const RowSet rows = (loose(swapping) & table_.with(RayState::inner))
                          .without(special(ShuffleUnit::collect_leaf))
                          .without(special(ShuffleUnit::collect_fetch));
  std::optional<std::size_t>& ejecting = special(ShuffleUnit::eject_inner);
  if (ejecting && !rows.holds(*ejecting)) ejecting.reset();
  const std::optional<std::size_t> from = ejecting ? ejecting : rows.first();
  const std::optional<std::size_t> to = rows.without(from).first();
  if (!to) return std::nullopt;
  ejecting = from;
  return swap_of(*from, *to, RayState::inner);
}

RaySwap ShuffleControl::swap_of(std::size_t from, std::size_t to, RayState state) const {
  const LaneMask given = table_.lanes(from, state);
  const LaneMask empty = table_.lanes(to, RayState::none);
  const bool both_ways = empty == 0;
  const LaneMask taken = both_ways ? table_.rays(to) & ~table_.lanes(to, state) : empty;
  const unsigned count = std::min(count_lanes(given), count_lanes(taken));
  return {from, to, first_lanes(given, count), first_lanes(taken, count), both_ways};
}

}  // namespace reconverge

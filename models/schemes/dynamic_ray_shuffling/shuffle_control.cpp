// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_ray_shuffling/shuffle_control.hpp"

#include <algorithm>

#include "models/protocols/ask.hpp"

namespace reconverge {

namespace {

LaneMask first_lanes(LaneMask lanes, unsigned count) {
  LaneMask first = 0;
  for (; count != 0; --count, lanes &= lanes - 1) first |= lanes & (~lanes + 1);
  return first;
}

}  // namespace

ShuffleControl::ShuffleControl(sc_core::sc_module_name name)
    : sc_module(name), choices("choices"), summaries("summaries"), reads("reads"), bound_rows("bound_rows") {
  choices.bind(*this);
}

void ShuffleControl::b_transport(SwapChoice& choice, sc_core::sc_time& /*delay*/) {
  Rows rows;
  send(summaries, rows.table);
  rows.bound = ask(bound_rows, BoundRows()).rows;
  const RowSet taken = rows.bound | rows.table.full();
  rows.loose = ~(taken | choice.swapping);
  std::optional<std::size_t>& row = special(choice.unit);
  if (row && taken.holds(*row)) row.reset();
  if (row && choice.swapping.holds(*row)) return;  // another unit is using it
  choice.swap = choice.unit == ShuffleUnit::eject_inner ? eject(rows) : collect(choice.unit, rows);
}

std::optional<RaySwap> ShuffleControl::collect(ShuffleUnit unit, const Rows& rows) {
  const bool leaf = unit == ShuffleUnit::collect_leaf;
  const RayState state = leaf ? RayState::leaf : RayState::fetch;
  const RowSet with_some = rows.loose & rows.table.with(state);
  const auto other = special(leaf ? ShuffleUnit::collect_fetch : ShuffleUnit::collect_leaf);
  const RowSet empty = (rows.loose & rows.table.with(RayState::none) & ~rows.table.with_rays()).without(other);
  const RowSet uniform = rows.table.uniform();
  std::optional<std::size_t> to = special(unit);
  // With no row bound, no warp will bring rays that the row's other rays could be swapped with: the unit restarts in an
  // empty row.
  if (to && rows.bound.empty() && !uniform.holds(*to) && with_some.holds(*to) && with_some.without(to).empty() &&
      !empty.empty()) {
    special(unit).reset();
    to.reset();
  }
  if (!to) {
    for (const RowSet& choice : {with_some & uniform, empty, with_some}) {
      to = choice.without(other).first();
      if (to) break;
    }
  }
  const std::optional<std::size_t> from = with_some.without(to).first();
  if (!to || !from) return std::nullopt;
  special(unit) = to;
  return swap_of(*from, *to, state);
}

std::optional<RaySwap> ShuffleControl::eject(const Rows& rows) {
  const RowSet with_some = (rows.loose & rows.table.with(RayState::inner))
                               .without(special(ShuffleUnit::collect_leaf))
                               .without(special(ShuffleUnit::collect_fetch));
  std::optional<std::size_t>& ejecting = special(ShuffleUnit::eject_inner);
  if (ejecting && !with_some.holds(*ejecting)) ejecting.reset();
  const std::optional<std::size_t> from = ejecting ? ejecting : with_some.first();
  const std::optional<std::size_t> to = with_some.without(from).first();
  if (!to) return std::nullopt;
  ejecting = from;
  return swap_of(*from, *to, RayState::inner);
}

RaySwap ShuffleControl::swap_of(std::size_t from, std::size_t to, RayState state) {
  const RowRead source = ask(reads, RowRead{from});
  const RowRead destination = ask(reads, RowRead{to});
  const LaneMask given = source.lanes(state);
  const LaneMask empty = destination.lanes(RayState::none);
  const bool both_ways = empty == 0;
  const LaneMask taken = both_ways ? destination.rays() & ~destination.lanes(state) : empty;
  const unsigned count = std::min(count_lanes(given), count_lanes(taken));
  return {from, to, first_lanes(given, count), first_lanes(taken, count), both_ways};
}

}  // namespace reconverge

// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_ray_shuffling/ideal_shuffler.hpp"

namespace reconverge {

IdealShuffler::IdealShuffler(sc_core::sc_module_name name, const DynamicRayShufflingParameters& parameters,
                             DynamicRayShufflingStatistics* statistics)
    : sc_module(name),
      backup_rows_(parameters.backup_rows),
      table_("ray_state_table"),
      renaming_("warp_renaming"),
      reports_("reports"),
      swaps_("swaps"),
      reads_("reads"),
      summaries_("summaries"),
      renamings_("renamings"),
      lookups_("lookups"),
      bound_rows_("bound_rows"),
      statistics_(statistics != nullptr ? *statistics : own_statistics_) {
  reports_.bind(table_.reports);
  swaps_.bind(table_.swaps);
  reads_.bind(table_.reads);
  summaries_.bind(table_.summaries);
  renamings_.bind(renaming_.renamings);
  lookups_.bind(renaming_.lookups);
  bound_rows_.bind(renaming_.bound_rows);
}

void IdealShuffler::begin(std::size_t warps, unsigned width) {
  table_.begin(warps + backup_rows_ + empty_rows, warps + backup_rows_, width);
  renaming_.begin(warps);
  special_ = {};
  quiet_ = true;
  draining_ = false;
  answer_.reset();
  renamed_.reset();
  reported_.reset();
}

ChoiceRows IdealShuffler::look() {
  ChoiceRows rows;
  send(summaries_, rows.table);
  rows.bound = ask(bound_rows_, BoundRows()).rows;
  return rows;
}

std::optional<std::size_t> IdealShuffler::first_bindable(const ChoiceRows& rows) const {
  if (const auto row = (rows.table.full() & ~rows.bound).first()) return row;
  // A row with empty lanes is bound only if waiting would not fill them.
  if (quiet_ && (draining_ || rows.bound.empty())) return (rows.table.uniform() & ~rows.bound).first();
  return std::nullopt;
}

bool IdealShuffler::has_answer() {
  const ChoiceRows rows = look();
  return first_bindable(rows).has_value() || (rows.table.with_rays() & ~rows.bound).empty();
}

void IdealShuffler::control(std::size_t warp) {
  ++statistics_.control_reads;
  answer_ = answer_to(warp);
}

RayControl IdealShuffler::answer_to(std::size_t warp) {
  const ChoiceRows rows = look();
  const auto row_for = [&](std::size_t row) {
    return RayControl{RayControl::Answer::row, row, ask(reads_, RowRead{row}).states};
  };
  const std::optional<std::size_t> own = row_of(warp);
  if (own && rows.table.full().holds(*own)) {
    ++statistics_.kept_rows;
    return row_for(*own);
  }
  const bool no_rays = !own || !rows.table.with_rays().holds(*own);
  if (no_rays && (rows.table.with_rays() & ~rows.bound).empty()) {
    ++statistics_.exits;
    renamed_ = {warp, std::nullopt};
    return {RayControl::Answer::exit, 0, {}};
  }
  const std::optional<std::size_t> row = first_bindable(rows);
  if (own || row) renamed_ = {warp, row};
  if (!row) {
    ++statistics_.stalls;
    return {};
  }
  ++statistics_.renamings;
  return row_for(*row);
}

void IdealShuffler::report(std::size_t warp, LaneMask lanes, const RayStates& states) {
  reported_ = {*row_of(warp), lanes, states};
}

void IdealShuffler::shuffle_at_once() {
  for (bool found = true; found;) {
    found = false;
    for (const ShuffleUnit unit : {ShuffleUnit::collect_leaf, ShuffleUnit::collect_fetch, ShuffleUnit::eject_inner}) {
      const RowChoice choice = choose_rows(unit, look(), special_);
      special_[static_cast<std::size_t>(unit)] = choice.special;
      if (!choice.source) continue;
      const RaySwap swap =
          swap_of(ask(reads_, RowRead{*choice.source}), ask(reads_, RowRead{*choice.destination}), state_of(unit));
      ++statistics_.swaps;
      statistics_.rays_moved += count_lanes(swap.source_lanes) * (swap.both_ways ? 2U : 1U);
      ask(swaps_, swap);
      completed_.push_back(swap);
      found = true;
    }
  }
}

bool IdealShuffler::apply_warps() {
  if (reported_) {
    ask(reports_, *reported_);
    draining_ = draining_ || (reported_->states.lanes(RayState::none) & reported_->lanes) != 0;
    reported_.reset();
  }
  answer_.reset();
  if (!renamed_) return false;
  const bool released = ask(renamings_, *renamed_).released;
  renamed_.reset();
  return released;
}

std::span<const RaySwap> IdealShuffler::step(const RegisterGrants& /*grants*/) {
  completed_.clear();
  shuffle_at_once();
  quiet_ = !apply_warps();
  return completed_;
}

}  // namespace reconverge

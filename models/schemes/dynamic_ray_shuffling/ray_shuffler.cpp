// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_ray_shuffling/ray_shuffler.hpp"

#include <fmt/format.h>

namespace reconverge {

RayShuffler::Unit::Unit(const char* name, const DynamicRayShufflingParameters& parameters)
    : buffers(fmt::format("{}_buffers", name).c_str(), parameters.swap_buffers / shuffle_units,
              parameters.ray_registers),
      swaps(fmt::format("{}_swaps", name).c_str()),
      transfers(fmt::format("{}_transfers", name).c_str()),
      grants(fmt::format("{}_grants", name).c_str()) {
  swaps.bind(buffers.swaps);
  transfers.bind(buffers.transfers);
  grants.bind(buffers.grants);
}

void RayShuffler::Unit::begin() {
  buffers.begin();
  swap.reset();
  wanted = {};
}

RayShuffler::RayShuffler(sc_core::sc_module_name name, const DynamicRayShufflingParameters& parameters,
                         DynamicRayShufflingStatistics* statistics)
    : sc_module(name),
      ideal_(parameters.ideal),
      backup_rows_(parameters.backup_rows),
      table_("ray_state_table"),
      renaming_("warp_renaming"),
      control_("shuffle_control"),
      units_{{Unit("leaf", parameters), Unit("fetch", parameters), Unit("inner", parameters)}},
      reports_("reports"),
      swaps_("swaps"),
      reads_("reads"),
      summaries_("summaries"),
      renamings_("renamings"),
      lookups_("lookups"),
      bound_rows_("bound_rows"),
      choices_("choices"),
      statistics_(statistics != nullptr ? *statistics : own_statistics_) {
  reports_.bind(table_.reports);
  swaps_.bind(table_.swaps);
  reads_.bind(table_.reads);
  summaries_.bind(table_.summaries);
  renamings_.bind(renaming_.renamings);
  lookups_.bind(renaming_.lookups);
  bound_rows_.bind(renaming_.bound_rows);
  choices_.bind(control_.choices);
  control_.summaries.bind(table_.summaries);
  control_.reads.bind(table_.reads);
  control_.bound_rows.bind(renaming_.bound_rows);
}

void RayShuffler::begin(std::size_t warps, unsigned width) {
  table_.begin(warps + backup_rows_ + empty_rows, warps + backup_rows_, width);
  renaming_.begin(warps);
  control_.begin();
  for (Unit& unit : units_) unit.begin();
  swapping_ = {};
  quiet_ = true;
  draining_ = false;
  renamed_.reset();
  reported_.reset();
}

RayShuffler::Rows RayShuffler::look() {
  Rows rows;
  send(summaries_, rows.table);
  rows.bound = ask(bound_rows_, BoundRows()).rows;
  return rows;
}

std::optional<std::size_t> RayShuffler::first_bindable(const Rows& rows) const {
  const RowSet free = ~(rows.bound | swapping_);
  if (const auto row = (free & rows.table.full()).first()) return row;
  // A row with empty lanes is bound only if waiting would not fill them.
  if (quiet_ && (draining_ || rows.bound.empty())) return (free & rows.table.uniform()).first();
  return std::nullopt;
}

bool RayShuffler::has_answer() {
  const Rows rows = look();
  return first_bindable(rows).has_value() || !rows.rays_unbound();
}

RayControl RayShuffler::control(std::size_t warp) {
  ++statistics_.control_reads;
  const Rows rows = look();
  const auto row_for = [&](std::size_t row) {
    return RayControl{RayControl::Answer::row, row, ask(reads_, RowRead{row}).states};
  };
  const std::optional<std::size_t> own = row_of(warp);
  if (own && rows.table.full().holds(*own)) {
    ++statistics_.kept_rows;
    return row_for(*own);
  }
  const bool no_rays = !own || !rows.table.with_rays().holds(*own);
  if (no_rays && !rows.rays_unbound()) {
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

void RayShuffler::report(std::size_t warp, LaneMask lanes, const RayStates& states) {
  reported_ = {*row_of(warp), lanes, states};
}

void RayShuffler::shuffle_at_once() {
  for (bool found = true; found;) {
    found = false;
    for (const ShuffleUnit unit : {ShuffleUnit::collect_leaf, ShuffleUnit::collect_fetch, ShuffleUnit::eject_inner}) {
      const std::optional<RaySwap> swap = ask(choices_, SwapChoice{unit, swapping_}).swap;
      if (!swap) continue;
      complete(*swap);
      found = true;
    }
  }
}

bool RayShuffler::start_units() {
  bool working = false;
  for (std::size_t number = 0; number < shuffle_units; ++number) {
    Unit& unit = units_[number];
    if (!unit.swap) {
      SwapChoice choice{static_cast<ShuffleUnit>(number), swapping_};
      send(choices_, choice);
      if (!choice.swap) continue;
      unit.swap = choice.swap;
      send(unit.swaps, *unit.swap);
      unit.cycles = 0;
      swapping_.put(unit.swap->source, true);
      swapping_.put(unit.swap->destination, true);
    }
    working = true;
  }
  return working;
}

void RayShuffler::end_cycle(Unit& unit, bool read_granted, bool write_granted) {
  ++unit.cycles;
  statistics_.register_reads += read_granted ? 1 : 0;
  statistics_.register_writes += write_granted ? 1 : 0;
  if (!ask(unit.grants, TransferGrants{read_granted, write_granted}).ended) return;
  statistics_.swap_cycles += unit.cycles;
  complete(*unit.swap);
  unit.swap.reset();
}

void RayShuffler::complete(const RaySwap& swap) {
  statistics_.rays_moved += count_lanes(swap.source_lanes) * (swap.both_ways ? 2U : 1U);
  ask(swaps_, swap);
  swapping_.put(swap.source, false);
  swapping_.put(swap.destination, false);
  completed_.push_back(swap);
  ++statistics_.swaps;
}

bool RayShuffler::apply_warps() {
  if (reported_) {
    ask(reports_, *reported_);
    draining_ = draining_ || (reported_->states.lanes(RayState::none) & reported_->lanes) != 0;
    reported_.reset();
  }
  if (!renamed_) return false;
  const bool released = ask(renamings_, *renamed_).released;
  renamed_.reset();
  return released;
}

std::span<const RaySwap> RayShuffler::step(const RegisterGrants& grants) {
  completed_.clear();
  std::array<bool, shuffle_units> began_busy{};
  for (std::size_t unit = 0; unit < shuffle_units; ++unit) began_busy[unit] = units_[unit].swap.has_value();
  bool working = false;
  if (ideal_) {
    shuffle_at_once();
  } else {
    working = start_units();
  }
  for (std::size_t unit = 0; unit < shuffle_units; ++unit) {
    if (began_busy[unit]) end_cycle(units_[unit], grants.read[unit], grants.write[unit]);
  }
  const bool released = apply_warps();
  quiet_ = !working && !released;
  for (Unit& unit : units_) {
    if (unit.swap) {
      send(unit.transfers, unit.wanted);
    } else {
      unit.wanted = {};
    }
  }
  return completed_;
}

}  // namespace reconverge

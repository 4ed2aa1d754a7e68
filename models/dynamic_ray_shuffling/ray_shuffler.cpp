#include "models/dynamic_ray_shuffling/ray_shuffler.hpp"

#include <algorithm>

namespace reconverge {

RayShuffler::RayShuffler(const DynamicRayShufflingParameters& parameters, std::size_t warps, unsigned width,
                         DynamicRayShufflingStatistics* statistics)
    : ideal_(parameters.ideal),
      table_(warps + extra_rows(parameters), width),
      renaming_(warps),
      control_(table_, renaming_),
      buffers_{SwapBuffers(parameters.swap_buffers / shuffle_units, parameters.ray_registers),
               SwapBuffers(parameters.swap_buffers / shuffle_units, parameters.ray_registers),
               SwapBuffers(parameters.swap_buffers / shuffle_units, parameters.ray_registers)},
      statistics_(statistics != nullptr ? *statistics : own_statistics_) {
  for (std::size_t row = 0; row < warps + parameters.backup_rows; ++row) {
    table_.report(row, all_lanes, uniform_row(RayState::fetch));
  }
  for (std::size_t warp = 0; warp < warps; ++warp) renaming_.bind(warp, warp);
}

std::optional<std::size_t> RayShuffler::first_bindable() const {
  const RowSet free = ~(renaming_.bound() | swapping_);
  if (const auto row = (free & table_.full()).first()) return row;
  // Lanes are left empty only where waiting would not fill them.
  if (quiet_ && (draining_ || renaming_.bound().empty())) return (free & table_.uniform()).first();
  return std::nullopt;
}

RayControl RayShuffler::control(std::size_t warp) {
  ++statistics_.control_reads;
  const std::optional<std::size_t> own = renaming_.row_of(warp);
  if (own && table_.full(*own)) {
    ++statistics_.kept_rows;
    return {RayControl::Answer::row, *own, table_[*own]};
  }
  const bool no_rays = !own || table_.rays(*own) == 0;
  if (no_rays && !rays_unbound()) {
    ++statistics_.exits;
    binding_ = {warp, std::nullopt};
    return {RayControl::Answer::exit, 0, {}};
  }
  const std::optional<std::size_t> row = first_bindable();
  if (own || row) binding_ = {warp, row};
  if (!row) {
    ++statistics_.stalls;
    return {};
  }
  ++statistics_.renamings;
  return {RayControl::Answer::row, *row, table_[*row]};
}

void RayShuffler::report(std::size_t warp, LaneMask lanes, const RayStates& states) {
  report_ = {*renaming_.row_of(warp), lanes, states};
}

void RayShuffler::shuffle_at_once() {
  for (bool found = true; found;) {
    found = false;
    for (const ShuffleUnit unit : {ShuffleUnit::collect_leaf, ShuffleUnit::collect_fetch, ShuffleUnit::eject_inner}) {
      const std::optional<RaySwap> swap = control_.choose(unit, swapping_);
      if (!swap) continue;
      complete(*swap);
      found = true;
    }
  }
}

bool RayShuffler::start_units() {
  bool working = false;
  for (std::size_t unit = 0; unit < shuffle_units; ++unit) {
    if (!buffers_[unit].busy()) {
      const std::optional<RaySwap> swap = control_.choose(static_cast<ShuffleUnit>(unit), swapping_);
      if (!swap) continue;
      buffers_[unit].start(*swap);
      cycles_[unit] = 0;
      swapping_.put(swap->source, true);
      swapping_.put(swap->destination, true);
    }
    working = true;
  }
  return working;
}

void RayShuffler::complete(const RaySwap& swap) {
  statistics_.rays_moved += count_lanes(swap.source_lanes) * (swap.both_ways ? 2U : 1U);
  table_.exchange(swap.source, swap.source_lanes, swap.destination, swap.destination_lanes);
  swapping_.put(swap.source, false);
  swapping_.put(swap.destination, false);
  completed_.push_back(swap);
  ++statistics_.swaps;
}

std::span<const RaySwap> RayShuffler::step(const RegisterGrants& grants) {
  completed_.clear();
  std::array<bool, shuffle_units> began_busy{};
  for (std::size_t unit = 0; unit < shuffle_units; ++unit) began_busy[unit] = buffers_[unit].busy();
  bool working = false;
  if (ideal_) {
    shuffle_at_once();
  } else {
    working = start_units();
  }
  for (std::size_t unit = 0; unit < shuffle_units; ++unit) {
    if (!began_busy[unit]) continue;
    ++cycles_[unit];
    statistics_.register_reads += grants.read[unit] ? 1 : 0;
    statistics_.register_writes += grants.write[unit] ? 1 : 0;
    if (!buffers_[unit].step(grants.read[unit], grants.write[unit])) continue;
    statistics_.swap_cycles += cycles_[unit];
    complete(buffers_[unit].swap());
  }
  if (report_) {
    table_.report(report_->row, report_->lanes, report_->states);
    draining_ = draining_ || (report_->states.lanes(RayState::none) & report_->lanes) != 0;
    report_.reset();
  }
  const bool released = binding_.has_value() && renaming_.row_of(binding_->warp).has_value();
  if (binding_) {
    if (binding_->row) {
      renaming_.bind(binding_->warp, *binding_->row);
    } else {
      renaming_.release(binding_->warp);
    }
    binding_.reset();
  }
  quiet_ = !working && !released;
  return completed_;
}

}  // namespace reconverge

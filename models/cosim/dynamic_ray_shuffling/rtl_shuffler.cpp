// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/dynamic_ray_shuffling/rtl_shuffler.hpp"

namespace reconverge {

RtlShuffler::RtlShuffler(const char* /*name*/, const DynamicRayShufflingParameters& parameters,
                         DynamicRayShufflingStatistics* statistics)
    : parameters_(parameters), statistics_(*statistics) {}

void RtlShuffler::begin(std::size_t warps) {
  rows_ = warps + RayShuffler::extra_rows(parameters_);
  rtl_ = twin::make_rtl<RayPorts>(RayPorts::sizes_of(parameters_, warps));
  probe_.watch(*rtl_);
  inputs_ = {};
  outputs_ = &rtl_->settle(inputs_);
  row_of_.clear();
  for (std::size_t warp = 0; warp < warps; ++warp) row_of_.emplace_back(warp);
  swaps_ = {};
}

RayControl RtlShuffler::control(std::size_t warp) {
  inputs_.control_valid = true;
  inputs_.control_warp = warp;
  const RayControl control = rtl_->settle(inputs_).control;
  ++statistics_.control_reads;
  if (control.answer == RayControl::Answer::stall) ++statistics_.stalls;
  if (control.answer == RayControl::Answer::exit) ++statistics_.exits;
  if (control.answer == RayControl::Answer::row) {
    ++(row_of_[warp] == control.row ? statistics_.kept_rows : statistics_.renamings);
  }
  return control;
}

void RtlShuffler::report(std::size_t warp, LaneMask lanes, const RayStates& states) {
  inputs_.report_valid = true;
  inputs_.report_warp = warp;
  inputs_.report_lanes = lanes;
  inputs_.report_states = states;
}

void RtlShuffler::step(const RegisterGrants& grants, RayRows& rows) {
  inputs_.grants = grants;
  for (std::size_t unit = 0; unit < shuffle_units; ++unit) {
    const auto read = outputs_->read[unit];
    if (grants.read[unit]) inputs_.read_words[unit] = rows.at(read->row, read->ray_register);
  }
  rtl_->settle(inputs_);
  for (std::size_t unit = 0; unit < shuffle_units; ++unit) {
    move_words(unit, rows);
    count(unit);
  }
  if (inputs_.control_valid) {
    const RayControl& control = outputs_->control;
    row_of_[inputs_.control_warp].reset();
    if (control.answer == RayControl::Answer::row) row_of_[inputs_.control_warp] = control.row;
  }
  rtl_->clock();
  rtl_->look();
  inputs_.control_valid = false;
  inputs_.report_valid = false;
}

void RtlShuffler::move_words(std::size_t unit, RayRows& rows) {
  const auto& write = outputs_->write[unit];
  if (!inputs_.grants.write[unit]) return;
  LaneWords& words = rows.at(write->row, write->ray_register);
  for_each_lane(write->lanes, [&](unsigned lane) { words[lane] = outputs_->write_words[unit][lane]; });
}

void RtlShuffler::count(std::size_t unit) {
  const auto& read = outputs_->read[unit];
  const auto& write = outputs_->write[unit];
  if (!read && !write) return;
  Swap& swap = swaps_[unit];
  ++swap.cycles;
  if (inputs_.grants.read[unit]) {
    ++statistics_.register_reads;
    // Both ways, each register is read of one row and then of the other.
    if (++swap.reads == 2) swap.both_ways = read->ray_register == 0;
  }
  if (!inputs_.grants.write[unit]) return;
  ++statistics_.register_writes;
  const std::uint64_t ways = swap.both_ways ? 2 : 1;
  if (++swap.writes < ways * parameters_.ray_registers) return;
  ++statistics_.swaps;
  statistics_.rays_moved += ways * count_lanes(write->lanes);
  statistics_.swap_cycles += swap.cycles;
  swap = {};
}

}  // namespace reconverge

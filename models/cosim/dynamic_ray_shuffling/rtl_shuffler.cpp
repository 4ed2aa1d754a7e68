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
  swap_ = {};
}

void RtlShuffler::control(std::size_t warp) {
  ++statistics_.control_reads;
  asked_ = warp;
  inputs_.control_valid = true;
  inputs_.control_warp = warp;
}

void RtlShuffler::report(std::size_t warp, LaneMask lanes, const RayStates& states) {
  inputs_.report_valid = true;
  inputs_.report_warp = warp;
  inputs_.report_lanes = lanes;
  inputs_.report_states = states;
}

std::optional<RayControl> RtlShuffler::answer() const {
  if (!outputs_->answer_valid) return std::nullopt;
  return outputs_->answer;
}

void RtlShuffler::step(const RegisterGrants& grants, RayRows& rows) {
  inputs_.grants = grants;
  if (grants.read) inputs_.read_words = rows.at(outputs_->read->row, outputs_->read->ray_register);
  rtl_->settle(inputs_);
  if (outputs_->answer_valid) take_answer();
  if (grants.write) move_words(rows);
  count_swap();
  rtl_->clock();
  rtl_->look();
  inputs_.control_valid = false;
  inputs_.report_valid = false;
}

void RtlShuffler::take_answer() {
  const RayControl& answer = outputs_->answer;
  std::optional<std::size_t>& row = row_of_[asked_];
  switch (answer.answer) {
    case RayControl::Answer::stall:
      ++statistics_.stalls;
      break;
    case RayControl::Answer::exit:
      ++statistics_.exits;
      break;
    case RayControl::Answer::row:
      ++(row == answer.row ? statistics_.kept_rows : statistics_.renamings);
      row = answer.row;
      return;
  }
  row.reset();
}

void RtlShuffler::move_words(RayRows& rows) {
  const RegisterAccess& write = *outputs_->write;
  LaneWords& words = rows.at(write.row, write.ray_register);
  for_each_lane(write.lanes, [&](unsigned lane) { words[lane] = outputs_->write_words[lane]; });
}

void RtlShuffler::count_swap() {
  const auto& read = outputs_->read;
  const auto& write = outputs_->write;
  // Until its last write, a swap requests an access in every cycle: with all buffers full, it has words to write.
  if (!read && !write) return;
  ++statistics_.swap_cycles;
  if (inputs_.grants.read) {
    ++statistics_.register_reads;
    // If rays move both ways, each register is read in one row and then in the other.
    if (++swap_.reads == 2) swap_.both_ways = read->ray_register == 0;
  }
  if (!inputs_.grants.write) return;
  ++statistics_.register_writes;
  const std::uint64_t ways = swap_.both_ways ? 2 : 1;
  if (++swap_.writes < ways * parameters_.ray_registers) return;
  ++statistics_.swaps;
  statistics_.rays_moved += ways * count_lanes(write->lanes);
  swap_ = {};
}

}  // namespace reconverge

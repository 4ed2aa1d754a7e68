#pragma once
/// The functions of DynamicRayShufflingBy, for those that instantiate it.

#include "models/dynamic_ray_shuffling/dynamic_ray_shuffling.hpp"

namespace reconverge {

/// The row of a warp's registers that has the states of its rays.
inline std::uint32_t* ray_states_of(const Warp& warp) {
  constexpr auto row = static_cast<std::size_t>(kernel::SpecialRow::ray_state);
  return reinterpret_cast<std::uint32_t*>(warp.context.bank[2] + row * row_bytes);
}

/// Rays in all lanes move, so none may be at work on one. Throws ExecutionError.
void require_all_lanes(const Warp& warp);

template <typename Shuffler>
void DynamicRayShufflingBy<Shuffler>::begin(const kernel::Program& program, std::size_t warps) {
  registers_ = program.ray_registers;
  at_work_ = has_answer_ = false;
  controlled_ = reported_ = never;
  if (registers_.empty() || warps == 0) return;
  shuffler_.begin(warps);
  rows_ = RayRows(shuffler_.rows(), registers_.size());
}

template <typename Shuffler>
LaneWords& DynamicRayShufflingBy<Shuffler>::register_of(const Warp& warp, std::size_t ray_register) const {
  return *reinterpret_cast<LaneWords*>(warp.context.bank[0] + registers_[ray_register] * row_bytes);
}

template <typename Shuffler>
void DynamicRayShufflingBy<Shuffler>::b_transport(RayRequest& request, sc_core::sc_time& /*delay*/) {
  Cycle& last = request.report ? reported_ : controlled_;
  request.refused = last == request.now;
  request.retry = request.now + 1;
  if (request.refused || request.only_ask) return;
  last = request.now;
  at_work_ = true;
  if (request.report) {
    report(request);
  } else {
    answer(request);
  }
}

template <typename Shuffler>
void DynamicRayShufflingBy<Shuffler>::report(const RayRequest& request) {
  const std::uint32_t* const states = ray_states_of(*request.warp);
  RayStates reported;
  for_each_lane(request.lanes, [&](unsigned lane) {
    reported.replace(lane_bit(lane), uniform_row(static_cast<RayState>(states[lane])));
  });
  if (shuffler_.row_of(request.warp->slot)) shuffler_.report(request.warp->slot, request.lanes, reported);
}

template <typename Shuffler>
void DynamicRayShufflingBy<Shuffler>::answer(RayRequest& request) {
  const Warp& warp = *request.warp;
  require_all_lanes(warp);
  const auto had = shuffler_.row_of(warp.slot);
  const RayControl control = shuffler_.control(warp.slot);
  const bool keeps = control.answer == RayControl::Answer::row && had == control.row;
  if (had && !keeps) {
    for (std::size_t i = 0; i < registers_.size(); ++i) rows_.at(*had, i) = register_of(warp, i);
  }
  if (control.answer == RayControl::Answer::stall) {
    request.refused = true;
    request.retry = never;
    return;
  }
  if (control.answer == RayControl::Answer::row && !keeps) {
    for (std::size_t i = 0; i < registers_.size(); ++i) register_of(warp, i) = rows_.at(control.row, i);
  }
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    ray_states_of(warp)[lane] = static_cast<std::uint32_t>(control.states.at(lane));
  }
}

template <typename Shuffler>
bool DynamicRayShufflingBy<Shuffler>::granted(const std::optional<RegisterAccess>& access, Cycle now) {
  if (!access) return false;
  BankRequest request;
  request.slot = static_cast<std::uint32_t>(access->row);
  request.row = registers_[access->ray_register];
  request.now = now;
  sc_core::sc_time delay;
  (*banks[access->row % banks.size()])->b_transport(request, delay);
  return request.granted;
}

template <typename Shuffler>
void DynamicRayShufflingBy<Shuffler>::tick(Cycle now) {
  RegisterGrants grants;
  for (std::size_t unit = 0; unit < shuffle_units; ++unit) {
    grants.write[unit] = granted(shuffler_.write(unit), now);
    grants.read[unit] = granted(shuffler_.read(unit), now);
  }
  shuffler_.step(grants, rows_);
  at_work_ = !shuffler_.idle();
  has_answer_ = shuffler_.has_answer();
}

}  // namespace reconverge

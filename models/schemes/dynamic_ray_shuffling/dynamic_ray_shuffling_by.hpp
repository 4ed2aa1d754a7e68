// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The functions of DynamicRayShufflingBy, for files that instantiate it.

#include "models/protocols/observer.hpp"
#include "models/schemes/dynamic_ray_shuffling/dynamic_ray_shuffling.hpp"

namespace reconverge {

constexpr auto ray_state_row = static_cast<std::size_t>(kernel::SpecialRow::extension_1);

template <typename Shuffler>
void DynamicRayShufflingBy<Shuffler>::begin_shuffling(std::size_t warps) {
  controlled_ = reported_ = never;
  if (warps == 0) return;
  shuffler_.begin(warps);
  rows_ = RayRows(shuffler_.rows(), registers_.size());
}

template <typename Shuffler>
void DynamicRayShufflingBy<Shuffler>::ask(SchemeRequest& request) {
  if (has_control_[request.slot]) return;
  const bool control = kernel::uses_registers(*program_, *request.instruction);
  if ((control ? controlled_ : reported_) == request.now) {
    request.answer = SchemeAnswer::wait;
    request.until = request.now + 1;
  } else if (control) {
    controlled_ = request.now;
    next_event_ = request.now;
    answer(request);
  }
}

template <typename Shuffler>
void DynamicRayShufflingBy<Shuffler>::issued(SchemeRequest& request) {
  has_control_[request.slot] = false;
  if (kernel::uses_registers(*program_, *request.instruction)) return;
  reported_ = request.now;
  next_event_ = request.now;
  const LaneWords states = read(request.slot, kernel::Bank::special, ray_state_row);
  RayStates reported;
  for_each_lane(request.lanes, [&](unsigned lane) {
    reported.replace(lane_bit(lane), uniform_row(static_cast<RayState>(states[lane])));
  });
  if (shuffler_.row_of(request.slot)) shuffler_.report(request.slot, request.lanes, reported);
}

template <typename Shuffler>
void DynamicRayShufflingBy<Shuffler>::answer(SchemeRequest& request) {
  require_all_lanes(request);
  const std::uint32_t slot = request.slot;
  const auto had = shuffler_.row_of(slot);
  const RayControl control = shuffler_.control(slot);
  const bool keeps = control.answer == RayControl::Answer::row && had == control.row;
  if (observer_ != nullptr) {
    const bool row = control.answer == RayControl::Answer::row;
    observer_->row_taken({observed_sm_, slot, row ? std::optional(std::size_t{control.row}) : std::nullopt});
  }
  if (had && !keeps) {
    for (std::size_t i = 0; i < registers_.size(); ++i) rows_.at(*had, i) = read_register(slot, i);
  }
  const Cycle since = waiting_since_[slot].value_or(request.now);
  if (control.answer == RayControl::Answer::stall) {
    waiting_since_[slot] = since;
    request.answer = SchemeAnswer::wait;
    return;
  }
  statistics_.waiting_cycles += request.now - since;
  waiting_since_[slot].reset();
  has_control_[slot] = true;
  if (control.answer == RayControl::Answer::row && !keeps) {
    for (std::size_t i = 0; i < registers_.size(); ++i) write_register(slot, i, rows_.at(control.row, i));
  }
  LaneWords states;
  for (unsigned lane = 0; lane < warp_size; ++lane) states[lane] = static_cast<std::uint32_t>(control.states.at(lane));
  write(slot, kernel::Bank::special, ray_state_row, states);
}

template <typename Shuffler>
bool DynamicRayShufflingBy<Shuffler>::granted(const std::optional<RegisterAccess>& access, Cycle now) {
  if (!access) return false;
  BankRequest request;
  request.slot = static_cast<std::uint32_t>(access->row);
  request.row = registers_[access->ray_register];
  request.now = now;
  send(*banks[access->row % banks.size()], request);
  return request.granted;
}

template <typename Shuffler>
void DynamicRayShufflingBy<Shuffler>::tick(Cycle now) {
  RegisterGrants grants;
  for (std::size_t unit = 0; unit < shuffle_units; ++unit) {
    grants.write[unit] = granted(shuffler_.write(unit), now);
    grants.read[unit] = granted(shuffler_.read(unit), now);
    if (observer_ == nullptr) continue;
    const auto number = static_cast<std::uint32_t>(unit);
    if (grants.write[unit]) observer_->row_accessed({observed_sm_, number, true, shuffler_.write(unit)->row, now});
    if (grants.read[unit]) observer_->row_accessed({observed_sm_, number, false, shuffler_.read(unit)->row, now});
  }
  shuffler_.step(grants, rows_);
  next_event_ = shuffler_.idle() ? never : now + 1;
  if (!shuffler_.has_answer()) return;
  RetryRequest retry;
  retry.cycle = now + 1;
  send(retries, retry);
}

}  // namespace reconverge

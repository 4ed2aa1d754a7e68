// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The functions of DynamicRayShufflingBy, for files that instantiate it.

#include <algorithm>

#include "models/protocols/observer.hpp"
#include "models/schemes/dynamic_ray_shuffling/dynamic_ray_shuffling.hpp"

namespace reconverge {

constexpr auto ray_state_row = static_cast<std::size_t>(kernel::SpecialRow::extension_1);

template <typename Shuffler>
void DynamicRayShufflingBy<Shuffler>::begin_shuffling(std::size_t warps) {
  asking_.reset();
  if (warps == 0) return;
  shuffler_.begin(warps);
  rows_ = RayRows(shuffler_.rows(), registers_.size());
  if (!shuffler_.idle()) next_event_ = 0;
}

template <typename Shuffler>
void DynamicRayShufflingBy<Shuffler>::ask(SchemeRequest& request) {
  if (has_control_[request.slot]) return;
  if (kernel::uses_registers(*program_, *request.instruction)) return ask_control(request);
  if (shuffler_.takes_report()) return;
  request.answer = SchemeAnswer::wait;
  request.until = request.now + 1;
}

template <typename Shuffler>
void DynamicRayShufflingBy<Shuffler>::ask_control(SchemeRequest& request) {
  request.answer = SchemeAnswer::wait;
  if (!asking_ && shuffler_.takes_control()) {
    // A warp that stalled asks again only when a row may be available.
    if (!parameters_.ideal && waiting_since_[request.slot] && !shuffler_.has_answer()) return;
    require_all_lanes(request);
    asking_ = Asking{request.slot, shuffler_.row_of(request.slot), request.now};
    shuffler_.control(request.slot);
    next_event_ = request.now;
    if (const auto control = shuffler_.answer()) {
      take_answer(*control);
      if (has_control_[request.slot]) request.answer = SchemeAnswer::keep;
      return;
    }
  }
  // The answer to the rdctrl in progress is known at the end of its last cycle. Without one, the block has not started.
  const Cycle latency = parameters_.ideal ? 0 : parameters_.control_latency;
  const Cycle answered = asking_ ? asking_->since + latency : request.now;
  request.until = std::max(answered, request.now) + 1;
}

template <typename Shuffler>
void DynamicRayShufflingBy<Shuffler>::issued(SchemeRequest& request) {
  has_control_[request.slot] = false;
  if (kernel::uses_registers(*program_, *request.instruction)) return;
  next_event_ = request.now;
  const LaneWords states = read(request.slot, kernel::Bank::special, ray_state_row);
  RayStates reported;
  for_each_lane(request.lanes, [&](unsigned lane) {
    reported.replace(lane_bit(lane), uniform_row(static_cast<RayState>(states[lane])));
  });
  if (shuffler_.row_of(request.slot)) shuffler_.report(request.slot, request.lanes, reported);
}

template <typename Shuffler>
void DynamicRayShufflingBy<Shuffler>::take_answer(const RayControl& control) {
  const auto [slot, had, since] = *asking_;
  asking_.reset();
  const bool row = control.answer == RayControl::Answer::row;
  const bool keeps = row && had == control.row;
  if (observer_ != nullptr) {
    observer_->row_taken({observed_sm_, slot, row ? std::optional(std::size_t{control.row}) : std::nullopt});
  }
  if (had && !keeps) {
    for (std::size_t i = 0; i < registers_.size(); ++i) rows_.at(*had, i) = read_register(slot, i);
  }
  const Cycle stalled = waiting_since_[slot].value_or(since);
  if (control.answer == RayControl::Answer::stall) {
    waiting_since_[slot] = stalled;
    return;
  }
  statistics_.waiting_cycles += since - stalled;
  waiting_since_[slot].reset();
  has_control_[slot] = true;
  if (row && !keeps) {
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
  if (const auto control = shuffler_.answer(); control && asking_) take_answer(*control);
  const auto write = shuffler_.write();
  const auto read = shuffler_.read();
  const bool writes = granted(write, now);
  const bool reads = granted(read, now);
  if (observer_ != nullptr && writes) observer_->row_accessed({observed_sm_, true, write->row, now});
  if (observer_ != nullptr && reads) observer_->row_accessed({observed_sm_, false, read->row, now});
  shuffler_.step({reads, writes}, rows_);
  next_event_ = shuffler_.idle() ? never : now + 1;
  if (!shuffler_.has_answer()) return;
  RetryRequest retry;
  retry.cycle = now + 1;
  send(retries, retry);
}

}  // namespace reconverge

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Dynamic ray shuffling at its pins: the model, and in every cycle what goes into the block and what has to come out
/// of it, words of the swaps included. Stands where the model stands.

#include <array>
#include <boost/circular_buffer.hpp>
#include <optional>
#include <span>
#include <utility>

#include "models/cosim/dynamic_ray_shuffling/pin_values.hpp"
#include "models/cosim/twin/probe.hpp"
#include "models/schemes/dynamic_ray_shuffling/ray_shuffler.hpp"

namespace reconverge {

/// `Partner`: made of parameters, warps and width, for each launch; its `cycle(inputs, outputs)` sees each cycle.
template <typename Partner>
class Pins {
 public:
  /// As RayShuffler.
  Pins(const char* name, const DynamicRayShufflingParameters& parameters,
       DynamicRayShufflingStatistics* statistics = nullptr)
      : parameters_(parameters), model_(name, parameters, statistics) {
    for (auto& held : held_) held.set_capacity(parameters.swap_buffers / shuffle_units);
  }

  void begin(std::size_t warps, unsigned width = warp_size) {
    model_.begin(warps, width);
    partner_.emplace(parameters_, warps, width);
    if constexpr (requires(twin::Signals & signals) { partner_->show(signals); }) probe_.watch(*partner_);
    for (auto& held : held_) held.clear();
    inputs_ = {};
    outputs_ = {};
    cycles_ = 0;
  }

  std::size_t rows() const { return model_.rows(); }
  const RayStateTable& table() const { return model_.table(); }
  const WarpRenaming& renaming() const { return model_.renaming(); }
  std::optional<std::size_t> row_of(std::size_t warp) { return model_.row_of(warp); }
  const DynamicRayShufflingStatistics& statistics() const { return model_.statistics(); }
  std::optional<RegisterAccess> read(std::size_t unit) const { return model_.read(unit); }
  std::optional<RegisterAccess> write(std::size_t unit) const { return model_.write(unit); }
  bool idle() const { return model_.idle(); }
  bool has_answer() { return model_.has_answer(); }
  const RayShuffler& model() const { return model_; }
  std::uint64_t cycles() const { return cycles_; }
  Partner& partner() { return *partner_; }

  RayControl control(std::size_t warp) {
    inputs_.control_valid = true;
    inputs_.control_warp = warp;
    return outputs_.control = model_.control(warp);
  }

  void report(std::size_t warp, LaneMask lanes, const RayStates& states) {
    inputs_.report_valid = true;
    inputs_.report_warp = warp;
    inputs_.report_lanes = lanes;
    inputs_.report_states = states;
    model_.report(warp, lanes, states);
  }

  /// Ends the cycle. `rows`: what the registers of rays hold. Returns the swaps that it completed.
  std::span<const RaySwap> step(const RegisterGrants& grants, RayRows& rows) {
    inputs_.grants = grants;
    outputs_.idle = model_.idle();
    outputs_.has_answer = model_.has_answer();
    for (std::size_t unit = 0; unit < shuffle_units; ++unit) look_at(unit, rows);
    partner_->cycle(inputs_, outputs_);
    for (std::size_t unit = 0; unit < shuffle_units; ++unit) move_words(unit);
    inputs_.control_valid = false;
    inputs_.report_valid = false;
    outputs_.control = {};
    ++cycles_;
    const std::span<const RaySwap> swaps = model_.step(grants);
    for (const RaySwap& swap : swaps) rows.exchange(swap);
    return swaps;
  }

 private:
  void look_at(std::size_t unit, const RayRows& rows) {
    const auto read = outputs_.read[unit] = model_.read(unit);
    if (read && inputs_.grants.read[unit]) inputs_.read_words[unit] = rows.at(read->row, read->ray_register);
    const auto write = outputs_.write[unit] = model_.write(unit);
    if (!write) return;
    const std::uint32_t* word = held_[unit].front().words.data();
    for_each_lane(write->lanes, [&](unsigned lane) { outputs_.write_words[unit][lane] = *word++; });
  }

  /// What buffers hold from now on, without gaps.
  void move_words(std::size_t unit) {
    if (inputs_.grants.write[unit]) held_[unit].pop_front();
    if (!inputs_.grants.read[unit]) return;
    held_[unit].push_back();
    std::uint32_t* word = held_[unit].back().words.data();
    for_each_lane(outputs_.read[unit]->lanes, [&](unsigned lane) { *word++ = inputs_.read_words[unit][lane]; });
  }

  DynamicRayShufflingParameters parameters_;
  RayShuffler model_;
  twin::Probe probe_;
  std::optional<Partner> partner_;
  std::array<boost::circular_buffer<LaneWords>, shuffle_units> held_;  // words that were read and not yet written
  PinInputs inputs_;
  PinOutputs outputs_;
  std::uint64_t cycles_ = 0;
};

}  // namespace reconverge

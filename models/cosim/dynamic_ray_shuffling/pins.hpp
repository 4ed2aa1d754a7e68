// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Dynamic ray shuffling at its pins: the model, and a partner that gets the inputs and the expected outputs of every
/// cycle, including the words of swaps. Has the functions of the model.

#include <boost/circular_buffer.hpp>
#include <optional>
#include <span>

#include "models/cosim/dynamic_ray_shuffling/pin_values.hpp"
#include "models/cosim/twin/probe.hpp"
#include "models/schemes/dynamic_ray_shuffling/ray_shuffler.hpp"

namespace reconverge {

/// `Partner`: made from parameters, warps and width for each launch; its `cycle(inputs, outputs)` is called in each
/// cycle.
template <typename Partner>
class Pins {
 public:
  /// Arguments as for RayShuffler.
  Pins(const char* name, const DynamicRayShufflingParameters& parameters,
       DynamicRayShufflingStatistics* statistics = nullptr)
      : parameters_(parameters), model_(name, parameters, statistics) {
    held_.set_capacity(parameters.swap_buffers);
  }

  void begin(std::size_t warps, unsigned width = warp_size) {
    model_.begin(warps, width);
    partner_.emplace(parameters_, warps, width);
    if constexpr (requires(twin::Signals & signals) { partner_->show(signals); }) probe_.watch(*partner_);
    held_.clear();
    inputs_ = {};
    outputs_ = {};
    cycles_ = 0;
  }

  std::size_t rows() const { return model_.rows(); }
  const RayStateTable& table() const { return model_.table(); }
  const WarpRenaming& renaming() const { return model_.renaming(); }
  const ShuffleControl& shuffle_control() const { return model_.shuffle_control(); }
  std::optional<std::size_t> row_of(std::size_t warp) { return model_.row_of(warp); }
  const DynamicRayShufflingStatistics& statistics() const { return model_.statistics(); }
  bool takes_control() const { return model_.takes_control(); }
  bool takes_report() const { return model_.takes_report(); }
  std::optional<RayControl> answer() const { return model_.answer(); }
  std::optional<RegisterAccess> read() const { return model_.read(); }
  std::optional<RegisterAccess> write() const { return model_.write(); }
  bool idle() const { return model_.idle(); }
  bool has_answer() const { return model_.has_answer(); }
  const RayShuffler& model() const { return model_; }
  std::uint64_t cycles() const { return cycles_; }
  Partner& partner() { return *partner_; }

  void control(std::size_t warp) {
    inputs_.control_valid = true;
    inputs_.control_warp = warp;
    model_.control(warp);
  }

  void report(std::size_t warp, LaneMask lanes, const RayStates& states) {
    inputs_.report_valid = true;
    inputs_.report_warp = warp;
    inputs_.report_lanes = lanes;
    inputs_.report_states = states;
    model_.report(warp, lanes, states);
  }

  /// Ends the cycle. `rows`: the contents of the rays' registers. Returns the swaps that it completed.
  std::span<const RaySwap> step(const RegisterGrants& grants, RayRows& rows) {
    inputs_.grants = grants;
    look(rows);
    partner_->cycle(inputs_, outputs_);
    move_words();
    inputs_.control_valid = false;
    inputs_.report_valid = false;
    ++cycles_;
    const std::span<const RaySwap> swaps = model_.step(grants);
    for (const RaySwap& swap : swaps) rows.exchange(swap);
    return swaps;
  }

 private:
  void look(const RayRows& rows) {
    // The model has already accepted its inputs; the pins stay ready until the cycle ends.
    outputs_.control_ready = inputs_.control_valid || model_.takes_control();
    outputs_.report_ready = inputs_.report_valid || model_.takes_report();
    const auto answer = model_.answer();
    outputs_.answer_valid = answer.has_value();
    outputs_.answer = answer.value_or(RayControl());
    outputs_.idle = model_.idle();
    outputs_.has_answer = model_.has_answer();
    const auto read = outputs_.read = model_.read();
    if (read && inputs_.grants.read) inputs_.read_words = rows.at(read->row, read->ray_register);
    const auto write = outputs_.write = model_.write();
    if (!write) return;
    const std::uint32_t* word = held_.front().words.data();
    for_each_lane(write->lanes, [&](unsigned lane) { outputs_.write_words[lane] = *word++; });
  }

  /// Moves packed words out of and into the buffers.
  void move_words() {
    if (inputs_.grants.write) held_.pop_front();
    if (!inputs_.grants.read) return;
    held_.push_back();
    std::uint32_t* word = held_.back().words.data();
    for_each_lane(outputs_.read->lanes, [&](unsigned lane) { *word++ = inputs_.read_words[lane]; });
  }

  DynamicRayShufflingParameters parameters_;
  RayShuffler model_;
  twin::Probe probe_;
  std::optional<Partner> partner_;
  boost::circular_buffer<LaneWords> held_;  // words that were read and not yet written
  PinInputs inputs_;
  PinOutputs outputs_;
  std::uint64_t cycles_ = 0;
};

}  // namespace reconverge

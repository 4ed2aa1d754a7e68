#pragma once
/// Dynamic ray shuffling at its pins: the model, and in every cycle what goes into the block and what has to come out
/// of it, words of the swaps included. Stands where the model stands.

#include <array>
#include <deque>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "models/dynamic_ray_shuffling/ray_shuffler.hpp"

namespace reconverge {

/// A word for each lane.
using LaneWords = std::array<std::uint32_t, warp_size>;

struct PinInputs {
  bool control_valid = false;
  std::size_t control_warp = 0;
  bool report_valid = false;
  std::size_t report_warp = 0;
  LaneMask report_lanes = 0;
  RayStates report_states;
  RegisterGrants grants;
  std::array<LaneWords, shuffle_units> read_words{};  ///< of granted reads
};

struct PinOutputs {
  RayControl control;
  bool idle = false;
  std::array<std::optional<RegisterAccess>, shuffle_units> read;
  std::array<std::optional<RegisterAccess>, shuffle_units> write;
  std::array<LaneWords, shuffle_units> write_words{};  ///< of the lanes that are written
};

/// `Partner`: made from parameters, warps and width; its `cycle(inputs, outputs)` sees each cycle.
template <typename Partner>
class Pins {
 public:
  Pins(const DynamicRayShufflingParameters& parameters, std::size_t warps, unsigned width)
      : model_(parameters, warps, width), partner_(parameters, warps, width), width_(width) {
    for (std::uint32_t ray = 0; ray < model_.rows() * width; ++ray) rays_.push_back(ray);
  }

  std::size_t rows() const { return model_.rows(); }
  const RayStateTable& table() const { return model_.table(); }
  const WarpRenaming& renaming() const { return model_.renaming(); }
  const DynamicRayShufflingStatistics& statistics() const { return model_.statistics(); }
  std::optional<RegisterAccess> read(std::size_t unit) const { return model_.read(unit); }
  std::optional<RegisterAccess> write(std::size_t unit) const { return model_.write(unit); }
  std::uint64_t cycles() const { return cycles_; }
  Partner& partner() { return partner_; }

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

  std::span<const RaySwap> step(const RegisterGrants& grants) {
    inputs_.grants = grants;
    outputs_.idle = model_.idle();
    for (std::size_t unit = 0; unit < shuffle_units; ++unit) look_at(unit);
    partner_.cycle(inputs_, outputs_);
    for (std::size_t unit = 0; unit < shuffle_units; ++unit) move_words(unit);
    inputs_.control_valid = false;
    inputs_.report_valid = false;
    outputs_.control = {};
    ++cycles_;
    const std::span<const RaySwap> swaps = model_.step(grants);
    for (const RaySwap& swap : swaps) exchange(swap);
    return swaps;
  }

 private:
  /// What a register of a ray holds: another word for each.
  static std::uint32_t word_of(std::uint32_t ray, std::size_t ray_register) {
    return (ray * 64 + static_cast<std::uint32_t>(ray_register)) * 0x9e37'79b1U;
  }
  std::uint32_t& ray(std::size_t row, unsigned lane) { return rays_[row * width_ + lane]; }

  void look_at(std::size_t unit) {
    const auto read = outputs_.read[unit] = model_.read(unit);
    if (read && inputs_.grants.read[unit]) {
      for (unsigned lane = 0; lane < width_; ++lane) {
        inputs_.read_words[unit][lane] = word_of(ray(read->row, lane), read->ray_register);
      }
    }
    const auto write = outputs_.write[unit] = model_.write(unit);
    if (!write) return;
    const std::uint32_t* word = held_[unit].front().data();
    for_each_lane(write->lanes, [&](unsigned lane) { outputs_.write_words[unit][lane] = *word++; });
  }

  /// What buffers hold from now on, without gaps.
  void move_words(std::size_t unit) {
    if (inputs_.grants.write[unit]) held_[unit].pop_front();
    if (!inputs_.grants.read[unit]) return;
    std::uint32_t* word = held_[unit].emplace_back().data();
    for_each_lane(outputs_.read[unit]->lanes, [&](unsigned lane) { *word++ = inputs_.read_words[unit][lane]; });
  }

  void exchange(const RaySwap& swap) {
    for (LaneMask from = swap.source_lanes, to = swap.destination_lanes; from != 0; from &= from - 1, to &= to - 1) {
      std::swap(ray(swap.source, first_lane(from)), ray(swap.destination, first_lane(to)));
    }
  }

  RayShuffler model_;
  Partner partner_;
  unsigned width_;
  std::vector<std::uint32_t> rays_;                        // by row and lane
  std::array<std::deque<LaneWords>, shuffle_units> held_;  // words that were read and not yet written
  PinInputs inputs_;
  PinOutputs outputs_;
  std::uint64_t cycles_ = 0;
};

}  // namespace reconverge

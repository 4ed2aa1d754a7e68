#pragma once
/// The model of dynamic ray shuffling with its RTL beside it: the same inputs in every cycle, and every output
/// compared. Stands where the model stands.

#include <fmt/format.h>

#include <array>
#include <bit>
#include <concepts>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/dynamic_ray_shuffling/ray_shuffler.hpp"

namespace reconverge {

/// Ports of Verilator's classes: integers up to 64 bits, arrays of words beyond.
namespace ports {

template <typename Port>
std::uint64_t get(const Port& port, unsigned low, unsigned width) {
  const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  if constexpr (std::integral<Port>) {
    return port >> low & mask;
  } else {
    std::uint64_t words = port[low / 32];
    if (low % 32 + width > 32) words |= std::uint64_t{port[low / 32 + 1]} << 32U;
    return words >> low % 32 & mask;  // fields are 32 bits at most
  }
}

}  // namespace ports

/// Model and RTL differ.
class LockStepDifference : public std::runtime_error {
 public:
  using runtime_error::runtime_error;
};

/// `Rtl`: what Verilator made of rtl/dynamic_ray_shuffling with the same parameters.
template <typename Rtl>
class LockStep {
 public:
  LockStep(const DynamicRayShufflingParameters& parameters, std::size_t warps, unsigned width)
      : model_(parameters, warps, width), rtl_(std::make_unique<Rtl>()), width_(width) {
    row_width_ = static_cast<unsigned>(std::bit_width(model_.rows() - 1));
    register_width_ = static_cast<unsigned>(std::bit_width(parameters.ray_registers - 1));
    for (std::uint32_t ray = 0; ray < model_.rows() * width; ++ray) rays_.push_back(ray);
    reset();
  }

  std::size_t rows() const { return model_.rows(); }
  const RayStateTable& table() const { return model_.table(); }
  const WarpRenaming& renaming() const { return model_.renaming(); }
  const DynamicRayShufflingStatistics& statistics() const { return model_.statistics(); }
  std::optional<RegisterAccess> read(std::size_t unit) const { return model_.read(unit); }
  std::optional<RegisterAccess> write(std::size_t unit) const { return model_.write(unit); }
  std::uint64_t cycles() const { return cycle_; }
  Rtl& rtl() { return *rtl_; }

  RayControl control(std::size_t warp) {
    rtl_->control_valid_i = 1;
    rtl_->control_warp_i = static_cast<std::uint8_t>(warp);
    return expected_ = model_.control(warp);
  }

  void report(std::size_t warp, LaneMask lanes, const RayStates& states) {
    rtl_->report_valid_i = 1;
    rtl_->report_warp_i = static_cast<std::uint8_t>(warp);
    set(rtl_->report_lanes_i, lanes);
    set(rtl_->report_high_i, states.high);
    set(rtl_->report_low_i, states.low);
    model_.report(warp, lanes, states);
  }

  std::span<const RaySwap> step(const RegisterGrants& grants) {
    rtl_->read_grant_i = bits_of(grants.read);
    rtl_->write_grant_i = bits_of(grants.write);
    for (unsigned unit = 0; unit < shuffle_units; ++unit) {
      if (grants.read[unit]) give_words(unit);
    }
    rtl_->eval();
    compare_outputs();
    for (unsigned unit = 0; unit < shuffle_units; ++unit) {
      if (grants.write[unit]) held_[unit].pop_front();
      if (grants.read[unit]) hold_words(unit);
    }
    rtl_->clk_i = 1;
    rtl_->eval();
    rtl_->clk_i = 0;
    rtl_->control_valid_i = 0;
    rtl_->report_valid_i = 0;
    expected_ = {};
    ++cycle_;
    const std::span<const RaySwap> swaps = model_.step(grants);
    for (const RaySwap& swap : swaps) exchange(swap);
    return swaps;
  }

 private:
  using Words = std::array<std::uint32_t, warp_size>;

  /// What a register of a ray holds: another word for each.
  static std::uint32_t word_of(std::uint32_t ray, std::size_t ray_register) {
    return (ray * 64 + static_cast<std::uint32_t>(ray_register)) * 0x9e37'79b1U;
  }
  std::uint32_t& ray(std::size_t row, unsigned lane) { return rays_[row * width_ + lane]; }

  /// The register file's answer to a read.
  void give_words(unsigned unit) {
    const RegisterAccess access = *model_.read(unit);
    for (unsigned lane = 0; lane < width_; ++lane) {
      rtl_->read_words_i[unit * width_ + lane] = word_of(ray(access.row, lane), access.ray_register);
    }
  }

  /// What a buffer holds from now on.
  void hold_words(unsigned unit) {
    const RegisterAccess access = *model_.read(unit);
    Words& words = held_[unit].emplace_back();
    std::size_t count = 0;
    for_each_lane(access.lanes,
                  [&](unsigned lane) { words[count++] = word_of(ray(access.row, lane), access.ray_register); });
  }

  void exchange(const RaySwap& swap) {
    for (LaneMask from = swap.source_lanes, to = swap.destination_lanes; from != 0; from &= from - 1, to &= to - 1) {
      std::swap(ray(swap.source, first_lane(from)), ray(swap.destination, first_lane(to)));
    }
  }

  LaneMask all() const { return width_ == warp_size ? all_lanes : lane_bit(width_) - 1; }
  template <typename Port>
  void set(Port& port, LaneMask lanes) {
    port = static_cast<Port>(lanes & all());
  }
  static std::uint8_t bits_of(const std::array<bool, shuffle_units>& flags) {
    unsigned bits = 0;
    for (std::size_t unit = 0; unit < shuffle_units; ++unit) bits |= unsigned{flags[unit]} << unit;
    return static_cast<std::uint8_t>(bits);
  }

  void reset() {
    for (const std::uint8_t level : {1, 0, 1}) {
      rtl_->rst_ni = level;
      for (const std::uint8_t clock : {0, 1, 0}) {
        rtl_->clk_i = clock;
        rtl_->eval();
      }
    }
  }

  void compare(const char* port, std::uint64_t model, std::uint64_t rtl) const {
    if (model == rtl) return;
    throw LockStepDifference(
        fmt::format("cycle {}: {} is {:#x} in the model and {:#x} in RTL; rdctrl {} of warp {}, "
                    "report {} of warp {}",
                    cycle_, port, model, rtl, rtl_->control_valid_i, rtl_->control_warp_i, rtl_->report_valid_i,
                    rtl_->report_warp_i));
  }

  void compare_outputs() const {
    compare("control_answer_o", static_cast<std::uint64_t>(expected_.answer), rtl_->control_answer_o);
    compare("control_row_o", expected_.row, rtl_->control_row_o);
    compare("control_high_o", expected_.states.high & all(), rtl_->control_high_o);
    compare("control_low_o", expected_.states.low & all(), rtl_->control_low_o);
    compare("idle_o", model_.idle() ? 1 : 0, rtl_->idle_o);
    for (unsigned unit = 0; unit < shuffle_units; ++unit) {
      const auto read = model_.read(unit);
      const auto write = model_.write(unit);
      compare("read_valid_o", read ? 1 : 0, rtl_->read_valid_o >> unit & 1U);
      compare("write_valid_o", write ? 1 : 0, rtl_->write_valid_o >> unit & 1U);
      if (read) {
        compare("read_row_o", read->row, field(rtl_->read_row_o, unit, row_width_));
        compare("read_register_o", read->ray_register, field(rtl_->read_register_o, unit, register_width_));
        compare("read_lanes_o", read->lanes, field(rtl_->read_lanes_o, unit, width_));
      }
      if (write) {
        compare("write_row_o", write->row, field(rtl_->write_row_o, unit, row_width_));
        compare("write_register_o", write->ray_register, field(rtl_->write_register_o, unit, register_width_));
        compare("write_lanes_o", write->lanes, field(rtl_->write_lanes_o, unit, width_));
        std::size_t count = 0;
        for_each_lane(write->lanes, [&](unsigned lane) {
          compare("write_words_o", held_[unit].front()[count++], rtl_->write_words_o[unit * width_ + lane]);
        });
      }
    }
  }

  template <typename Port>
  static std::uint64_t field(const Port& port, unsigned unit, unsigned width) {
    return ports::get(port, unit * width, width);
  }

  RayShuffler model_;
  std::unique_ptr<Rtl> rtl_;
  unsigned width_;
  unsigned row_width_;
  unsigned register_width_;
  std::uint64_t cycle_ = 0;
  std::vector<std::uint32_t> rays_;                    // by row and lane
  std::array<std::deque<Words>, shuffle_units> held_;  // words that were read and not yet written, without gaps
  RayControl expected_;
};

}  // namespace reconverge

#pragma once
/// The model of dynamic ray shuffling with its RTL beside it: the same inputs in every cycle, and every output
/// compared.

#include <fmt/format.h>

#include <bit>
#include <concepts>
#include <memory>
#include <stdexcept>

#include "testbenches/dynamic_ray_shuffling/pins.hpp"

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
class ComparedRtl {
 public:
  ComparedRtl(const DynamicRayShufflingParameters& parameters, std::size_t warps, unsigned width)
      : rtl_(std::make_unique<Rtl>()),
        width_(width),
        row_width_(static_cast<unsigned>(std::bit_width(warps + parameters.backup_rows + 1))),
        register_width_(static_cast<unsigned>(std::bit_width(parameters.ray_registers - 1))) {
    for (const std::uint8_t level : {1, 0, 1}) {
      rtl_->rst_ni = level;
      for (const std::uint8_t clock : {0, 1, 0}) {
        rtl_->clk_i = clock;
        rtl_->eval();
      }
    }
  }

  Rtl& rtl() { return *rtl_; }

  /// Throws LockStepDifference.
  void cycle(const PinInputs& inputs, const PinOutputs& expected) {
    drive(inputs);
    rtl_->eval();
    compare(expected);
    rtl_->clk_i = 1;
    rtl_->eval();
    rtl_->clk_i = 0;
    ++cycle_;
  }

 private:
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

  void drive(const PinInputs& inputs) {
    rtl_->control_valid_i = inputs.control_valid ? 1 : 0;
    rtl_->control_warp_i = static_cast<std::uint8_t>(inputs.control_warp);
    rtl_->report_valid_i = inputs.report_valid ? 1 : 0;
    rtl_->report_warp_i = static_cast<std::uint8_t>(inputs.report_warp);
    set(rtl_->report_lanes_i, inputs.report_lanes);
    set(rtl_->report_high_i, inputs.report_states.high);
    set(rtl_->report_low_i, inputs.report_states.low);
    rtl_->read_grant_i = bits_of(inputs.grants.read);
    rtl_->write_grant_i = bits_of(inputs.grants.write);
    for (std::size_t unit = 0; unit < shuffle_units; ++unit) {
      if (!inputs.grants.read[unit]) continue;
      for (unsigned lane = 0; lane < width_; ++lane) {
        rtl_->read_words_i[unit * width_ + lane] = inputs.read_words[unit][lane];
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

  void compare(const PinOutputs& expected) const {
    compare("control_answer_o", static_cast<std::uint64_t>(expected.control.answer), rtl_->control_answer_o);
    compare("control_row_o", expected.control.row, rtl_->control_row_o);
    compare("control_high_o", expected.control.states.high & all(), rtl_->control_high_o);
    compare("control_low_o", expected.control.states.low & all(), rtl_->control_low_o);
    compare("idle_o", expected.idle ? 1 : 0, rtl_->idle_o);
    for (unsigned unit = 0; unit < shuffle_units; ++unit) {
      const auto& read = expected.read[unit];
      const auto& write = expected.write[unit];
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
        for_each_lane(write->lanes, [&](unsigned lane) {
          compare("write_words_o", expected.write_words[unit][lane], rtl_->write_words_o[unit * width_ + lane]);
        });
      }
    }
  }

  template <typename Port>
  static std::uint64_t field(const Port& port, unsigned unit, unsigned width) {
    return ports::get(port, unit * width, width);
  }

  std::unique_ptr<Rtl> rtl_;
  unsigned width_;
  unsigned row_width_;
  unsigned register_width_;
  std::uint64_t cycle_ = 0;
};

template <typename Rtl>
using LockStep = Pins<ComparedRtl<Rtl>>;

}  // namespace reconverge

#pragma once
/// What Verilator made of rtl/dynamic_ray_shuffling, at its pins.

#include <verilated.h>
#include <verilated_save.h>
#include <verilated_vcd_c.h>

#include <bit>
#include <concepts>
#include <cstring>

#include "models/core/lane_mask.hpp"
#include "models/dynamic_ray_shuffling/twin/rtl_block.hpp"

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

/// Verilator's streams, in memory.
namespace streams {

class Save final : public VerilatedSerialize {
 public:
  explicit Save(RtlState& state) : state_(state) { m_isOpen = true; }
  void flush() override {
    state_.insert(state_.end(), m_bufp, m_cp);
    m_cp = m_bufp;
  }

 private:
  RtlState& state_;
};

class Restore final : public VerilatedDeserialize {
 public:
  explicit Restore(const RtlState& state) : left_(state) {
    m_isOpen = true;
    m_endp = m_bufp;
  }
  void fill() override {
    const auto rest = static_cast<std::size_t>(m_endp - m_cp);
    std::memmove(m_bufp, m_cp, rest);
    const std::size_t more = std::min(left_.size(), bufferSize() - rest);
    std::memcpy(m_bufp + rest, left_.data(), more);
    left_ = left_.subspan(more);
    m_cp = m_bufp;
    m_endp = m_bufp + rest + more;
  }

 private:
  std::span<const std::uint8_t> left_;
};

class Waveform final : public VerilatedVcdFile {
 public:
  bool open(const std::string& /*name*/) override { return true; }
  void close() override {}
  ssize_t write(const char* bytes, ssize_t count) override {
    text_.append(bytes, static_cast<std::size_t>(count));
    return count;
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace streams

template <typename Rtl>
class VerilatedBlock final : public RtlBlock {
 public:
  VerilatedBlock(const DynamicRayShufflingParameters& parameters, std::size_t warps, unsigned width)
      : VerilatedBlock(static_cast<unsigned>(std::bit_width(warps + parameters.backup_rows + 1)),
                       static_cast<unsigned>(std::bit_width(parameters.ray_registers - 1)), width) {
    for (const std::uint8_t level : {1, 0, 1}) {
      rtl_->rst_ni = level;
      for (const std::uint8_t clock : {0, 1, 0}) {
        rtl_->clk_i = clock;
        rtl_->eval();
      }
    }
  }

  /// The names of assertions leave the context of the thread, which must be this one.
  ~VerilatedBlock() override { Verilated::threadContextp(context_.get()); }

  /// For what a configuration may have beyond its pins.
  Rtl& rtl() { return *rtl_; }

  const PinOutputs& settle(const PinInputs& inputs) override {
    drive(inputs);
    rtl_->eval();
    return look();
  }

  void clock() override {
    rtl_->clk_i = 1;
    rtl_->eval();
    rtl_->clk_i = 0;
  }

  const PinOutputs& look() override {
    outputs_.control.answer = static_cast<RayControl::Answer>(rtl_->control_answer_o);
    outputs_.control.row = rtl_->control_row_o;
    outputs_.control.states = {rtl_->control_high_o, rtl_->control_low_o};
    outputs_.idle = rtl_->idle_o != 0;
    outputs_.has_answer = rtl_->has_answer_o != 0;
    for (unsigned unit = 0; unit < shuffle_units; ++unit) {
      outputs_.read[unit] =
          access(unit, rtl_->read_valid_o, rtl_->read_row_o, rtl_->read_register_o, rtl_->read_lanes_o);
      const auto write = outputs_.write[unit] =
          access(unit, rtl_->write_valid_o, rtl_->write_row_o, rtl_->write_register_o, rtl_->write_lanes_o);
      if (!write) continue;
      for_each_lane(write->lanes, [&](unsigned lane) {
        outputs_.write_words[unit][lane] = rtl_->write_words_o[unit * width_ + lane];
      });
    }
    return outputs_;
  }

  RtlState save() const override {
    RtlState state;
    streams::Save stream(state);
    stream << *rtl_;
    stream.flush();
    return state;
  }

  std::string waveform(const RtlState& state, std::span<const PinInputs> inputs, std::size_t skipped) const override {
    VerilatedBlock again(row_width_, register_width_, width_);
    streams::Restore stream(state);
    stream >> *again.rtl_;
    again.context_->traceEverOn(true);  // is a part of the state
    streams::Waveform file;
    VerilatedVcdC trace(&file);
    again.rtl_->trace(&trace, 99);
    trace.open("");
    try {
      for (std::size_t cycle = 0; cycle < inputs.size(); ++cycle) {
        const auto dump = [&](unsigned part) {
          if (cycle >= skipped) trace.dump(10 * cycle + part);
        };
        again.drive(inputs[cycle]);
        again.rtl_->eval();
        dump(0);
        again.clock();
        dump(5);
      }
    } catch (const RtlAssertion&) {
      // As it did before.
    }
    trace.close();
    return file.take();
  }

 private:
  VerilatedBlock(unsigned row_width, unsigned register_width, unsigned width)
      : width_(width), row_width_(row_width), register_width_(register_width) {
    rtl_ = std::make_unique<Rtl>(context_.get(), "dynamic_ray_shuffling");
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

  template <typename Valid, typename Row, typename Register, typename Lanes>
  std::optional<RegisterAccess> access(unsigned unit, const Valid& valid, const Row& row, const Register& ray_register,
                                       const Lanes& lanes) const {
    if ((valid >> unit & 1U) == 0) return std::nullopt;
    return RegisterAccess{ports::get(row, unit * row_width_, row_width_),
                          ports::get(ray_register, unit * register_width_, register_width_),
                          static_cast<LaneMask>(ports::get(lanes, unit * width_, width_))};
  }

  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<Rtl> rtl_;
  unsigned width_;
  unsigned row_width_;
  unsigned register_width_;
  PinOutputs outputs_;
};

template <typename Rtl, std::size_t warps, std::size_t backup_rows, std::size_t swap_buffers, std::size_t ray_registers>
std::unique_ptr<RtlBlock> make_verilated() {
  DynamicRayShufflingParameters parameters;
  parameters.backup_rows = backup_rows;
  parameters.swap_buffers = swap_buffers;
  parameters.ray_registers = ray_registers;
  return std::make_unique<VerilatedBlock<Rtl>>(parameters, warps, warp_size);
}

}  // namespace reconverge

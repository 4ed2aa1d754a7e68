// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A block's RTL compiled by Verilator, at its pins. By the conventions of rtl/, the clock is clk_i and the reset,
/// active low, is rst_ni.

#include <memory>
#include <type_traits>

#include "models/cosim/twin/lock_step_difference.hpp"
#include "models/cosim/twin/verilated_streams.hpp"

namespace reconverge::twin {

/// `Class`: Verilator's.
template <typename Ports, typename Class>
class Verilated : public Rtl<Ports> {
 public:
  using typename Rtl<Ports>::Inputs;
  using typename Rtl<Ports>::Outputs;
  using Shape = typename Ports::Shape;

  /// Starts in the first cycle after reset: no clock edge follows the reset.
  explicit Verilated(const Shape& shape) : Verilated(shape, Unreset()) {
    for (const std::uint8_t level : {1, 0}) {
      rtl_->rst_ni = level;
      for (const std::uint8_t clock : {0, 1, 0}) {
        rtl_->clk_i = clock;
        rtl_->eval();
      }
    }
    rtl_->rst_ni = 1;
    rtl_->eval();
  }

  /// Verilator's class removes the names of its assertions from the thread's context, which must be this one.
  ~Verilated() override { ::Verilated::threadContextp(context_.get()); }

  /// For members of a configuration that are not ports.
  Class& rtl() { return *rtl_; }

  const Outputs& settle(const Inputs& inputs) final {
    drive(inputs);
    rtl_->eval();
    return look();
  }

  std::optional<PortDifference> compare(const Inputs& inputs, const Outputs& expected) final {
    drive(inputs);
    rtl_->eval();
    std::optional<PortDifference> first;
    Ports::outputs(*rtl_, expected, shape_, [&](const Port& port, const auto& pin, const auto& value) {
      const std::uint64_t wanted = value_of(value) & bits(port.width);
      const std::uint64_t seen = get(pin, port);
      if (wanted != seen && !first) first = {port, wanted, seen};
    });
    return first;
  }

  void clock() final {
    dump(0);
    rtl_->clk_i = 1;
    rtl_->eval();
    dump(ticks_of_cycle / 2);
    rtl_->clk_i = 0;
    if (shown_) shown_->signals.end_cycle();
  }

  const Outputs& look() final {
    Ports::outputs(*rtl_, outputs_, shape_,
                   [](const Port& port, const auto& pin, auto& value) { assign(value, get(pin, port)); });
    return outputs_;
  }

  std::string show(Signals& signals) final {
    shown_ = std::make_unique<Shown>(signals);
    context_->traceEverOn(true);
    rtl_->trace(&shown_->trace, 99);
    shown_->trace.open("");
    shown_->trace.flush();
    return shown_->file.header();
  }

  void visit_ports(const Inputs& inputs, const Outputs& outputs,
                   const std::function<void(const Port&, std::uint64_t)>& visit) final {
    const auto see = [&](const Port& port, const auto& /*pin*/, const auto& value) { visit(port, value_of(value)); };
    Ports::inputs(*rtl_, inputs, shape_, see);
    Ports::outputs(*rtl_, outputs, shape_, see);
  }

  RtlState save() const final {
    RtlState state;
    SavingStream stream(state);
    stream << *rtl_;
    stream.flush();
    return state;
  }

  std::string waveform(const RtlState& state, std::span<const Inputs> inputs, std::size_t skipped) const final {
    Verilated again(shape_, Unreset());
    RestoringStream stream(state);
    stream >> *again.rtl_;
    again.context_->traceEverOn(true);  // is a part of the state
    WaveformText file;
    VerilatedVcdC trace(&file);
    again.rtl_->trace(&trace, 99);
    trace.open("");
    try {
      for (std::size_t cycle = 0; cycle < inputs.size(); ++cycle) {
        const auto dump = [&](unsigned part) {
          if (cycle >= skipped) trace.dump(ticks_of_cycle * cycle + part);
        };
        again.drive(inputs[cycle]);
        again.rtl_->eval();
        dump(0);
        again.clock();
        dump(ticks_of_cycle / 2);
      }
    } catch (const RtlAssertion&) {
      // It failed in the recorded run, too.
    }
    trace.close();
    return file.take();
  }

 private:
  /// Selects the constructor that does not reset.
  struct Unreset {};
  Verilated(const Shape& shape, Unreset /*state*/)
      : rtl_(std::make_unique<Class>(context_.get(), Ports::scope)), shape_(shape) {}

  /// The destination of recorded signals.
  struct Shown {
    explicit Shown(Signals& where) : signals(where), file(where), trace(&file) {}

    Signals& signals;
    SignalFile file;
    VerilatedVcdC trace;
  };

  void dump(std::uint64_t part) {
    if (shown_ && shown_->signals.shown()) shown_->trace.dump(ticks_of_cycle * shown_->signals.cycle() + part);
  }

  void drive(const Inputs& inputs) {
    Ports::inputs(*rtl_, inputs, shape_,
                  [](const Port& port, auto& pin, const auto& value) { set(pin, port, value_of(value)); });
  }

  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<Class> rtl_;
  std::unique_ptr<Shown> shown_;
  Shape shape_;
  Outputs outputs_;
};

/// RTL of these sizes, after reset. `Class`: Verilator's.
template <typename Ports, typename Class, auto... sizes>
std::unique_ptr<Rtl<Ports>> make_verilated() {
  return std::make_unique<Verilated<Ports, Class>>(Ports::shape_of({sizes...}));
}

}  // namespace reconverge::twin

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Lock step: compares every output of the RTL with the model's in every cycle. The caller drives the model.

#include <memory>
#include <optional>
#include <utility>

#include "models/cosim/twin/lock_step_difference.hpp"
#include "models/cosim/twin/recorder.hpp"

namespace reconverge::twin {

template <typename Ports>
class Compared {
 public:
  using Inputs = typename Ports::Inputs;
  using Outputs = typename Ports::Outputs;

  /// `rtl`: after reset, like the model.
  explicit Compared(std::unique_ptr<Rtl<Ports>> rtl) : rtl_(std::move(rtl)) {}

  Rtl<Ports>& rtl() { return *rtl_; }

  /// Records the signals of the RTL, and the ports with the model's values. `signals` must outlive this object.
  void show(Signals& signals) {
    signals_ = &signals;
    model_.emplace(signals, rtl_->show(signals));
  }

  /// Compares values that other values replace before the cycle ends. Throws LockStepDifference.
  void within(const Inputs& inputs, const Outputs& expected) {
    const auto difference = rtl_->compare(inputs, expected);
    if (!difference) return;
    recorder_.add(*rtl_, inputs);
    history_.add(cycle_, inputs, expected);
    fail(text_of(*difference, Ports::part), difference->port.part);
  }

  /// Runs a cycle with these inputs; `expected` is the model's outputs. Throws LockStepDifference.
  void cycle(const Inputs& inputs, const Outputs& expected) {
    recorder_.add(*rtl_, inputs);
    history_.add(cycle_, inputs, expected);
    if (const auto difference = rtl_->compare(inputs, expected)) {
      fail(text_of(*difference, Ports::part), difference->port.part);
    }
    if (model_ && signals_->shown()) {
      rtl_->visit_ports(inputs, expected, [this](const Port& port, std::uint64_t value) { model_->set(port, value); });
      model_->write();
    }
    try {
      rtl_->clock();
    } catch (const RtlAssertion& assertion) {
      fail(assertion.what(), std::nullopt);
    }
    ++cycle_;
  }

 private:
  [[noreturn]] void fail(const std::string& message, std::optional<unsigned> part) const {
    throw LockStepDifference(placed(Ports::block, cycle_, message + history_.text(part)), recorder_.waveform(*rtl_));
  }

  std::unique_ptr<Rtl<Ports>> rtl_;
  Recorder<Ports> recorder_;
  typename Ports::History history_;
  std::uint64_t cycle_ = 0;
  Signals* signals_ = nullptr;
  std::optional<PortSignals> model_;  // while signals are recorded
};

}  // namespace reconverge::twin

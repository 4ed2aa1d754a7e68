// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Lock step: an RTL beside its model, which somebody else drives; every output of every cycle is compared.

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

  /// `rtl`: as the model is, after reset.
  explicit Compared(std::unique_ptr<Rtl<Ports>> rtl) : rtl_(std::move(rtl)) {}

  Rtl<Ports>& rtl() { return *rtl_; }

  /// Shows the signals of the RTL, and the ports as the model has them. `signals` must outlive this object.
  void show(Signals& signals) {
    signals_ = &signals;
    model_.emplace(signals, rtl_->show(signals));
  }

  /// Something that goes into both within a cycle and gives way to something else before its end. Throws
  /// LockStepDifference.
  void within(const Inputs& inputs, const Outputs& expected) {
    const auto difference = rtl_->compare(inputs, expected);
    if (!difference) return;
    recorder_.add(*rtl_, inputs);
    history_.add(cycle_, inputs, expected);
    fail(text_of(*difference, Ports::part), difference->port.part);
  }

  /// What goes into both, and what comes out of the model. Throws LockStepDifference.
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
  std::optional<PortSignals> model_;  // while signals are shown
};

}  // namespace reconverge::twin

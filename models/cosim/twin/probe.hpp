// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Gives access to the signals of a block's twin: an object below the block in SystemC's hierarchy.

#include <functional>
#include <systemc>

#include "models/cosim/twin/signals.hpp"

namespace reconverge::twin {

class Probe : public sc_core::sc_object {
 public:
  Probe() : sc_object(sc_core::sc_gen_unique_name("signals")) {}

  /// Sets the twin, for example when a launch begins. It has `show(Signals&)` and must live until the next call.
  template <typename Twin>
  void watch(Twin& twin) {
    show_ = [&twin](Signals& signals) { twin.show(signals); };
    if (signals_ != nullptr) show_(*signals_);
  }

  /// Records the signals of all twins from now on. `signals` must outlive them.
  void connect(Signals& signals) {
    signals_ = &signals;
    if (show_) show_(signals);
  }

 private:
  std::function<void(Signals&)> show_;
  Signals* signals_ = nullptr;
};

}  // namespace reconverge::twin

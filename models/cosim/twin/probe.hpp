// SPDX-License-Identifier: Apache-2.0
#pragma once
/// An object below a block in SystemC's hierarchy that gives access to the signals of the block's twin.

#include <functional>
#include <systemc>

#include "models/cosim/twin/signals.hpp"

namespace reconverge::twin {

class Probe : public sc_core::sc_object {
 public:
  Probe() : sc_object(sc_core::sc_gen_unique_name("signals")) {}

  /// Sets the current twin, for example at the beginning of a launch. It must have `show(Signals&)` and must exist
  /// until
  /// the next call.
  template <typename Twin>
  void watch(Twin& twin) {
    show_ = [&twin](Signals& signals) { twin.show(signals); };
    if (signals_ != nullptr) show_(*signals_);
  }

  /// Records the signals of the current twin and of all later ones. `signals` must outlive them.
  void connect(Signals& signals) {
    signals_ = &signals;
    if (show_) show_(signals);
  }

 private:
  std::function<void(Signals&)> show_;
  Signals* signals_ = nullptr;
};

}  // namespace reconverge::twin

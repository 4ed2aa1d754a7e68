// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Where the signals of a block can be seen: an object in SystemC's hierarchy, below the block.

#include <functional>
#include <systemc>

#include "models/cosim/twin/signals.hpp"

namespace reconverge::twin {

class Probe : public sc_core::sc_object {
 public:
  Probe() : sc_object(sc_core::sc_gen_unique_name("signals")) {}

  /// There is a new twin, as at the beginning of a launch, which stays until the next call. It has `show(Signals&)`.
  template <typename Twin>
  void watch(Twin& twin) {
    show_ = [&twin](Signals& signals) { twin.show(signals); };
    if (signals_ != nullptr) show_(*signals_);
  }

  /// Shows all twins from now on. `signals` must outlive them.
  void connect(Signals& signals) {
    signals_ = &signals;
    if (show_) show_(signals);
  }

 private:
  std::function<void(Signals&)> show_;
  Signals* signals_ = nullptr;
};

}  // namespace reconverge::twin

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// SystemC supports one simulation per process. This class gives a scope a separate simulation, so that a program (a
/// test, a sweep) can elaborate several platforms in sequence.

#include <memory>
#include <systemc>

namespace reconverge {

/// Modules that are constructed in the lifetime of this object belong to it and must be destroyed first.
class SimulationContext {
 public:
  SimulationContext() : outer_(sc_core::sc_curr_simcontext), own_(std::make_unique<sc_core::sc_simcontext>()) {
    sc_core::sc_curr_simcontext = own_.get();
    sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  }
  ~SimulationContext() {
    own_.reset();
    sc_core::sc_curr_simcontext = outer_;
  }
  SimulationContext(const SimulationContext&) = delete;
  SimulationContext& operator=(const SimulationContext&) = delete;

 private:
  sc_core::sc_simcontext* outer_;
  std::unique_ptr<sc_core::sc_simcontext> own_;
};

}  // namespace reconverge

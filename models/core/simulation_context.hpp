#pragma once
/// SystemC keeps one simulation a process. This gives a scope a simulation of its own, so that a program (a test, a
/// sweep) can elaborate one platform after another.

#include <memory>
#include <systemc>

namespace reconverge {

/// Modules made in the lifetime of this object belong to it and must be gone before it is.
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

#pragma once
/// For benches that call modules without letting time pass.

#include <systemc>

namespace reconverge {

/// Ends the elaboration of the simulation: ports are bound, and modules can talk to each other.
inline void elaborate() {
  sc_core::sc_event begin;  // SystemC complains of a start with nothing to do
  begin.notify(sc_core::SC_ZERO_TIME);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
}

}  // namespace reconverge

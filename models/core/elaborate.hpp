// SPDX-License-Identifier: Apache-2.0
#pragma once
/// For tests that call modules without advancing time.

#include <systemc>

namespace reconverge {

/// Ends the elaboration of the simulation: ports are bound, and modules can call each other.
inline void elaborate() {
  sc_core::sc_event begin;  // SystemC complains of a start with nothing to do
  begin.notify(sc_core::SC_ZERO_TIME);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
}

}  // namespace reconverge

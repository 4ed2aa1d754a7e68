#pragma once
/// Between SystemC's time and the cycles of a block's clock: blocks of several clocks talk in times, and each acts at
/// the beginning of a cycle of its own.

#include <systemc>

#include "models/core/cycle.hpp"

namespace reconverge {

/// The first cycle of `clock` that begins `delay` from now or later.
inline Cycle cycle_from(const Clock& clock, const sc_core::sc_time& delay) {
  return clock.cycle_at(sc_core::sc_time_stamp() + delay);
}

/// From now to the beginning of `cycle`, which lies ahead.
inline sc_core::sc_time time_until(const Clock& clock, Cycle cycle) {
  return clock.time(cycle) - sc_core::sc_time_stamp();
}

}  // namespace reconverge

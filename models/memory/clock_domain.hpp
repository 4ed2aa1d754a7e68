#pragma once
/// Between SystemC's time and the cycles of a block's clock: blocks of several clocks talk in times, and each acts at
/// the beginning of a cycle of its own.

#include <systemc>

#include "models/core/cycle.hpp"

namespace reconverge {

/// The first cycle of `clock` that begins `delay` from now or later.
inline Cycle cycle_from(const Clock& clock, const sc_core::sc_time& delay) {
  const sc_core::sc_time time = sc_core::sc_time_stamp() + delay;
  const Cycle cycle = clock.cycles(time);
  return clock.time(cycle) < time ? cycle + 1 : cycle;
}

/// From now to the beginning of `cycle`, which lies ahead.
inline sc_core::sc_time time_until(const Clock& clock, Cycle cycle) {
  return clock.time(cycle) - sc_core::sc_time_stamp();
}

/// Wakes the process that is sensitive to `event` in the earliest cycle that was asked for.
class Alarm {
 public:
  sc_core::sc_event event;

  /// `cycle` begins now or later.
  void ring_at(const Clock& clock, Cycle cycle) {
    if (cycle >= due_) return;
    due_ = cycle;
    event.notify(time_until(clock, cycle));  // takes the place of a later one
  }
  /// For the process, when it was woken.
  void rang() { due_ = never; }

 private:
  Cycle due_ = never;
};

}  // namespace reconverge

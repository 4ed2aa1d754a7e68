#pragma once
/// Time in clock cycles, and its relation to SystemC's.

#include <cstdint>
#include <limits>
#include <systemc>

#include "models/core/divisor.hpp"

namespace reconverge {

using Cycle = std::uint64_t;
inline constexpr Cycle never = std::numeric_limits<Cycle>::max() / 4;  // far beyond any run, yet sums do not wrap

/// A clock without edges: blocks ask for the cycle and for the time of a cycle; nothing toggles.
class Clock {
 public:
  using Value = sc_core::sc_time::value_type;

  /// Needs a SimulationContext, which makes SystemC count femtoseconds: that keeps the error of a period below one
  /// part in 10^5 at 10 GHz.
  explicit Clock(std::uint64_t hertz)
      : period_(sc_core::sc_time(1e15 / static_cast<double>(hertz), sc_core::SC_FS).value()), by_period_(period_) {}

  /// The time of a cycle, in SystemC's units of time.
  Value value_of(Cycle cycles) const { return cycles * period_; }
  Cycle now() const { return cycles(sc_core::sc_time_stamp()); }
  sc_core::sc_time time(Cycle cycles) const { return sc_core::sc_time::from_value(value_of(cycles)); }
  Cycle cycles(const sc_core::sc_time& time) const { return by_period_.divide(time.value()).quotient; }
  /// The first cycle that begins at `time` or later.
  Cycle cycle_at(const sc_core::sc_time& time) const { return cycle_at(time.value()); }
  Cycle cycle_at(Value time) const { return by_period_.divide(time + period_ - 1).quotient; }

  // Blocks of several clocks talk in times from now, and each acts at the beginning of a cycle of its own.
  /// The first cycle that begins `delay` from now or later.
  Cycle cycle_from(const sc_core::sc_time& delay) const {
    return cycle_at(sc_core::sc_time_stamp().value() + delay.value());
  }
  /// From now to the beginning of `cycle`, which lies ahead.
  sc_core::sc_time time_until(Cycle cycle) const {
    return sc_core::sc_time::from_value(value_of(cycle) - sc_core::sc_time_stamp().value());
  }

 private:
  Value period_;
  Divisor by_period_;
};

}  // namespace reconverge

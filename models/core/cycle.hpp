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
  /// Needs a SimulationContext, which makes SystemC count femtoseconds: that keeps the error of a period below one
  /// part in 10^5 at 10 GHz.
  explicit Clock(std::uint64_t hertz)
      : period_(sc_core::sc_time(1e15 / static_cast<double>(hertz), sc_core::SC_FS).value()), by_period_(period_) {}

  /// The time of a cycle, in SystemC's units of time.
  sc_core::sc_time::value_type value_of(Cycle cycles) const { return cycles * period_; }
  Cycle now() const { return cycles(sc_core::sc_time_stamp()); }
  sc_core::sc_time time(Cycle cycles) const { return sc_core::sc_time::from_value(value_of(cycles)); }
  Cycle cycles(const sc_core::sc_time& time) const { return by_period_.divide(time.value()).quotient; }
  /// The first cycle that begins at `time` or later.
  Cycle cycle_at(const sc_core::sc_time& time) const { return by_period_.divide(time.value() + period_ - 1).quotient; }

 private:
  sc_core::sc_time::value_type period_;
  Divisor by_period_;
};

}  // namespace reconverge

#pragma once
/// Time in clock cycles, and its relation to SystemC's.

#include <cstdint>
#include <limits>
#include <systemc>

namespace reconverge {

using Cycle = std::uint64_t;
inline constexpr Cycle never = std::numeric_limits<Cycle>::max() / 4;  // far beyond any run, yet sums do not wrap

/// A clock without edges: blocks ask for the cycle and for the time of a cycle; nothing toggles.
class Clock {
 public:
  /// Needs a SimulationContext, which makes SystemC count femtoseconds: that keeps the error of a period below one
  /// part in 10^5 at 10 GHz.
  explicit Clock(std::uint64_t hertz) : period_(1e15 / static_cast<double>(hertz), sc_core::SC_FS) {}

  Cycle now() const { return sc_core::sc_time_stamp().value() / period_.value(); }
  sc_core::sc_time time(Cycle cycles) const { return sc_core::sc_time::from_value(cycles * period_.value()); }
  Cycle cycles(const sc_core::sc_time& time) const { return time.value() / period_.value(); }
  /// The first cycle that begins at `time` or later.
  Cycle cycle_at(const sc_core::sc_time& time) const { return (time.value() + period_.value() - 1) / period_.value(); }

 private:
  sc_core::sc_time period_;
};

}  // namespace reconverge

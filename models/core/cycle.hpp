// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Time in clock cycles, and its relation to SystemC's time.

#include <array>
#include <cstdint>
#include <memory>
#include <systemc>

#include "models/core/cycle_count.hpp"
#include "models/core/divisor.hpp"

namespace reconverge {

/// A clock without edges: blocks read the cycle and the time of a cycle; no signal toggles.
class Clock {
 public:
  using Value = sc_core::sc_time::value_type;

  /// Requires a SimulationContext, which sets SystemC's time resolution to femtoseconds; the error of a period is then
  /// below one part in 10^5 at 10 GHz. The clock belongs to this context. `parts`: the period is a multiple of this
  /// number of SystemC's time units.
  explicit Clock(std::uint64_t hertz, std::uint64_t parts = 1)
      : Clock(Period{sc_core::sc_time(1e15 / static_cast<double>(hertz), sc_core::SC_FS).value() / parts * parts}) {}

  /// A clock with `parts` cycles in each of this one's. The period of this one must be a multiple of `parts`.
  Clock multiplied(std::uint64_t parts) const { return Clock(Period{period_ / parts}); }

  /// The time of a cycle, in SystemC's units of time.
  Value value_of(Cycle cycles) const { return cycles * period_; }
  Cycle now() const { return cycles(*stamp_); }
  sc_core::sc_time time(Cycle cycles) const {
    // Converting a number to a time calls SystemC's library; near a stored time, an addition is sufficient.
    if (cycles - kept_ >= multiples) {
      kept_ = cycles;
      kept_time_ = sc_core::sc_time::from_value(value_of(cycles));
    }
    return kept_time_ + (*multiples_)[cycles - kept_];
  }
  Cycle cycles(const sc_core::sc_time& time) const { return by_period_.divide(time.value()).quotient; }
  /// The first cycle that begins at `time` or later.
  Cycle cycle_at(const sc_core::sc_time& time) const { return cycle_at(time.value()); }
  Cycle cycle_at(Value time) const { return by_period_.divide(time + period_ - 1).quotient; }

  // Blocks of different clocks exchange delays from the current time, and each block acts at the beginning of a cycle
  // of its clock.
  /// The first cycle that begins `delay` from now or later.
  Cycle cycle_from(const sc_core::sc_time& delay) const { return cycle_at(stamp_->value() + delay.value()); }
  /// The delay from now to the beginning of `cycle`, which must not be in the past.
  sc_core::sc_time time_until(Cycle cycle) const { return time(cycle) - *stamp_; }

 private:
  struct Period {
    Value value;
  };
  explicit Clock(Period period)
      : period_(period.value),
        by_period_(period_),
        stamp_(&sc_core::sc_time_stamp()),
        multiples_(make_multiples(period_)) {}

  static constexpr Cycle multiples = 256;
  using Multiples = std::array<sc_core::sc_time, multiples>;
  static std::shared_ptr<const Multiples> make_multiples(Value period) {
    auto all = std::make_shared<Multiples>();
    for (Cycle i = 0; i < multiples; ++i) (*all)[i] = sc_core::sc_time::from_value(i * period);
    return all;
  }

  Value period_;
  Divisor by_period_;
  const sc_core::sc_time* stamp_;               // SystemC's time
  std::shared_ptr<const Multiples> multiples_;  // of the period
  mutable Cycle kept_ = 0;
  mutable sc_core::sc_time kept_time_;
};

}  // namespace reconverge

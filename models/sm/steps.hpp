// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The time of a unit that works several times per cycle. It counts steps; every cycle has the same number of them.

#include "models/core/cycle_count.hpp"
#include "models/core/divisor.hpp"

namespace reconverge {

class Steps {
 public:
  explicit Steps(std::uint64_t per_cycle) : by_(per_cycle) {}

  std::uint64_t per_cycle() const { return by_.divisor(); }
  /// The first step of a cycle.
  Cycle first(Cycle cycle) const { return cycle * by_.divisor(); }
  /// The last step of a cycle.
  Cycle last(Cycle cycle) const { return first(cycle) + by_.divisor() - 1; }
  /// The cycle that contains the step; `never` for `never`.
  Cycle cycle_of(Cycle step) const { return step < never ? by_.divide(step).quotient : never; }
  /// The first cycle that begins at `step` or later; `never` for `never`. With a number of steps, the cycles that they
  /// take.
  Cycle cycle_from(Cycle step) const { return step < never ? by_.divide(step + by_.divisor() - 1).quotient : never; }

 private:
  Divisor by_;
};

}  // namespace reconverge

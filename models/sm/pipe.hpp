// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Identical units. Each executes one instruction at a time, and is busy for some cycles.

#include <algorithm>
#include <vector>

#include "models/core/cycle.hpp"
#include "models/core/lane_mask.hpp"
#include "models/core/state_archive.hpp"

namespace reconverge {

/// The unit after `unit`, of `units` in a circle; without a branch, because the host predicts it poorly.
constexpr std::size_t after(std::size_t unit, std::size_t units) {
  return (unit + 1) & -static_cast<std::size_t>(unit + 1 < units);
}

class Pipe {
 public:
  explicit Pipe(std::uint64_t units) : free_(units) {}

  /// The first cycle, at `now` or later, in which a unit can accept an instruction.
  Cycle next_free(Cycle now) const { return std::max(now, free_[earliest()]); }

  /// A free unit, or else the one that becomes free first, accepts an instruction at `from` or as soon as it can, and
  /// is then busy for `interval` cycles. Returns the cycle in which it accepts.
  Cycle take(Cycle from, Cycle interval) {
    // Units nearly always become free in the order in which they were used.
    next_ = after(next_, free_.size());
    if (free_.size() != 1 && free_[next_] > from) next_ = earliest();
    const Cycle start = std::max(from, free_[next_]);
    free_[next_] = start + interval;
    return start;
  }

  /// Lanes that issue individually share units: one unit for every 32 of them.
  void take_lanes(Cycle start, unsigned lanes, Cycle interval) {
    lanes_ += lanes;
    for (; lanes_ >= warp_size; lanes_ -= warp_size) take(start, interval);
  }

  void archive(StateArchive& state) { state(free_, next_, lanes_); }

 private:
  /// The unit that becomes free first. The code is branch-free, because the host predicts the choice poorly.
  std::size_t earliest() const {
    std::size_t unit = 0;
    Cycle least = free_[0];
    for (std::size_t other = 1; other < free_.size(); ++other) {
      const bool earlier = free_[other] < least;
      unit = earlier ? other : unit;
      least = earlier ? free_[other] : least;
    }
    return unit;
  }

  std::vector<Cycle> free_;  // first cycle in which each unit is free
  std::size_t next_ = 0;     // the unit used last
  unsigned lanes_ = 0;       // individual lanes that do not fill a unit yet
};

}  // namespace reconverge

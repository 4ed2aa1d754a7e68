#pragma once
/// Identical units that each take one instruction every so many cycles.

#include <algorithm>
#include <vector>

#include "models/core/cycle.hpp"
#include "models/core/lanes.hpp"

namespace reconverge {

class Pipe {
 public:
  Pipe(std::uint64_t units, Cycle interval) : free_(units), interval_(interval) {}

  /// The cycle, at `now` or later, in which a unit can take an instruction.
  Cycle next_free(Cycle now) const { return std::max(now, *std::min_element(free_.begin(), free_.end())); }

  /// The unit that is free earliest takes an instruction at `from` or as soon as it can; returns when.
  Cycle take(Cycle from) {
    Cycle& free = *std::min_element(free_.begin(), free_.end());
    const Cycle start = std::max(from, free);
    free = start + interval_;
    return start;
  }

  /// Single lanes take their share: a unit is taken for every 32 of them.
  void take_lanes(Cycle start, unsigned lanes) {
    lanes_ += lanes;
    for (; lanes_ >= warp_size; lanes_ -= warp_size) take(start);
  }

  Cycle interval() const { return interval_; }

 private:
  std::vector<Cycle> free_;  // first cycle in which each unit is free
  Cycle interval_;
  unsigned lanes_ = 0;  // that took their share and do not fill a unit yet
};

}  // namespace reconverge

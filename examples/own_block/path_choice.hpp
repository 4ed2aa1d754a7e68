// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The model of own_block.sv. It works on values and knows neither SystemC nor Verilator.

#include <array>
#include <optional>

#include "models/core/lane_mask.hpp"

namespace own_block {

using reconverge::count_lanes;
using reconverge::LaneMask;

/// The lanes of the waiting paths that the block sees, the oldest path first. No lanes: no path.
using Waiting = std::array<LaneMask, 4>;

class PathChoice {
 public:
  void reset() { turn_ = 0; }

  /// The path with the most lanes; of equal ones, the first from the turn on. Empty if no path waits.
  std::optional<unsigned> choose(const Waiting& waiting) {
    unsigned chosen = turn_;
    for (unsigned i = 1; i < waiting.size(); ++i) {
      const auto path = static_cast<unsigned>((turn_ + i) % waiting.size());
      if (count_lanes(waiting[path]) > count_lanes(waiting[chosen])) chosen = path;
    }
    if (waiting[chosen] == 0) return std::nullopt;
    turn_ = static_cast<unsigned>((chosen + 1) % waiting.size());
    return chosen;
  }

 private:
  unsigned turn_ = 0;
};

}  // namespace own_block

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The counted scoreboards of the threads of a warp (Damani et al., HPCA 2022, section III-C): for each scoreboard, the
/// number of operations without a result.

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/core/lane_mask.hpp"

namespace reconverge {

class ThreadCounters {
 public:
  static constexpr unsigned scoreboards = 6;  ///< of a warp

  void clear() {
    counts_ = {};
    pending_ = {};
  }
  void issue(unsigned scoreboard, LaneMask lanes) {
    for_each_lane(lanes, [&](unsigned lane) { ++counts_[scoreboard][lane]; });
    pending_[scoreboard] |= lanes;
  }
  void write_back(unsigned scoreboard, LaneMask lanes) {
    for_each_lane(lanes, [&](unsigned lane) {
      if (--counts_[scoreboard][lane] == 0) pending_[scoreboard] &= ~lane_bit(lane);
    });
  }
  /// Lanes with a count above zero.
  LaneMask pending(unsigned scoreboard) const { return pending_[scoreboard]; }
  /// The count that a subwarp waits for: the largest count of its threads.
  std::uint32_t most(unsigned scoreboard, LaneMask lanes) const {
    std::uint32_t most = 0;
    for_each_lane(lanes & pending_[scoreboard],
                  [&](unsigned lane) { most = std::max(most, counts_[scoreboard][lane]); });
    return most;
  }

 private:
  // By scoreboard:
  std::array<std::array<std::uint32_t, warp_size>, scoreboards> counts_{};
  std::array<LaneMask, scoreboards> pending_{};
};

}  // namespace reconverge

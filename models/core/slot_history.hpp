#pragma once
/// What issue slots went to over time, interval by interval.

#include <array>
#include <cstdint>
#include <vector>

#include "models/core/lane_mask.hpp"

namespace reconverge {

/// Issue slots of some schedulers over some cycles.
struct SlotCounts {
  std::array<std::uint64_t, warp_size + 1> issued{};  ///< warp instructions by the lanes that executed
  std::uint64_t empty = 0;                            ///< slots lost because no warp was there
  std::uint64_t waiting = 0;                          ///< slots lost while warps were there

  SlotCounts& operator+=(const SlotCounts& other) {
    for (std::size_t lanes = 0; lanes < issued.size(); ++lanes) issued[lanes] += other.issued[lanes];
    empty += other.empty;
    waiting += other.waiting;
    return *this;
  }
  SlotCounts since(const SlotCounts& earlier) const {
    SlotCounts difference = *this;
    for (std::size_t lanes = 0; lanes < issued.size(); ++lanes) difference.issued[lanes] -= earlier.issued[lanes];
    difference.empty -= earlier.empty;
    difference.waiting -= earlier.waiting;
    return difference;
  }
  std::uint64_t all() const {
    std::uint64_t sum = empty + waiting;
    for (const std::uint64_t count : issued) sum += count;
    return sum;
  }
};

/// From the begin of a launch on; the last interval may be shorter.
struct SlotHistory {
  std::uint64_t interval = 0;  ///< cycles; 0: nothing was recorded
  std::vector<SlotCounts> samples;
};

}  // namespace reconverge

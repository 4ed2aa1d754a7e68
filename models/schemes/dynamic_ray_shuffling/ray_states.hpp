// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The states of a row of rays, as two planes of bits. Plain data, no SystemC.

#include "models/core/lane_mask.hpp"
#include "models/schemes/dynamic_ray_shuffling/ray_instructions.hpp"

namespace reconverge {

/// Bit 1 and bit 0 of each lane's state.
struct RayStates {
  LaneMask high = 0;
  LaneMask low = 0;

  /// The lanes in `state`.
  LaneMask lanes(RayState state) const {
    const auto code = static_cast<unsigned>(state);
    return ((code & 2U) != 0 ? high : ~high) & ((code & 1U) != 0 ? low : ~low);
  }
  RayState at(unsigned lane) const { return static_cast<RayState>((high >> lane & 1U) << 1U | (low >> lane & 1U)); }
  /// Sets the states of `lanes` to those in `other`.
  void replace(LaneMask lanes, const RayStates& other) {
    high = (high & ~lanes) | (other.high & lanes);
    low = (low & ~lanes) | (other.low & lanes);
  }
  bool operator==(const RayStates&) const = default;
};

/// A row whose `lanes` are all in one state.
inline RayStates uniform_row(RayState state, LaneMask lanes = all_lanes) {
  const auto code = static_cast<unsigned>(state);
  return {(code & 2U) != 0 ? lanes : 0, (code & 1U) != 0 ? lanes : 0};
}

}  // namespace reconverge

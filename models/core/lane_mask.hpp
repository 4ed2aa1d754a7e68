// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The width of a warp, and masks of its lanes.

#include <bit>
#include <cstdint>

namespace reconverge {

inline constexpr unsigned warp_size = 32;

/// Bit `i` represents lane `i`.
using LaneMask = std::uint32_t;

inline constexpr LaneMask all_lanes = ~LaneMask{0};

constexpr unsigned count_lanes(LaneMask mask) { return static_cast<unsigned>(std::popcount(mask)); }
constexpr unsigned first_lane(LaneMask mask) { return static_cast<unsigned>(std::countr_zero(mask)); }
constexpr LaneMask lane_bit(unsigned lane) { return LaneMask{1} << lane; }

/// Calls `visit(lane)` for every lane of `mask`, lowest first.
template <typename Visit>
constexpr void for_each_lane(LaneMask mask, Visit&& visit) {
  for (; mask != 0; mask &= mask - 1) visit(first_lane(mask));
}

}  // namespace reconverge

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Figures of machines with warps: warp instructions by active lanes.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "models/core/figure.hpp"
#include "models/core/lane_mask.hpp"

namespace reconverge {

/// `active[n]`: warp instructions issued with n active lanes.
using ActiveLanes = std::array<std::uint64_t, warp_size + 1>;
std::uint64_t warp_instructions(const ActiveLanes& active);
std::uint64_t thread_instructions(const ActiveLanes& active);
/// Active lanes as a share of all lanes of issued instructions (Lü et al., MICRO 2017, section 4.4). An instruction
/// whose guard disabled every lane was issued, too, and counts with no active lane.
double simd_efficiency(const ActiveLanes& active);

/// A category of the paper's breakdown of warp instructions by active lanes.
struct LaneGroup {
  std::string_view name;  ///< `W1:4`
  std::string_view key;   ///< `lanes_1_to_4`
  std::size_t first = 0;
  std::size_t last = 0;  ///< included
};
/// W0, W1:4, W5:8 ... W29:32.
std::span<const LaneGroup> lane_groups();
std::uint64_t instructions_in(const LaneGroup& group, const ActiveLanes& active);

/// The figures that machines with warps have without timing, too.
std::vector<Figure> instruction_figures(std::uint64_t warp_instructions, std::uint64_t thread_instructions);

}  // namespace reconverge

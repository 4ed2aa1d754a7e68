// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Maximum cut: divides vertices into two sides, so that the total weight of the edges between the sides is maximal.

#include <cstdint>
#include <span>
#include <vector>

namespace reconverge::kernel {

/// Between different vertices. A negative weight favours one side for both.
struct CutEdge {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::int32_t weight = 1;
};

/// By vertex: 0 or 1.
using Cut = std::vector<std::uint8_t>;

std::int64_t weight_of(const Cut& cut, std::span<const CutEdge> edges);

/// Places vertices one after another, each on the side where it cuts more weight to earlier vertices. The result is at
/// least half of the largest cut if no weight is negative (Sahni and Gonzalez 1976).
Cut greedy_cut(std::uint32_t vertices, std::span<const CutEdge> edges);

/// The greedy algorithm cuts components with more vertices than this.
inline constexpr std::uint32_t exact_cut_vertices = 20;

/// The largest cut, component by component.
Cut largest_cut(std::uint32_t vertices, std::span<const CutEdge> edges);

}  // namespace reconverge::kernel

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The block without an SM, for tests of single requests and swaps.

#include "tests/unit/dynamic_ray_shuffling/driven.hpp"
#include "tests/unit/dynamic_ray_shuffling/pipeline.hpp"

namespace reconverge::tests {

inline constexpr LaneMask three = 0b00101010;

/// A block that has started and is idle; its warps have eight lanes.
class Block : public Alone<RayShuffler> {
 public:
  explicit Block(std::size_t warps = 2, const DynamicRayShufflingParameters& parameters = {})
      : Alone(parameters, warps, width) {
    run_until_idle(*this);
  }
};

/// Three fetch rays of row 0 reach inner nodes, and warp 0 gets the backup row. Returns in the cycle in which the warp
/// releases row 0. The next choice, for leaf rays, finds no swap. The choice for fetch rays follows, and moves five
/// rays to the first empty row.
inline void release_row_0(Block& block) {
  report(block, 0, three, RayState::inner);
  run_until_idle(block);
  block.control(0);
  for (int cycle = 0; cycle < to_decide; ++cycle) end_cycle(block);
  REQUIRE(block.control_stage() == RayShuffler::ControlStage::decide);
}

/// Cycles from the release to the sample of the choice for fetch rays.
inline constexpr int to_fetch_sample = 1 + failed_choice;
inline constexpr int to_fetch_offer = to_fetch_sample + to_offer;

}  // namespace reconverge::tests

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The state of one warp slot.

#include "models/core/lane_mask.hpp"
#include "models/execution/operations/operation.hpp"
#include "models/execution/path.hpp"

namespace reconverge {

/// The warp slot in whose part of the register file each thread of a warp is stored. If threads never change warps, it
/// is the slot itself.
struct Homes {
  bool moved = false;
  std::array<std::uint8_t, warp_size> slot{};  ///< by lane, once threads have moved
};

/// The fields that every issue accesses are in the first two cache lines.
struct alignas(64) Warp {
  static constexpr std::uint32_t no_block = ~0U;

  Path path;  ///< the current path, which the divergence scheme sets

  LaneMask live = 0;             ///< threads that began in this slot and have not ended
  std::uint32_t slot = 0;        ///< index in the SM
  std::uint32_t block_slot = 0;  ///< its thread block; `no_block`: a scheme began its threads
  std::uint64_t age = 0;         ///< warps launched earlier have smaller ages
  bool at_barrier = false;
  bool held_by_scheme = false;   ///< has no path until its scheme resumes it
  std::uint8_t held_for = 0;     ///< cause of the scheme for which it is held
  std::uint64_t held_until = 0;  ///< in cycles; `never`: until the scheme resumes it
  ExecutionContext context;
  Homes homes;

  bool resident() const { return live != 0; }
};

}  // namespace reconverge

#pragma once
/// The state of one warp slot.

#include "models/core/lane_mask.hpp"
#include "models/execution/operations/operation.hpp"
#include "models/execution/path.hpp"

namespace reconverge {

/// The warp slot whose place in the register file each thread of a warp has. Where threads never change warps, it is
/// the slot itself.
struct Homes {
  bool moved = false;
  std::array<std::uint8_t, warp_size> slot{};  ///< by lane, once threads have moved
};

/// What each issue touches lies in its first two cache lines.
struct alignas(64) Warp {
  static constexpr std::uint32_t no_block = ~0U;

  Path path;  ///< the current one, as the divergence scheme says

  LaneMask live = 0;             ///< threads that began in this slot and have not ended
  std::uint32_t slot = 0;        ///< index in the SM
  std::uint32_t block_slot = 0;  ///< the thread block it belongs to; `no_block`: a scheme began its threads
  std::uint64_t age = 0;         ///< warps launched earlier have smaller ages
  bool at_barrier = false;
  bool held_by_scheme = false;   ///< has no path until its scheme says so
  std::uint8_t held_for = 0;     ///< for which of the scheme's causes
  std::uint64_t held_until = 0;  ///< in cycles; `never`: until the scheme says so
  ExecutionContext context;
  Homes homes;

  bool resident() const { return live != 0; }
};

}  // namespace reconverge

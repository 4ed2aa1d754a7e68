// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Moves threads between warps, each within its lane. In hardware, the register file has a separate address for each
/// lane, and no data move. Local memory stays in place, and the thread keeps its address (SpecialRow::local_home).

#include <span>

#include "models/execution/warp.hpp"

namespace reconverge {

/// Warps of a block at most: 1024 threads (CUDA C Programming Guide, table of technical specifications).
inline constexpr std::size_t most_block_warps = 32;

/// Gives warp t the threads in lanes `lanes[t * warps.size() + f]` of warp f, for all t and f: registers, predicates
/// and identity. Every thread goes to one place, so that the masks of each warp cover all lanes exactly once. At most
/// 32 warps.
void move_threads(std::span<Warp* const> warps, std::span<const LaneMask> lanes);

}  // namespace reconverge

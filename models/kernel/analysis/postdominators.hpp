// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Post-dominators of a graph of basic blocks.

#include <cstdint>
#include <span>
#include <vector>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// The immediate post-dominator of each block; BasicBlock::no_block if it is the virtual exit.
///
/// Computes Lengauer and Tarjan's dominators (TOPLAS 1979) of the reversed graph, from a virtual exit after all blocks
/// without successors. A loop that no path leaves gets a virtual exit at the end of each iteration: its diverged lanes
/// reconverge at its header, in the next iteration at the latest. The header may therefore be its own post-dominator.
/// (In an irreducible loop, which has several entries, the header is the block that a walk from the entry reaches
/// first.) Reads `successors` and, to find where control begins, `predecessors`.
std::vector<std::uint32_t> immediate_postdominators(std::span<const BasicBlock> blocks);

}  // namespace reconverge::kernel

#pragma once
/// Where control must come by on its way out of a graph of basic blocks.

#include <cstdint>
#include <span>
#include <vector>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// The immediate post-dominator of each block; BasicBlock::no_block where it is the virtual exit.
///
/// Lengauer and Tarjan's dominators (TOPLAS 1979) of the reversed graph, from a virtual exit behind all blocks without
/// successors. A loop that no path leaves counts as left whenever a round ends: lanes that go different ways in it meet
/// at its header, at the latest in the next round. So the header may be its own post-dominator. (Of a knot with several
/// ways in, the block that a walk from the entry comes to first is the header.) Reads `successors` and, to find where
/// control begins, `predecessors`.
std::vector<std::uint32_t> immediate_postdominators(std::span<const BasicBlock> blocks);

}  // namespace reconverge::kernel

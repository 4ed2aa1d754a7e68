#pragma once
/// The loops of a control-flow graph, by dominators.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// A natural loop: the blocks that reach a back edge without passing the header, which dominates them all. Back edges
/// to one header make one loop.
struct Loop {
  std::uint32_t header = 0;
  std::vector<std::uint32_t> latches;  ///< where the back edges come from
  std::vector<std::uint32_t> blocks;   ///< the header among them
  std::vector<std::uint32_t> exits;    ///< blocks outside that an edge from inside leads to
  std::uint32_t parent = none;         ///< the smallest loop around this one
  std::uint32_t depth = 1;             ///< 1: in no other loop

  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
};

/// A cycle with more than one way in, so that no block of it dominates the others.
struct IrreducibleRegion {
  std::vector<std::uint32_t> entries;  ///< blocks that control enters it by
  std::vector<std::uint32_t> blocks;
};

/// Block indices are in ascending order everywhere.
struct LoopForest {
  std::vector<Loop> loops;               ///< a loop before those inside it
  std::vector<std::uint32_t> innermost;  ///< by block: the smallest loop around it, or Loop::none
  std::vector<IrreducibleRegion> irreducible;

  /// Loops around a block.
  std::uint32_t depth_of(std::uint32_t block) const {
    return innermost[block] == Loop::none ? 0 : loops[innermost[block]].depth;
  }
};

/// The immediate dominator of each block; BasicBlock::no_block where it is the virtual entry before all entry blocks.
std::vector<std::uint32_t> immediate_dominators(std::span<const BasicBlock> blocks);

/// Natural loops, and what is left of cycles when their back edges are taken out.
LoopForest find_loops(std::span<const BasicBlock> blocks);

}  // namespace reconverge::kernel

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
  std::uint32_t parent = none;         ///< the smallest loop around this one
  std::uint32_t depth = 1;             ///< 1: in no other loop

  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
};

/// A cycle with more than one way in, so that no block of it dominates the others.
struct IrreducibleRegion {
  std::vector<std::uint32_t> entries;  ///< blocks that control enters it by
  std::vector<std::uint32_t> blocks;
};

/// Lists of block indices are in ascending order, where nothing else is said.
///
/// A block is stored once, with the smallest loop around it. So a forest takes memory in proportion to the blocks,
/// however deep the loops are nested; a list of the blocks of each loop would take the square of that.
struct LoopForest {
  std::vector<Loop> loops;               ///< a loop before those inside it
  std::vector<std::uint32_t> innermost;  ///< by block: the smallest loop around it, or Loop::none
  std::vector<IrreducibleRegion> irreducible;

  /// Where the blocks of a loop are in `members`.
  struct Range {
    std::uint32_t first = 0;
    std::uint32_t size = 0;
  };
  std::vector<std::uint32_t> members;  ///< blocks in loops, each loop in one piece; in no order within it
  std::vector<std::uint32_t> place;    ///< by block: where it is in `members`, or Loop::none
  std::vector<Range> ranges;           ///< by loop

  /// Loops around a block.
  std::uint32_t depth_of(std::uint32_t block) const {
    return innermost[block] == Loop::none ? 0 : loops[innermost[block]].depth;
  }

  /// Whether a block is in a loop, or in one inside it.
  bool contains(std::uint32_t loop, std::uint32_t block) const {
    return place[block] != Loop::none && place[block] - ranges[loop].first < ranges[loop].size;
  }

  /// The smallest loop around both blocks, or Loop::none. Takes time in proportion to the loops around `a`.
  std::uint32_t smallest_around(std::uint32_t a, std::uint32_t b) const {
    std::uint32_t loop = innermost[a];
    while (loop != Loop::none && !contains(loop, b)) loop = loops[loop].parent;
    return loop;
  }

  /// The blocks of a loop, the header among them.
  std::vector<std::uint32_t> blocks_of(std::uint32_t loop) const;

  /// Blocks outside a loop that an edge from inside leads to. `blocks` are the blocks of the forest.
  std::vector<std::uint32_t> exits_of(std::span<const BasicBlock> blocks, std::uint32_t loop) const;
};

/// The immediate dominator of each block; BasicBlock::no_block where it is the virtual entry before all entry blocks.
std::vector<std::uint32_t> immediate_dominators(std::span<const BasicBlock> blocks);

/// What dominates what. Nodes are numbered parents first and each subtree in one piece, so that an ancestor is one
/// whose piece holds the node.
class DominatorTree {
 public:
  explicit DominatorTree(std::span<const BasicBlock> blocks);

  /// Whether all ways to `lower` pass `upper`, which may be the same.
  bool dominates(std::uint32_t upper, std::uint32_t lower) const {
    return first_[lower] - first_[upper] < size_[upper];
  }
  /// As immediate_dominators gives it.
  std::uint32_t parent(std::uint32_t block) const { return parent_[block]; }
  std::uint32_t depth(std::uint32_t block) const { return depth_[block]; }

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint32_t> depth_;
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> size_;
};

/// Natural loops, and what is left of cycles when their back edges are taken out.
LoopForest find_loops(std::span<const BasicBlock> blocks);

}  // namespace reconverge::kernel

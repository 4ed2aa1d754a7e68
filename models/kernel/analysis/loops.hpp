// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The loops of a control-flow graph, by dominators.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// A natural loop: the blocks that reach a back edge without passing the header, which dominates all of them. All back
/// edges to one header form one loop.
struct Loop {
  std::uint32_t header = 0;
  std::vector<std::uint32_t> latches;  ///< sources of the back edges
  std::uint32_t parent = none;         ///< the smallest enclosing loop
  std::uint32_t depth = 1;             ///< 1: outermost

  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
};

/// A cycle with more than one entry, so that no block of it dominates the others.
struct IrreducibleRegion {
  std::vector<std::uint32_t> entries;  ///< blocks through which control enters it
  std::vector<std::uint32_t> blocks;
};

/// Lists of block indices are in ascending order unless stated otherwise.
///
/// A block is stored once, with its innermost loop. The memory of a forest is therefore proportional to the number of
/// blocks, regardless of nesting; a list of the blocks of each loop would be quadratic.
struct LoopForest {
  std::vector<Loop> loops;               ///< each loop precedes the loops inside it
  std::vector<std::uint32_t> innermost;  ///< by block: its innermost loop, or Loop::none
  std::vector<IrreducibleRegion> irreducible;

  /// Range of a loop's blocks in `members`.
  struct Range {
    std::uint32_t first = 0;
    std::uint32_t size = 0;
  };
  std::vector<std::uint32_t> members;  ///< blocks in loops; each loop is contiguous, in no particular order
  std::vector<std::uint32_t> place;    ///< by block: its index in `members`, or Loop::none
  std::vector<Range> ranges;           ///< by loop

  /// Number of loops that contain a block.
  std::uint32_t depth_of(std::uint32_t block) const {
    return innermost[block] == Loop::none ? 0 : loops[innermost[block]].depth;
  }

  /// Whether a block is in a loop, or in a loop nested in it.
  bool contains(std::uint32_t loop, std::uint32_t block) const {
    return place[block] != Loop::none && place[block] - ranges[loop].first < ranges[loop].size;
  }

  /// The smallest loop that contains both blocks, or Loop::none. Takes time in proportion to the loops that contain
  /// `a`.
  std::uint32_t smallest_around(std::uint32_t a, std::uint32_t b) const {
    std::uint32_t loop = innermost[a];
    while (loop != Loop::none && !contains(loop, b)) loop = loops[loop].parent;
    return loop;
  }

  /// The blocks of a loop, including the header.
  std::vector<std::uint32_t> blocks_of(std::uint32_t loop) const;

  /// Blocks outside a loop that are targets of edges from inside. `blocks` are the blocks of the forest.
  std::vector<std::uint32_t> exits_of(std::span<const BasicBlock> blocks, std::uint32_t loop) const;
};

/// The immediate dominator of each block; BasicBlock::no_block if it is the virtual entry before all entry blocks.
std::vector<std::uint32_t> immediate_dominators(std::span<const BasicBlock> blocks);

/// The dominator tree. Nodes are numbered in preorder, so that each subtree is a range: a node is an ancestor of
/// another if its range contains the other's.
class DominatorTree {
 public:
  explicit DominatorTree(std::span<const BasicBlock> blocks);

  /// Whether all paths to `lower` pass through `upper`, which may be the same block.
  bool dominates(std::uint32_t upper, std::uint32_t lower) const {
    return first_[lower] - first_[upper] < size_[upper];
  }
  /// The result of immediate_dominators.
  std::uint32_t parent(std::uint32_t block) const { return parent_[block]; }
  std::uint32_t depth(std::uint32_t block) const { return depth_[block]; }

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint32_t> depth_;
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> size_;
};

/// Natural loops, and the cycles that remain without their back edges.
LoopForest find_loops(std::span<const BasicBlock> blocks);

}  // namespace reconverge::kernel

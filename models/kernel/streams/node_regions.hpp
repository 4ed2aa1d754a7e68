// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Finds the basic blocks that form a node: acyclic regions with a single entry block.

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "models/kernel/analysis/reachability.hpp"
#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// One way out of a block of a node, and the lanes that take it.
struct NodeWay {
  enum class Lanes : std::uint8_t {
    all,     ///< all active lanes
    taken,   ///< lanes that pass the guard of the branch, or the emit, at the end
    others,  ///< the other lanes
    indexed  ///< lanes that brx sends to `target`
  };
  Lanes lanes = Lanes::all;
  bool inside = false;   ///< to a later block in the same node
  std::uint32_t to = 0;  ///< that block's number in the node, or the graph's number for the target
  Pc target = no_pc;
};

/// A basic block as a part of a node. The branch at its end, if any, is the last instruction.
struct NodeBlock {
  std::uint32_t block = 0;  ///< index into the blocks that the regions consist of
  std::vector<NodeWay> ways;
};

/// Finds regions of one graph, each in time proportional to its edges.
class RegionWalk {
 public:
  explicit RegionWalk(std::span<const BasicBlock> blocks) : blocks_(blocks), visits_(blocks.size(), Visit::none) {}

  /// Blocks that control reaches from a start without passing another start, in topological order.
  std::vector<std::uint32_t> region_of(std::uint32_t start, const BlockSet& starts);

  /// Whether no path leads from a start back into the blocks between it and other starts; otherwise `back` is a block
  /// to which one leads. Blocks that were checked before are skipped.
  bool has_no_cycle(std::uint32_t start, const BlockSet& starts, std::uint32_t& back);

 private:
  enum class Visit : std::uint8_t { none, open, done };

  template <typename Leave>
  bool walk(std::uint32_t start, const BlockSet& starts, std::uint32_t& back, const Leave& leave);

  std::span<const BasicBlock> blocks_;
  std::vector<Visit> visits_;  // by block
};

/// A program that is cut into blocks, and the blocks at which regions start.
struct CutProgram {
  const Program& program;
  std::span<const BasicBlock> blocks;
  const BlockSet& starts;
};

/// The ways out of a block of a region, in code order. `number`: by block, the number of the region's blocks in the
/// node. `leave` gives NodeWay::to for a way to the start of a region; with `stack`, a copy of the thread goes to a
/// stack.
std::vector<NodeWay> ways_of(const CutProgram& cut, std::uint32_t block, std::span<const std::uint32_t> number,
                             const std::function<std::uint32_t(std::uint32_t block, bool stack)>& leave);

/// Whether each cycle of reachable blocks contains a start, so that every region has a topological order. Otherwise
/// `within` gets a block of a cycle without a start.
bool cuts_all_cycles(std::span<const BasicBlock> blocks, const BlockSet& starts, std::uint32_t* within = nullptr);

/// Determines the blocks that may be merged into the preceding node.
struct MergeRule {
  /// Bytes of state that outweigh one instruction for which a lane idles because it does not take the block; none:
  /// blocks are merged only if control always reaches them.
  std::optional<double> bytes_per_instruction;
  std::vector<std::uint32_t> record_bytes;  ///< by block: state of a thread that reaches it
  /// Merges the region of `block` into that of `owner` if this is allowed, and returns whether it merged them; empty:
  /// always allowed.
  std::function<bool(std::uint32_t owner, std::uint32_t block)> join;
};

/// Removes starts from `starts` (input: every block that control reaches, except some that end a thread): blocks that
/// are the only successor of their only predecessor, and, with weights, blocks all of whose predecessors are in one
/// node, if idle lanes cost less than moving the state. Both sides of a branch count as equally likely.
void merge_blocks(std::span<const BasicBlock> blocks, std::span<const Instruction> instructions, const MergeRule& rule,
                  BlockSet& starts);

}  // namespace reconverge::kernel

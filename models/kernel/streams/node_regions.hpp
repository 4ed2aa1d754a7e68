#pragma once
/// Which basic blocks are one node: regions that are entered at one block and in which no way leads back.

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "models/kernel/analysis/reachability.hpp"
#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// Lanes that leave a block of a node on one way.
struct NodeWay {
  enum class Lanes : std::uint8_t {
    all,     ///< that are still there
    taken,   ///< that pass the guard of the branch, or the emit, at the end
    others,  ///< that do not
    indexed  ///< that brx sends to `target`
  };
  Lanes lanes = Lanes::all;
  bool inside = false;   ///< to a block further on in the same node
  std::uint32_t to = 0;  ///< that block's number in the node, or whatever the graph calls where it leads
  Pc target = no_pc;
};

/// A basic block as a part of a node. The branch at its end, if any, is the last instruction.
struct NodeBlock {
  std::uint32_t block = 0;  ///< in the blocks that the regions are made of
  std::vector<NodeWay> ways;
};

/// Finds regions of one graph after the other, each in time in proportion to its edges.
class RegionWalk {
 public:
  explicit RegionWalk(std::span<const BasicBlock> blocks) : blocks_(blocks), visits_(blocks.size(), Visit::none) {}

  /// Blocks that control reaches from a start without passing another, in an order that no edge runs against.
  std::vector<std::uint32_t> region_of(std::uint32_t start, const BlockSet& starts);

  /// Whether no way leads from a start back into the blocks between it and other starts; otherwise `back` is a block
  /// that one leads to. Blocks that were looked at before are passed over.
  bool has_no_cycle(std::uint32_t start, const BlockSet& starts, std::uint32_t& back);

 private:
  enum class Visit : std::uint8_t { none, open, done };

  template <typename Leave>
  bool walk(std::uint32_t start, const BlockSet& starts, std::uint32_t& back, const Leave& leave);

  std::span<const BasicBlock> blocks_;
  std::vector<Visit> visits_;  // by block
};

/// The ways out of a block of a region, in the order of code. `number`, by block, is what blocks of the region are
/// called in the node. `leave` says what NodeWay::to is where a way leads to the start of a region, `stack`: as a copy
/// of the thread that goes on a stack.
std::vector<NodeWay> ways_of(std::span<const BasicBlock> blocks, const Program& program, std::uint32_t block,
                             std::span<const std::uint32_t> number, const BlockSet& starts,
                             const std::function<std::uint32_t(std::uint32_t block, bool stack)>& leave);

/// Whether each cycle of the blocks that control can reach has a start in it, so that every region has such an order.
/// Otherwise `within` gets a block of a cycle that has none.
bool cuts_all_cycles(std::span<const BasicBlock> blocks, const BlockSet& starts, std::uint32_t* within = nullptr);

/// Which blocks may join the node before them.
struct MergeRule {
  /// Bytes of state for which a lane may idle, for each instruction of a block that it does not take; none: blocks join
  /// only where control always comes to them.
  std::optional<double> bytes_per_instruction;
  std::vector<std::uint32_t> record_bytes;  ///< by block: of the state of a thread that comes to it
  /// Whether the region of `owner` can take in the region of `block`, which it then does; empty: it can.
  std::function<bool(std::uint32_t owner, std::uint32_t block)> join;
};

/// Takes starts away from `starts` (in: every block that control reaches, but for some that end a thread): of blocks
/// that are the only successor of their only predecessor, and, with weights, of blocks whose way in lies within one
/// node, where idle lanes cost less than the state that need not move. Chances of a branch count as even.
void merge_blocks(std::span<const BasicBlock> blocks, std::span<const Instruction> instructions, const MergeRule& rule,
                  BlockSet& starts);

}  // namespace reconverge::kernel

#pragma once
/// Which basic blocks are one node: regions that are entered at one block and in which no way leads back.

#include <span>
#include <vector>

#include "models/kernel/analysis/reachability.hpp"
#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// Blocks that control reaches from a start without passing another, in an order that no edge runs against.
std::vector<std::uint32_t> region_of(std::span<const BasicBlock> blocks, std::uint32_t start, const BlockSet& starts);

/// Whether each cycle of the blocks that control can reach has a start in it, so that every region has such an order.
/// Otherwise `within` gets a block of a cycle that has none.
bool cuts_all_cycles(std::span<const BasicBlock> blocks, const BlockSet& starts, std::uint32_t* within = nullptr);

/// What a merge of a block into the node before it costs and saves.
struct MergeWeights {
  std::vector<std::uint32_t> record_bytes;  ///< by block: of the records that go into it
  double bytes_per_instruction = 0;
};

/// Takes starts away from `starts` (in: every block that control reaches): of blocks that alone follow a block and are
/// followed to by it alone, and, with `weights`, of blocks whose way in lies within one node, where idle lanes cost
/// less than the records that need not move. Chances of a branch count as even.
void merge_blocks(std::span<const BasicBlock> blocks, std::span<const Instruction> instructions,
                  const MergeWeights* weights, BlockSet& starts);

}  // namespace reconverge::kernel

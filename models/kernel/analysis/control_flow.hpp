#pragma once
/// The control-flow graph of a program and where diverged lanes meet again.

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// Splits instructions into basic blocks, in order of pc, and links them. Block 0 is the entry.
/// A guarded ret, exit or trap does not end a block: it takes lanes away, and the others go on together.
/// `labels` name blocks, in order of pc; the first label at a pc counts.
std::vector<BasicBlock> basic_blocks(std::span<const Instruction> instructions,
                                     std::span<const std::vector<Pc>> branch_tables,
                                     std::span<const std::pair<Pc, std::string>> labels);

/// The immediate post-dominator of each block; BasicBlock::no_block where it is the virtual exit.
///
/// Lengauer and Tarjan's dominators (TOPLAS 1979) of the reversed graph, from a virtual exit behind all blocks without
/// successors. A loop that no path leaves counts as left from its last block, so that branches in it still have a place
/// to meet. Reads `successors` only.
std::vector<std::uint32_t> immediate_postdominators(std::span<const BasicBlock> blocks);

/// Blocks where control can begin: block 0, then those that no edge leads to, then the first of what is not reached
/// yet.
std::vector<std::uint32_t> entry_blocks(std::span<const BasicBlock> blocks);

/// Blocks in reverse post-order (each before its successors, but for back edges), from one entry block after the other.
std::vector<std::uint32_t> reverse_post_order(std::span<const BasicBlock> blocks);

/// Index of the block that holds `pc`, which must be in the program.
std::uint32_t block_of(std::span<const BasicBlock> blocks, Pc pc);

/// Fills `blocks` and the `reconvergence` of every bra and brx from `instructions` and `branch_tables`.
void fill_control_flow(Program& program, std::span<const std::pair<Pc, std::string>> labels);

}  // namespace reconverge::kernel

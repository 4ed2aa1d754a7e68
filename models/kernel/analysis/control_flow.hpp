// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The control-flow graph of a program, and its reconvergence points.

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// Splits instructions into basic blocks, in order of pc, and links them. Block 0 is the entry. A guarded ret, exit or
/// trap does not end a block: it removes lanes, and the other lanes continue together. `labels` names blocks, in order
/// of pc; only the first label at a pc is used.
std::vector<BasicBlock> basic_blocks(std::span<const Instruction> instructions,
                                     std::span<const std::vector<Pc>> branch_tables,
                                     std::span<const std::pair<Pc, std::string>> labels);

/// Whether no lane continues after it: ret, exit or trap without a guard.
bool leaves_program(const Instruction& instruction);

/// Whether control may continue elsewhere: bra or brx.
inline bool is_branch(const Instruction& instruction) {
  return instruction.opcode == Opcode::bra || instruction.opcode == Opcode::brx;
}

/// Blocks where control can begin: block 0, then the blocks without incoming edges, then the first block of any code
/// that these do not reach.
std::vector<std::uint32_t> entry_blocks(std::span<const BasicBlock> blocks);

/// Blocks in reverse post-order (each before its successors, except for back edges), from one entry block after
/// another.
std::vector<std::uint32_t> reverse_post_order(std::span<const BasicBlock> blocks);

/// Index of the block that holds `pc`, which must be in the program.
std::uint32_t block_of(std::span<const BasicBlock> blocks, Pc pc);

/// Fills `blocks` from `instructions` and `branch_tables`.
void fill_blocks(Program& program, std::span<const std::pair<Pc, std::string>> labels);

/// Sets the reconvergence points of every block and every bra and brx: immediate post-dominators of the graph without
/// its side exits (side_exits.hpp). Also reads operands, so registers must have been allocated.
void fill_meeting_points(Program& program);

}  // namespace reconverge::kernel

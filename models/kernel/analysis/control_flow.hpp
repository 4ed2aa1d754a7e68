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

/// Whether all lanes that execute it are gone: ret, exit or trap without a guard.
bool leaves_program(const Instruction& instruction);

/// Whether control may go on elsewhere from it: bra or brx.
inline bool is_branch(const Instruction& instruction) {
  return instruction.opcode == Opcode::bra || instruction.opcode == Opcode::brx;
}

/// Blocks where control can begin: block 0, then the blocks without incoming edges, then the first block of the code
/// that is not reached yet.
std::vector<std::uint32_t> entry_blocks(std::span<const BasicBlock> blocks);

/// Blocks in reverse post-order (each before its successors, but for back edges), from one entry block after the other.
std::vector<std::uint32_t> reverse_post_order(std::span<const BasicBlock> blocks);

/// Index of the block that holds `pc`, which must be in the program.
std::uint32_t block_of(std::span<const BasicBlock> blocks, Pc pc);

/// Fills `blocks` from `instructions` and `branch_tables`.
void fill_blocks(Program& program, std::span<const std::pair<Pc, std::string>> labels);

/// Fills where lanes meet, of every block and every bra and brx: at immediate post-dominators of the graph without its
/// side exits (side_exits.hpp). Reads operands, too, so registers must have been allocated.
void fill_meeting_points(Program& program);

}  // namespace reconverge::kernel

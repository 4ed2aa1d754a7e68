// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Allocates rows to values by greedy colouring of the interference graph.

#include <cstdint>
#include <span>
#include <vector>

#include "models/kernel/analysis/liveness.hpp"
#include "models/kernel/draft.hpp"

namespace reconverge::kernel {

/// Rows by value. A wide value has an even row and the next one; predicates have separate rows (masks).
struct Allocation {
  std::vector<std::uint32_t> row;
  std::uint32_t register_rows = 0;
  std::uint32_t predicates = 0;
};

/// Assigns rows to values. Values that are live at the same time do not overlap, and neither do a result and a value
/// that is live after it. Values are coloured in the order of their first definition along reverse post-order, which is
/// optimal for values of one size with one definition (the interference graph is then chordal: Hack, Grund and Goos, CC
/// 2006). Two orders are tried, pairs together with single rows and pairs first, and the smaller result is used. An
/// instruction with several destinations does not overwrite its sources.
Allocation allocate_registers(std::span<const BasicBlock> blocks, std::span<const Accesses> accesses,
                              std::span<const ValueClass> values);

/// The maximum number of rows that live values and results occupy at any instruction: a lower bound for every
/// allocation.
std::uint32_t most_rows_live(std::span<const BasicBlock> blocks, std::span<const Accesses> accesses,
                             std::span<const ValueClass> values);

/// Writes the rows into the operands of the draft's program and returns it; `draft.program.blocks` must be filled.
/// Throws InputError if the program needs more rows than an operand can name.
Program assign_registers(Draft draft);

}  // namespace reconverge::kernel

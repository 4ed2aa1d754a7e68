// SPDX-License-Identifier: Apache-2.0
#pragma once
/// From values to rows: as few registers as greedy colouring of the interference graph finds.

#include <cstdint>
#include <span>
#include <vector>

#include "models/kernel/analysis/liveness.hpp"
#include "models/kernel/draft.hpp"

namespace reconverge::kernel {

/// Rows by value. Wide values have even rows and take the next one too; predicates count in masks of their own.
struct Allocation {
  std::vector<std::uint32_t> row;
  std::uint32_t register_rows = 0;
  std::uint32_t predicates = 0;
};

/// Assigns rows to values so that no two values that are live at the same time overlap, nor a result and a value that
/// is live after it. Values are coloured in the order of their first definition along reverse post-order, which is
/// optimal for values of one size defined once (the interference graph is chordal then: Hack, Grund and Goos, CC 2006);
/// both orders, pairs and single rows together and pairs first, are tried, and the smaller result is used. An
/// instruction with more than one destination writes none over its own sources.
Allocation allocate_registers(std::span<const BasicBlock> blocks, std::span<const Accesses> accesses,
                              std::span<const ValueClass> values);

/// The most rows that live values and results occupy at any instruction: a lower bound for every allocation.
std::uint32_t most_rows_live(std::span<const BasicBlock> blocks, std::span<const Accesses> accesses,
                             std::span<const ValueClass> values);

/// Writes the rows into the operands of the draft's program and returns it; `draft.program.blocks` must be filled.
/// Throws InputError if the program needs more rows than an operand can name.
Program assign_registers(Draft draft);

}  // namespace reconverge::kernel

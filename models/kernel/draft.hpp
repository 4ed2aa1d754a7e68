// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A decoded kernel before register allocation: register operands are values without a row.

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// Index into Draft::values: a virtual register of the kernel.
using ValueId = std::uint32_t;
inline constexpr ValueId no_value = std::numeric_limits<ValueId>::max();

/// Limit for a kernel and the functions that it calls. Calls add values to those of the source, because they copy
/// arguments and save registers.
inline constexpr std::size_t max_instructions = std::size_t{1} << 21U;
/// Limit for the targets of all branches through tables: each adds an edge.
inline constexpr std::size_t max_table_targets = std::size_t{1} << 20U;

/// The storage of a value: one row, an even-aligned pair of rows, or a lane mask.
enum class ValueClass : std::uint8_t { narrow, wide, predicate };

/// The values of the operands of one instruction; no_value if the operand is absent or not a register.
struct InstructionValues {
  ValueId guard = no_value;
  std::array<ValueId, 4> destination = {no_value, no_value, no_value, no_value};
  std::array<ValueId, 7> source = {no_value, no_value, no_value, no_value, no_value, no_value, no_value};
  bool beyond_frame = false;  ///< a local access whose `offset` counts from the end of the function's frame
};

struct Draft {
  Program program;                          ///< without registers, blocks and the results of analyses
  std::vector<InstructionValues> operands;  ///< by pc
  std::vector<ValueClass> values;
  std::vector<ValueId> extension_registers;        ///< in the order of Program::extension_registers
  std::vector<std::pair<Pc, std::string>> labels;  ///< in order of pc
  ValueId stack_pointer = no_value;                ///< start of the current call's frame, if there are calls
  ValueId link = no_value;                         ///< return address of a function that was just called
  bool indirect_calls = false;
  std::size_t table_targets = 0;  ///< over all branches through tables
};

}  // namespace reconverge::kernel

#pragma once
/// A decoded kernel before register allocation: operands in registers are values without a row yet.

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

/// Of a kernel with the functions that it calls. Calls make more of them than are written: they copy arguments and
/// save registers.
inline constexpr std::size_t max_instructions = std::size_t{1} << 21U;
/// Of all branches through tables together: each makes as many edges.
inline constexpr std::size_t max_table_targets = std::size_t{1} << 20U;

/// What a value needs: one row, an even-aligned pair of rows, or a lane mask.
enum class ValueClass : std::uint8_t { narrow, wide, predicate };

/// The values of the operands of one instruction; no_value where the operand is absent or not a register.
struct InstructionValues {
  ValueId guard = no_value;
  std::array<ValueId, 4> destination = {no_value, no_value, no_value, no_value};
  std::array<ValueId, 7> source = {no_value, no_value, no_value, no_value, no_value, no_value, no_value};
  bool beyond_frame = false;  ///< a local access whose `offset` counts from the end of the function's frame
};

struct Draft {
  Program program;                          ///< all but registers, blocks and what follows from them
  std::vector<InstructionValues> operands;  ///< by pc
  std::vector<ValueClass> values;
  std::vector<ValueId> extension_registers;        ///< in the order of Program::extension_registers
  std::vector<std::pair<Pc, std::string>> labels;  ///< in order of pc
  ValueId stack_pointer = no_value;                ///< where the frame of the running call begins, if there are calls
  ValueId link = no_value;                         ///< where a function that was just called returns to
  bool indirect_calls = false;
  std::size_t table_targets = 0;  ///< over all branches
};

}  // namespace reconverge::kernel

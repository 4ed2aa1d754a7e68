// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Pipes and cycles of single opcodes: the parameter `opcodes` of the lanes.

#include <cstdint>
#include <string_view>
#include <vector>

#include "blocks/lanes.hpp"
#include "models/core/cycle.hpp"
#include "models/kernel/program.hpp"

namespace reconverge {

/// What an instruction works on, as far as pipes differ by it. Divisions, reciprocals and roots have two kinds of each;
/// the second, for operations that are not approximate, comes `exact_kinds` later.
enum OperandKind : std::uint8_t { integer_kind, wide_kind, half_kind, single_kind, double_kind, exact_kinds };
inline constexpr std::size_t operand_kinds = 2 * exact_kinds;

std::size_t operand_kind(const kernel::Instruction& instruction);

struct OpcodeCycles {
  kernel::Opcode opcode = kernel::Opcode::nop;
  std::uint16_t kinds = 0;  ///< bit i: operand kind i
  LanesBusyCycles pipe = LanesBusyCycles::alu;
  Cycle latency = 0;
  Cycle interval = 0;
};

/// The entries of `text`, the general before the special: a later one replaces an earlier one. Throws InputError if
/// `text` cannot be read.
std::vector<OpcodeCycles> read_opcode_cycles(std::string_view text);

}  // namespace reconverge

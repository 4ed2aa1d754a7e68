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

/// Operand types that pipes distinguish. Divisions, reciprocals and roots have two kinds for each type: the number of
/// the second kind, for operations that are not approximate, is larger by `exact_kinds`.
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

/// Returns the entries of `text`, general entries before special ones; later entries replace earlier ones. Throws
/// InputError if `text` is not valid.
std::vector<OpcodeCycles> read_opcode_cycles(std::string_view text);

}  // namespace reconverge

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The table of supported instructions, one row each. The decoder and the list in the README use it.
///
/// Modifiers are groups separated by blanks, in PTX order: `a|b` is a choice, `{a|b}` is optional, `@name` is a set of
/// `modifier_set`. The meaning of a group follows from its first word (rn: rounding, f32: type, global: space ...) or
/// is given before `=`: `bool=`, `atom=`, `half=`, `cache=`, `mode=` (the index of the choice is stored in
/// Instruction::variant; `mode:3=` counts from 3; a choice with dots consists of several modifiers), `bits:4=` (the
/// index, from one if the group is optional, is stored in Instruction::offset from bit 4 on), `skip=` (no effect on the
/// model).
///
/// Operands: `=` is a destination, `?` is optional, `=t|p?` is a pair `d|p`. The kind is the type: t (of the
/// instruction), s (its second type), w (twice as wide as t), p (predicate), u32 and other types; or mem (address), v
/// (register or vector of v2, v4), # (integer to Instruction::offset), bar (barrier), label, table (of brx), part (of a
/// register, as video instructions take it), tex (texture and coordinate), frag (registers of a matrix), policy (of
/// caches, without effect), ~u32 and other types (checked, without effect); and cc, the condition code, which is
/// implicit in PTX.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/kernel/opcode.hpp"

namespace reconverge::kernel {

struct InstructionRule {
  std::string_view mnemonic;
  std::string_view modifiers;
  std::string_view operands;
  Opcode opcode = Opcode::nop;
  OperationClass operation_class = OperationClass::alu;  ///< fp64 replaces alu and special when the type is f64
  std::uint8_t variant = 0;                              ///< of the instruction, unless a modifier sets it
};

std::span<const InstructionRule> instruction_rules();

/// The words of `@name`, joined with `|`; empty if there is no such set.
std::string_view modifier_set(std::string_view name);

/// A row as the PTX manual writes it: `add{.(rn|rz|rm|rp)}{.ftz}{.sat}.f32 d, a, b`.
std::string describe(const InstructionRule& rule);

}  // namespace reconverge::kernel

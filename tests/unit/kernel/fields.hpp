// SPDX-License-Identifier: Apache-2.0
#pragma once
/// One line of text with the fields of an instruction that differ from their defaults.

#include <fmt/format.h>

#include <string>

#include "models/kernel/program.hpp"

namespace reconverge::kernel::tests {

/// `add.f32 alu rn ftz sat`: opcode, types, class, then the other fields that are set.
inline std::string fields(const Instruction& instruction) {
  std::string text(name_of(instruction.opcode));
  for (const DataType type : {instruction.type, instruction.source_type}) {
    if (type != DataType::none) text.append(".").append(name_of(type));
  }
  text.append(" ").append(name_of(instruction.operation_class));
  const auto add = [&](bool is_set, std::string_view word) {
    if (is_set) text.append(" ").append(word);
  };
  add(instruction.space != Space::none, name_of(instruction.space));
  add(instruction.rounding != Rounding::none, name_of(instruction.rounding));
  add(instruction.comparison != Comparison::none, name_of(instruction.comparison));
  add(instruction.boolean != Boolean::none, name_of(instruction.boolean));
  add(instruction.half != Half::none, name_of(instruction.half));
  add(instruction.atomic != AtomicOperation::none, name_of(instruction.atomic));
  add(instruction.vector_width != 1, fmt::format("v{}", instruction.vector_width));
  add(instruction.flush_subnormals, "ftz");
  add(instruction.saturate, "sat");
  add(instruction.approximate, "approx");
  add(!instruction.wide_address, "narrow-address");
  add(instruction.uniform, "uni");
  add(instruction.variant != 0, fmt::format("variant{}", instruction.variant));
  add(instruction.negated_sources != 0, fmt::format("not{}", instruction.negated_sources));
  add(instruction.offset != 0, fmt::format("{:+}", instruction.offset));
  add(instruction.wide_operands != 0, fmt::format("wide{:#x}", instruction.wide_operands));
  return text;
}

}  // namespace reconverge::kernel::tests

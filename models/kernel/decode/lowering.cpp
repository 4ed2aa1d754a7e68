// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/decode/lowering.hpp"

#include <fmt/format.h>

#include "models/kernel/decode/special_registers.hpp"
#include "models/kernel/syntax/type_names.hpp"

namespace reconverge::kernel {

namespace {

using Fit = OperandBinder::Fit;
using Written = SyntaxOperand::Kind;

// The type of one of `count` parts of the type of a mov.
DataType part_type(const Work& work, const SyntaxOperand& vector, const OperandBinder& binder) {
  const std::size_t count = vector.elements.size();
  const unsigned bytes = bytes_of(work.instruction.type);
  if (count == 2 && bytes == 8) return DataType::b32;
  if ((count == 2 && bytes == 4) || (count == 4 && bytes == 8)) return DataType::b16;
  binder.refuse(vector.position, fmt::format("mov of {} parts and {} bits", count, 8 * bytes),
                "mov.b32 takes 2 x 16 bits, mov.b64 takes 2 x 32 or 4 x 16");
}

Work unpack(const SyntaxOperand& to, const SyntaxOperand& from, Work work, OperandBinder& binder) {
  Instruction& instruction = work.instruction;
  instruction.opcode = Opcode::unpack;
  instruction.source_type = part_type(work, to, binder);
  instruction.vector_width = static_cast<std::uint8_t>(to.elements.size());
  for (unsigned i = 0; i < to.elements.size(); ++i) {
    binder.destination(work, i, to.elements[i], instruction.source_type);
  }
  binder.source(work, 0, from, instruction.type);
  return work;
}

Work pack(const SyntaxOperand& to, const SyntaxOperand& from, Work work, OperandBinder& binder) {
  Instruction& instruction = work.instruction;
  instruction.opcode = Opcode::pack;
  instruction.source_type = part_type(work, from, binder);
  instruction.vector_width = static_cast<std::uint8_t>(from.elements.size());
  binder.destination(work, 0, to, instruction.type);
  for (unsigned i = 0; i < from.elements.size(); ++i) {
    binder.source(work, i, from.elements[i], instruction.source_type);
  }
  return work;
}

// There are no constant rows for predicates, so a constant predicate is a comparison of its bit with zero.
Work predicate_constant(Work work, const SyntaxOperand& from, OperandBinder& binder) {
  Instruction& instruction = work.instruction;
  instruction.opcode = Opcode::setp;
  instruction.type = DataType::u32;
  instruction.comparison = Comparison::ne;
  binder.constant(work, 0, binder.predicate_of(from) ? 1 : 0, false, from.position);
  binder.constant(work, 1, 0, false, from.position);
  return work;
}

// Makes `work`, a mov with its destination, read the special register `from`; returns false if there is none of that
// name.
bool read_special(const SyntaxOperand& from, Work& work, const OperandBinder& binder) {
  Instruction& instruction = work.instruction;
  const bool wide = bytes_of(instruction.type) == 8;
  if (const auto row = special_row_named(from.name); row && wide) {
    binder.refuse_offset(from);
    instruction.opcode = Opcode::cvt;
    instruction.type = DataType::u64;
    instruction.source_type = DataType::u32;
    instruction.source[0] = Operand(Bank::special, static_cast<unsigned>(*row));
    return true;
  }
  const auto dynamic = value_named(from.name, DynamicRegister::clock, DynamicRegister::aggr_smem_size);
  if (!dynamic) return false;
  binder.refuse_offset(from);
  const bool has_64_bits = *dynamic == DynamicRegister::clock64 || *dynamic == DynamicRegister::globaltimer;
  if (has_64_bits != wide || bytes_of(instruction.type) < 4) {
    binder.refuse(from.position, fmt::format("{} has {} bits", from.name, has_64_bits ? 64 : 32),
                  has_64_bits ? "read it with mov.u64" : "read it with mov.u32");
  }
  instruction.opcode = Opcode::read_special;
  instruction.variant = static_cast<std::uint8_t>(*dynamic);
  return true;
}

bool is_half(DataType type) { return type == DataType::f16 || type == DataType::bf16; }

// Whether `to` can represent every value of `from`; both are integers.
bool holds_all(DataType to, DataType from) {
  if (is_signed(to) == is_signed(from)) return bytes_of(to) >= bytes_of(from);
  return is_signed(to) && bytes_of(to) > bytes_of(from);
}

// The table lists the types that convert; this determines which conversions round, and which can leave the range.
void check_conversion(const SyntaxInstruction& syntax, const Instruction& instruction, const OperandBinder& binder) {
  const DataType to = instruction.type;
  const DataType from = instruction.source_type;
  const bool given = instruction.rounding != Rounding::none;
  const bool integral = given && instruction.rounding >= Rounding::rni;
  if (!is_float(to) && !is_float(from) && instruction.saturate && holds_all(to, from)) {
    binder.refuse(syntax.position, "this conversion cannot leave the range", "leave .sat out");
  }
  if (is_float(from) && !is_float(to)) {
    if (integral) return;
    binder.refuse(syntax.position, "float to integer needs an integer rounding", "write .rni, .rzi, .rmi or .rpi");
  }
  const bool between_halves = is_half(to) && is_half(from) && to != from;
  const bool rounds = is_float(to) && (!is_float(from) || bytes_of(to) < bytes_of(from));
  if (rounds && (!given || integral)) {
    binder.refuse(syntax.position, "this conversion to float rounds, so it needs a rounding",
                  "write .rn, .rz, .rm or .rp");
  }
  const bool may_round = rounds || (between_halves && !integral) || (from == DataType::bf16 && to != from && !integral);
  const bool to_integral = is_float(to) && to == from && integral;
  if (given && !may_round && !to_integral) {
    binder.refuse(syntax.position, "this conversion does not round", "leave the rounding out");
  }
}

// A cvt under the guard of `like`, without operands.
Work conversion(DataType to, DataType from, const Work& like) {
  Work work;
  work.instruction.opcode = Opcode::cvt;
  work.instruction.operation_class = OperationClass::multiply;
  work.instruction.type = to;
  work.instruction.source_type = from;
  work.instruction.guard = like.instruction.guard;
  work.instruction.guard_negated = like.instruction.guard_negated;
  work.values.guard = like.values.guard;
  return work;
}

// Extends the 32 bits of `step` to 64, with the signedness of the type of `like`. The destination is not set.
Work extension_of(ValueId step, const Work& like, OperandBinder& binder) {
  const bool with_sign = is_signed(like.instruction.type);
  Work extend = conversion(with_sign ? DataType::s64 : DataType::u64, with_sign ? DataType::s32 : DataType::u32, like);
  binder.place(extend, false, 0, step);
  return extend;
}

}  // namespace

std::vector<Work> lower_mov(const SyntaxInstruction& syntax, Work work, OperandBinder& binder) {
  const SyntaxOperand& to = syntax.operands[0];
  SyntaxOperand from = syntax.operands[1];
  const DataType type = work.instruction.type;
  const bool undeclared = from.kind == Written::name && binder.find(from.name).kind == Symbol::Kind::none;
  if (undeclared) binder.require_target(from);
  if (const auto alias = undeclared ? special_register_alias(from) : std::nullopt) {
    binder.refuse_offset(from);
    from = *alias;
  }
  if (to.kind == Written::vector) return {unpack(to, from, work, binder)};
  if (from.kind == Written::vector) return {pack(to, from, work, binder)};
  binder.destination(work, 0, to, type);
  if (type == DataType::pred && from.kind == Written::integer) return {predicate_constant(work, from, binder)};
  if (!undeclared || from.kind != Written::name || !read_special(from, work, binder))
    binder.source(work, 0, from, type);
  return {work};
}

Work postponed_write(const SyntaxInstruction& syntax, InstructionValues& read, OperandBinder& binder) {
  const ValueClass value_class = binder.class_of_value(read.destination[0]);
  Work copy;
  copy.instruction.opcode = Opcode::mov;
  copy.instruction.type = value_class == ValueClass::wide ? DataType::u64 : DataType::u32;
  binder.guard(copy, syntax);
  binder.place(copy, true, 0, read.destination[0]);
  read.destination[0] = binder.new_value(value_class);
  binder.place(copy, false, 0, read.destination[0]);
  return copy;
}

std::vector<Work> lower_cvt(const SyntaxInstruction& syntax, Work work, OperandBinder& binder) {
  Instruction& instruction = work.instruction;
  check_conversion(syntax, instruction, binder);
  const SyntaxOperand& to = syntax.operands[0];
  const SyntaxOperand& from = syntax.operands[1];
  const auto is_wide = [&](const SyntaxOperand& operand) {
    return class_of(binder.declared_type(operand)) == ValueClass::wide;
  };
  std::vector<Work> result;
  if (is_wide(from) && bytes_of(instruction.source_type) < 8) {
    const DataType step_type = is_signed(instruction.source_type) ? DataType::s32 : DataType::u32;
    Work truncate = conversion(step_type, DataType::u64, work);
    binder.source(truncate, 0, from, DataType::u64, Fit::wider);
    const ValueId step = binder.new_value(ValueClass::narrow);
    binder.place(truncate, true, 0, step);
    binder.place(work, false, 0, step);
    result.push_back(truncate);
  } else {
    binder.source(work, 0, from, instruction.source_type, Fit::wider);
  }
  if (is_wide(to) && bytes_of(instruction.type) < 8) {
    const ValueId step = binder.new_value(ValueClass::narrow);
    binder.place(work, true, 0, step);
    result.push_back(work);
    Work extend = extension_of(step, work, binder);
    binder.destination(extend, 0, to, extend.instruction.type);
    result.push_back(extend);
  } else {
    binder.destination(work, 0, to, instruction.type, Fit::wider);
    result.push_back(work);
  }
  return result;
}

std::vector<Work> lower_predicate_constant(const SyntaxInstruction& syntax, Work work, OperandBinder& binder) {
  Instruction& instruction = work.instruction;
  const Opcode opcode = instruction.opcode;
  const bool is_logic = opcode == Opcode::and_ || opcode == Opcode::or_ || opcode == Opcode::xor_;
  if (!is_logic || instruction.type != DataType::pred) return {};
  const SyntaxOperand& constant = syntax.operands[2];
  if (constant.kind != Written::integer) return {};
  const bool value = binder.predicate_of(constant);
  binder.destination(work, 0, syntax.operands[0], DataType::pred);
  const bool decides = opcode == Opcode::and_ ? !value : opcode == Opcode::or_ && value;
  if (decides) return {predicate_constant(work, constant, binder)};
  binder.source(work, 0, syntax.operands[1], DataType::pred);
  instruction.opcode = opcode == Opcode::xor_ && value ? Opcode::not_ : Opcode::mov;
  return {work};
}

std::vector<Work> lower_parameter_load(Work work, OperandBinder& binder) {
  if (work.instruction.source_type != DataType::b64) return {work};
  work.instruction.source_type = DataType::none;
  work.instruction.wide_operands = 0;
  std::vector<Work> result(1);
  for (unsigned i = 0; i < work.instruction.vector_width; ++i) {
    const ValueId loaded = work.values.destination[i];
    if (loaded == no_value) continue;
    const ValueId step = binder.new_value(ValueClass::narrow);
    binder.place(work, true, i, step);
    Work extend = extension_of(step, work, binder);
    binder.place(extend, true, 0, loaded);
    result.push_back(extend);
  }
  result.front() = work;
  return result;
}

}  // namespace reconverge::kernel

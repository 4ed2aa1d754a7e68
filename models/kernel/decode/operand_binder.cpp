// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/decode/operand_binder.hpp"

#include <fmt/format.h>

#include <bit>
#include <limits>

#include "models/core/lane_mask.hpp"
#include "models/core/suggestion.hpp"
#include "models/kernel/syntax/type_names.hpp"

namespace reconverge::kernel {

namespace {

using Kind = SyntaxOperand::Kind;

unsigned bits_of(DataType type) { return type == DataType::pred ? 1 : 8 * bytes_of(type); }

std::string_view describe(ValueClass value_class) {
  return value_class == ValueClass::predicate ? "a predicate" : value_class == ValueClass::wide ? "64 bits" : "32 bits";
}

}  // namespace

ValueClass class_of(DataType type) {
  if (type == DataType::pred) return ValueClass::predicate;
  return bytes_of(type) == 8 ? ValueClass::wide : ValueClass::narrow;
}

std::optional<SpecialRow> special_row_named(std::string_view name) {
  return value_named(name, SpecialRow::tid_x, SpecialRow::extension_0);
}

void OperandBinder::refuse(Position position, std::string_view message, std::string_view hint) const {
  throw InputError(locate(module_.file, position), message, hint);
}

void OperandBinder::refuse_unknown(const SyntaxOperand& operand) const {
  const auto known = symbols_.names(scope_);
  const std::string_view near = nearest(operand.name, known);
  refuse(operand.position, fmt::format("'{}' is not declared", operand.name),
         near.empty() ? "declare it with .reg or as a variable, or use a special register that the README lists"
                      : fmt::format("did you mean {}?", near));
}

void OperandBinder::refuse_offset(const SyntaxOperand& operand, std::string_view hint) const {
  if (operand.integer != 0) refuse(operand.position, fmt::format("'{}' takes no offset here", operand.name), hint);
}

ValueId OperandBinder::new_value(ValueClass value_class) {
  draft_.values.push_back(value_class);
  return static_cast<ValueId>(draft_.values.size() - 1);
}

void OperandBinder::check_owner(const Symbol& symbol, Position position) const {
  if (symbol.scope != 0 || function_.entry) return;
  refuse(position, "a function cannot use registers and .local variables of the module",
         "pass it to the function, or declare it there");
}

ValueId OperandBinder::value_of(const Symbol& symbol) {
  const auto next = static_cast<ValueId>(draft_.values.size());
  const auto [found, is_new] = value_ids_.try_emplace({symbol.declaration, symbol.number}, next);
  if (is_new) draft_.values.push_back(class_of(symbol.declaration->type));
  return found->second;
}

void OperandBinder::place(Work& work, bool is_destination, unsigned slot, ValueId value) {
  (is_destination ? work.values.destination[slot] : work.values.source[slot]) = value;
  const unsigned bit = is_destination ? slot : 4 + slot;
  if (draft_.values[value] == ValueClass::wide) {
    work.instruction.wide_operands = static_cast<std::uint16_t>(work.instruction.wide_operands | 1U << bit);
  }
}

void OperandBinder::constant(Work& work, unsigned slot, std::uint64_t bits, bool wide, Position position) {
  work.instruction.source[slot] = constants_.literal(bits, wide, position);
  if (wide)
    work.instruction.wide_operands = static_cast<std::uint16_t>(work.instruction.wide_operands | 1U << (4 + slot));
}

DataType OperandBinder::declared_type(const SyntaxOperand& operand) const {
  if (operand.kind != Kind::name) return DataType::none;
  const Symbol symbol = find(operand.name);
  return symbol.kind == Symbol::Kind::reg ? symbol.declaration->type : DataType::none;
}

std::int64_t OperandBinder::integer(const SyntaxOperand& operand, std::string_view what) const {
  if (operand.kind != Kind::integer) refuse(operand.position, fmt::format("{} must be an integer constant", what));
  return operand.integer;
}

void OperandBinder::guard(Work& work, const SyntaxInstruction& syntax) {
  if (syntax.guard.empty()) return;
  SyntaxOperand operand;
  operand.name = syntax.guard;
  operand.position = syntax.guard_position;
  const Symbol symbol = find(syntax.guard);
  if (symbol.kind == Symbol::Kind::none) refuse_unknown(operand);
  if (symbol.kind != Symbol::Kind::reg || symbol.declaration->type != DataType::pred) {
    refuse(syntax.guard_position, fmt::format("guard '{}' is no predicate register", syntax.guard),
           "declare it with .reg .pred");
  }
  check_owner(symbol, syntax.guard_position);
  work.values.guard = value_of(symbol);
  work.instruction.guard = Operand(Bank::predicate, 0);  // marks that there is a guard; allocation sets the row
  work.instruction.guard_negated = syntax.guard_negated;
}

void OperandBinder::check_register(const SyntaxOperand& operand, const Symbol& symbol, DataType type, Fit fit) const {
  check_owner(symbol, operand.position);
  const DataType declared = symbol.declaration->type;
  const unsigned wanted = bits_of(type);
  const unsigned found = bits_of(declared);
  const bool predicates_agree = (declared == DataType::pred) == (type == DataType::pred);
  if (!predicates_agree || (fit == Fit::exact ? found != wanted : found < wanted)) {
    refuse(operand.position,
           fmt::format("register '{}' is declared .{} but .{} is needed here", operand.name, name_of(declared),
                       name_of(type)),
           "use a register of that size, or convert with cvt");
  }
}

void OperandBinder::bind_register(Work& work, bool is_destination, unsigned slot, const SyntaxOperand& operand,
                                  const Symbol& symbol) {
  const DataType declared = symbol.declaration->type;
  if (operand.integer != 0) {
    if (is_destination || is_float(declared) || declared == DataType::pred) refuse_offset(operand);
    const auto addend = static_cast<std::uint64_t>(operand.integer);
    return place(work, false, slot, sum(value_of(symbol), addend, operand.position));
  }
  if (operand.negated) {
    if (is_destination || declared != DataType::pred) {
      refuse(operand.position, "'!' is only for predicates that are read", "use not");
    }
    work.instruction.negated_sources = static_cast<std::uint8_t>(work.instruction.negated_sources | 1U << slot);
  }
  place(work, is_destination, slot, value_of(symbol));
}

void OperandBinder::destination(Work& work, unsigned slot, const SyntaxOperand& operand, DataType type, Fit fit) {
  if (operand.kind != Kind::name || operand.minus) refuse(operand.position, "a destination must be a register");
  if (operand.name == "_") return;
  const Symbol symbol = find(operand.name);
  if (symbol.kind == Symbol::Kind::none) refuse_unknown(operand);
  if (symbol.kind != Symbol::Kind::reg) {
    refuse(operand.position, fmt::format("destination '{}' is no register", operand.name));
  }
  check_register(operand, symbol, type, fit);
  bind_register(work, true, slot, operand, symbol);
}

void OperandBinder::source(Work& work, unsigned slot, const SyntaxOperand& operand, DataType type, Fit fit) {
  if (operand.minus) refuse(operand.position, "a register takes no '-' here", "negate it with neg");
  switch (operand.kind) {
    case Kind::name:
      return bind_name(work, slot, operand, type, fit);
    case Kind::integer:
      if (type == DataType::pred) return predicate_constant(work, slot, operand);
      [[fallthrough]];
    case Kind::single:
    case Kind::floating:
      return constant(work, slot, literal_bits(operand, type), class_of(type) == ValueClass::wide, operand.position);
    default:
      refuse(operand.position, fmt::format("a register or constant of type .{} is needed here", name_of(type)),
             "addresses and vectors are for ld, st, atom, red and mov");
  }
}

void OperandBinder::bind_name(Work& work, unsigned slot, const SyntaxOperand& operand, DataType type, Fit fit) {
  const Symbol symbol = find(operand.name);
  const bool wide = class_of(type) == ValueClass::wide;
  if (symbol.kind == Symbol::Kind::reg) {
    check_register(operand, symbol, type, fit);
    return bind_register(work, false, slot, operand, symbol);
  }
  if (operand.negated || type == DataType::pred) refuse(operand.position, "a predicate register is needed here");
  switch (symbol.kind) {
    case Symbol::Kind::variable:
    case Symbol::Kind::parameter:
      if (is_float(type) || bytes_of(type) < 4) {
        refuse(operand.position, fmt::format("the address of '{}' is no .{}", operand.name, name_of(type)),
               "take addresses with mov.u64 or mov.u32");
      }
      if (symbol.kind == Symbol::Kind::parameter) {
        if (!function_.entry) {
          return address_on_stack(work, slot, {frame_.incoming(*symbol.variable), false}, operand, wide);
        }
        return constant(work, slot, parameter_offset(operand.name) + static_cast<std::uint64_t>(operand.integer), wide,
                        operand.position);
      }
      if (symbol.variable->space == Space::local || symbol.variable->space == Space::param) {
        check_owner(symbol, operand.position);
        return address_on_stack(work, slot, frame_.place(*symbol.variable), operand, wide);
      }
      if (!wide && symbol.variable->texture) {
        refuse(operand.position, fmt::format("the handle of the texture reference '{}' has 64 bits", operand.name),
               "read it with mov.u64, or name the reference in the fetch");
      }
      work.instruction.source[slot] = constants_.address(*symbol.variable, operand.integer, wide, operand.position);
      if (wide) {
        work.instruction.wide_operands = static_cast<std::uint16_t>(work.instruction.wide_operands | 1U << (4 + slot));
      }
      return;
    case Symbol::Kind::function:
      if (symbol.function->entry || !symbol.function->defined) {
        refuse(operand.position, fmt::format("'{}' is no function that the module defines", operand.name));
      }
      refuse_offset(operand);
      return constant(work, slot, constants_.function_address(*symbol.function), wide, operand.position);
    case Symbol::Kind::none:
      break;
    default:
      refuse(operand.position, fmt::format("'{}' is a label, not a value", operand.name), "jump with bra or brx.idx");
  }
  const auto row = special_row_named(operand.name);
  if (!row) refuse_unknown(operand);
  if (wide) refuse(operand.position, "special registers have 32 bits", "read it with mov.u32 first");
  refuse_offset(operand);
  work.instruction.source[slot] = Operand(Bank::special, static_cast<unsigned>(*row));
}

bool OperandBinder::predicate_of(const SyntaxOperand& operand) const {
  if (operand.integer < -1 || operand.integer > 1) {
    refuse(operand.position, fmt::format("{} is no truth value", operand.integer), "a constant predicate is 0 or 1");
  }
  return operand.integer != 0;
}

// The constant bank has no predicates: a comparison before the operation computes the constant.
void OperandBinder::predicate_constant(Work& work, unsigned slot, const SyntaxOperand& operand) {
  Work compare;
  compare.instruction.opcode = Opcode::setp;
  compare.instruction.type = DataType::u32;
  compare.instruction.comparison = Comparison::ne;
  constant(compare, 0, predicate_of(operand) ? 1 : 0, false, operand.position);
  constant(compare, 1, 0, false, operand.position);
  const ValueId value = new_value(ValueClass::predicate);
  place(compare, true, 0, value);
  prelude_.push_back(compare);
  place(work, false, slot, value);
}

std::uint64_t OperandBinder::literal_bits(const SyntaxOperand& operand, DataType type) const {
  const auto bits = static_cast<std::uint64_t>(operand.integer);
  const bool is_bits = type == DataType::b8 || type == DataType::b16 || type == DataType::b32 || type == DataType::b64;
  if (operand.kind == Kind::integer) {
    if (is_float(type)) {
      const bool has_literals = type == DataType::f32 || type == DataType::f64;
      refuse(operand.position, fmt::format("an integer stands where .{} is needed", name_of(type)),
             has_literals ? "write 0f and 8 hex digits, 0d and 16, or a number with a point"
                          : "mov its bits to a register first: PTX has no constants of this type");
    }
    return bits;
  }
  if (type == DataType::f32 || type == DataType::b32) {
    if (operand.kind == Kind::single) return bits;
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
  }
  if (type == DataType::f64 || type == DataType::b64) {
    if (operand.kind == Kind::floating) return bits;
    return std::bit_cast<std::uint64_t>(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
  }
  refuse(operand.position, fmt::format("a float stands where .{} is needed", name_of(type)),
         is_float(type) ? "mov its bits to a register first: PTX has no constants of this type"
         : is_bits      ? "write its bits as an integer"
                        : "write an integer");
}

std::uint32_t OperandBinder::parameter_offset(std::string_view name) const {
  for (const KernelParameter& parameter : draft_.program.parameters) {
    if (parameter.name == name) return parameter.offset;
  }
  return 0;
}

void OperandBinder::check_extent(const SyntaxOperand& base, const VariableDeclaration& variable, std::int64_t offset,
                                 const Instruction& instruction) const {
  if (variable.space != Space::param) return;
  const std::int64_t end = offset + static_cast<std::int64_t>(bytes_of(instruction.type)) * instruction.vector_width;
  if (offset < 0 || end > static_cast<std::int64_t>(variable.bytes())) {
    refuse(base.position,
           fmt::format("bytes {} to {} of parameter '{}', which has {}", offset, end, variable.name, variable.bytes()));
  }
}

ValueId OperandBinder::stack_pointer() {
  if (draft_.stack_pointer == no_value) draft_.stack_pointer = new_value(ValueClass::narrow);
  return draft_.stack_pointer;
}

void OperandBinder::frame_address(Work& work, FramePlace at, std::int64_t addend) {
  Instruction& instruction = work.instruction;
  instruction.space = Space::local;
  instruction.wide_address = false;
  instruction.offset = static_cast<std::int32_t>(at.offset + addend);
  work.values.beyond_frame = at.beyond;
  if (function_.entry && !at.beyond) {
    // The frame of the entry begins at zero: its address needs no register.
    constant(work, 0, 0, false, {});
  } else {
    place(work, false, 0, stack_pointer());
  }
}

ValueId OperandBinder::sum(ValueId value, std::uint64_t addend, Position position) {
  const bool wide = draft_.values[value] == ValueClass::wide;
  Work work;
  work.instruction.opcode = Opcode::add;
  work.instruction.type = wide ? DataType::u64 : DataType::u32;
  place(work, false, 0, value);
  constant(work, 1, addend, wide, position);
  const ValueId result = new_value(draft_.values[value]);
  place(work, true, 0, result);
  prelude_.push_back(work);
  return result;
}

void OperandBinder::address_on_stack(Work& work, unsigned slot, FramePlace at, const SyntaxOperand& operand,
                                     bool wide) {
  if (at.beyond) {
    refuse(operand.position, "the address of what a call passes cannot be taken", "copy it to a .local variable");
  }
  const auto offset = static_cast<std::uint64_t>(at.offset + operand.integer);
  if (function_.entry) return constant(work, slot, offset, wide, operand.position);
  const ValueId low = sum(stack_pointer(), offset, operand.position);
  if (!wide) return place(work, false, slot, low);
  Work extend;
  extend.instruction.opcode = Opcode::cvt;
  extend.instruction.operation_class = OperationClass::multiply;
  extend.instruction.type = DataType::u64;
  extend.instruction.source_type = DataType::u32;
  place(extend, false, 0, low);
  const ValueId whole = new_value(ValueClass::wide);
  place(extend, true, 0, whole);
  prelude_.push_back(extend);
  place(work, false, slot, whole);
}

void OperandBinder::parameter_address(Work& work, const SyntaxOperand& operand, const VariableDeclaration& parameter) {
  Instruction& instruction = work.instruction;
  if (!function_.entry) {
    if (instruction.space != Space::param) {
      refuse(operand.position, fmt::format("'{}' is a parameter of the function", parameter.name),
             "read it with ld.param, write results with st.param");
    }
    check_extent(operand, parameter, operand.integer, instruction);
    return frame_address(work, {frame_.incoming(parameter), false}, operand.integer);
  }
  if (instruction.space != Space::param || instruction.opcode != Opcode::ld) {
    refuse(operand.position, fmt::format("'{}' is a parameter of the kernel", parameter.name), "read it with ld.param");
  }
  const std::uint64_t end =
      static_cast<std::uint64_t>(operand.integer) + bytes_of(instruction.type) * instruction.vector_width;
  if (operand.integer < 0 || end > parameter.bytes()) {
    refuse(operand.position, fmt::format("bytes {} to {} of parameter '{}', which has {}", operand.integer, end,
                                         parameter.name, parameter.bytes()));
  }
  instruction.opcode = Opcode::ld_param;
  instruction.offset = static_cast<std::int32_t>(parameter_offset(parameter.name) + operand.integer);
}

void OperandBinder::address(Work& work, const SyntaxOperand& operand) {
  Instruction& instruction = work.instruction;
  if (operand.kind != Kind::address) refuse(operand.position, "an address in [ ] is needed here");
  if (operand.elements.size() != 1) refuse(operand.position, "only textures have addresses of two parts");
  if (operand.integer < std::numeric_limits<std::int32_t>::min() ||
      operand.integer > std::numeric_limits<std::int32_t>::max()) {
    refuse(operand.position, "the offset of an address has at most 32 bits", "add it to the register");
  }
  const SyntaxOperand& base = operand.elements.front();
  const bool wide = module_.address_size == 64;
  instruction.offset = static_cast<std::int32_t>(operand.integer);
  instruction.wide_address = wide;
  if (base.kind == Kind::integer)
    return constant(work, 0, static_cast<std::uint64_t>(base.integer), wide, base.position);
  const Symbol symbol = find(base.name);
  switch (symbol.kind) {
    case Symbol::Kind::reg: {
      check_owner(symbol, base.position);
      const DataType declared = symbol.declaration->type;
      if (declared == DataType::pred || bytes_of(declared) < 4 || is_float(declared)) {
        refuse(base.position, fmt::format("register '{}' is declared .{}", base.name, name_of(declared)),
               "addresses are held in 32-bit or 64-bit integer registers");
      }
      instruction.wide_address = class_of(declared) == ValueClass::wide;
      // The arguments of a function are in its frame.
      if (instruction.space == Space::param && !function_.entry) instruction.space = Space::local;
      return place(work, false, 0, value_of(symbol));
    }
    case Symbol::Kind::variable: {
      const Space space = symbol.variable->space;
      const bool on_stack = space == Space::local || space == Space::param;
      const bool is_access = instruction.opcode == Opcode::ld || instruction.opcode == Opcode::st;
      // A generic access to a named variable goes to the variable's space.
      const bool is_known = space == Space::shared || (space == Space::local && is_access);
      if (instruction.space == Space::generic && is_known) instruction.space = space;
      if (on_stack && instruction.space == space) {
        check_owner(symbol, base.position);
        check_extent(base, *symbol.variable, operand.integer, instruction);
        return frame_address(work, frame_.place(*symbol.variable), operand.integer);
      }
      const bool window_is_flat = space == Space::global || space == Space::constant;
      if (space != instruction.space && space != Space::param &&
          !(instruction.space == Space::generic && window_is_flat)) {
        refuse(base.position,
               fmt::format("'{}' is in .{}, not in .{}", base.name, name_of(space), name_of(instruction.space)),
               fmt::format("write .{}, or convert its address with cvta", name_of(space)));
      }
      // A named variable is accessed without a register, so it may be anywhere, also in modules with 32-bit addresses.
      instruction.wide_address = wide || space != Space::shared;
      instruction.source[0] = constants_.address(*symbol.variable, 0, instruction.wide_address, base.position);
      if (instruction.wide_address) {
        instruction.wide_operands = static_cast<std::uint16_t>(instruction.wide_operands | 1U << 4);
      }
      return;
    }
    case Symbol::Kind::parameter:
      return parameter_address(work, operand, *symbol.variable);
    case Symbol::Kind::none:
      refuse_unknown(base);
    default:
      refuse(base.position, fmt::format("'{}' is no address of data", base.name));
  }
}

void OperandBinder::memory_data(Work& work, const SyntaxOperand& operand, bool is_load, unsigned first) {
  Instruction& instruction = work.instruction;
  const unsigned width = instruction.vector_width;
  const bool is_vector = operand.kind == Kind::vector;
  if (width > 1 ? !is_vector || operand.elements.size() != width : is_vector && operand.elements.size() != 1) {
    refuse(operand.position, fmt::format("{} registers in braces are needed here", width),
           ".v2 takes {a, b}, .v4 takes {a, b, c, d}");
  }
  const auto element = [&](unsigned i) -> const SyntaxOperand& { return is_vector ? operand.elements[i] : operand; };
  ValueClass common = class_of(instruction.type);
  for (unsigned i = 0; i < width; ++i) {
    const DataType declared = declared_type(element(i));
    if (declared != DataType::none && class_of(declared) == ValueClass::wide) common = ValueClass::wide;
  }
  const bool extended = common == ValueClass::wide && bytes_of(instruction.type) < 8;
  if (extended) instruction.source_type = DataType::b64;
  for (unsigned i = 0; i < width; ++i) {
    const SyntaxOperand& one = element(i);
    const bool is_register = declared_type(one) != DataType::none;
    if (is_load) {
      destination(work, i, one, instruction.type, Fit::wider);
    } else if (extended && !is_register) {
      source(work, first + i, one, DataType::b64, Fit::wider);
    } else {
      source(work, first + i, one, instruction.type, Fit::wider);
    }
    if (is_register && class_of(declared_type(one)) != common) {
      refuse(one.position,
             fmt::format("register '{}' does not have {} as the others of the vector", one.name, describe(common)));
    }
  }
}

}  // namespace reconverge::kernel

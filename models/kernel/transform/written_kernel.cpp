// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/transform/written_kernel.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "models/core/error.hpp"
#include "models/kernel/analysis/control_flow.hpp"
#include "models/kernel/decode/legacy_forms.hpp"
#include "models/kernel/decode/matcher.hpp"
#include "models/kernel/decode/special_registers.hpp"
#include "models/kernel/decode/vector_forms.hpp"

namespace reconverge::kernel {

namespace {

using Kind = OperandRule::Kind;
using Written = SyntaxOperand::Kind;

bool belongs_to_grid_thread(std::string_view name) {
  return name.starts_with("%tid.") || name.starts_with("%ctaid.") || name.starts_with("%clusterid.");
}

// The operand type of a rule.
DataType type_of(const OperandRule& rule, const Instruction& instruction) {
  switch (rule.kind) {
    case Kind::type:
    case Kind::vector:
      return instruction.type;
    case Kind::source_type:
      return instruction.source_type;
    case Kind::wide_type:
      return bytes_of(instruction.type) == 2 ? DataType::b32 : DataType::b64;
    default:
      return rule.type;
  }
}

// A special register has 32 bits, but PTX can read it as 16 and as 64 bits, too.
DataType bits_like(DataType type) {
  switch (bytes_of(type)) {
    case 2:
      return DataType::b16;
    case 8:
      return DataType::b64;
    default:
      return DataType::b32;
  }
}

// `%r1.b0` of a video instruction is a part of `%r1`.
std::string_view without_part(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot);
}

}  // namespace

/// Fills the information of a WrittenKernel for each instruction.
class AccessReader {
 public:
  explicit AccessReader(WrittenKernel& kernel)
      : kernel_(kernel), source_(*kernel.module_.source), file_(kernel.module_.file) {}

  void run() {
    const Function& function = kernel_.function_;
    std::uint32_t next = 0;
    for (const Statement& statement : function.statements) {
      if (statement.kind == Statement::Kind::label) pc_of_label_[&statement] = next;
      if (statement.kind == Statement::Kind::instruction) ++next;
    }
    for (std::uint32_t i = 0; i < function.statements.size(); ++i) {
      if (function.statements[i].kind != Statement::Kind::instruction) continue;
      scope_ = kernel_.scope_of_statement(i);
      kernel_.statement_of.push_back(i);
      add(function.instructions[function.statements[i].index]);
    }
    // A thread that reaches the end of the body, or branches there, returns.
    Instruction end;
    end.opcode = Opcode::exit;
    kernel_.operations.push_back(end);
    kernel_.accesses.emplace_back();
    kernel_.statement_of.push_back(static_cast<std::uint32_t>(function.statements.size()));
  }

 private:
  void add(const SyntaxInstruction& written) {
    accesses_ = {};
    Instruction operation;
    if (!written.guard.empty()) {
      accesses_.conditional = true;
      name(written.guard, written.guard_position, DataType::pred, false);
      operation.guard = Operand(Bank::predicate, 0);
    }
    const Instruction with_guard = operation;
    const std::vector<SyntaxInstruction> parts = split_vectors(written, file_);
    for (const SyntaxInstruction& part : parts) operation = add_part(part);
    if (parts.empty()) operation = add_part(written);
    operation.guard = with_guard.guard;
    operation.guard_negated = written.guard_negated;
    operation.line = written.position.line;
    kernel_.operations.push_back(operation);
    kernel_.accesses.push_back(std::move(accesses_));
  }

  Instruction add_part(const SyntaxInstruction& part) {
    const std::optional<SyntaxInstruction> full = in_full(part, kernel_.module_);
    const SyntaxInstruction& syntax = full ? *full : part;
    Instruction operation;
    if (syntax.mnemonic == "call") {
      operation.opcode = Opcode::call;
      add_call(syntax);
      return operation;
    }
    const CompiledRule& rule = Matcher::of_table().match(syntax, file_, operation);
    if (operation.opcode == Opcode::ret) operation.opcode = Opcode::exit;  // a return from a kernel ends the thread
    add_operands(rule, syntax, operation);
    return operation;
  }

  void add_operands(const CompiledRule& rule, const SyntaxInstruction& syntax, Instruction& operation) {
    const auto most = static_cast<std::size_t>(
        std::count_if(rule.operands.begin(), rule.operands.end(), [](const auto& one) { return one.written(); }));
    std::size_t left_out = most - std::min(most, syntax.operands.size());
    auto written = syntax.operands.begin();
    for (const OperandRule& operand : rule.operands) {
      if (!operand.written()) {
        access(value({WrittenValue::Kind::carry, "CC", DataType::pred}), operand.destination);
        continue;
      }
      if (operand.may_be_left_out() && left_out != 0) {
        --left_out;
        continue;
      }
      if (written == syntax.operands.end()) return;
      add_operand(operand, *written++, operation);
    }
  }

  void add_operand(const OperandRule& rule, const SyntaxOperand& written, Instruction& operation) {
    switch (rule.kind) {
      case Kind::label:
        operation.target = pc_of(written.name);
        return;
      case Kind::table:
        operation.target = static_cast<Pc>(kernel_.tables.size());
        add_table(written.name);
        return;
      case Kind::part:
        return name(without_part(written.name), written.position, DataType::b32, rule.destination);
      case Kind::memory:
        // Arguments of a call are written and read by name.
        if (is_argument(written.elements.front())) {
          return access(argument(written.elements.front()), operation.opcode == Opcode::st);
        }
        return add_names(written, DataType::b64, false);
      default:
        return add_names(written, type_of(rule, operation), rule.destination);
    }
  }

  // Registers in the operand, at any depth.
  void add_names(const SyntaxOperand& written, DataType type, bool writes) {
    if (written.kind == Written::name && !written.name.empty()) name(written.name, written.position, type, writes);
    for (const SyntaxOperand& element : written.elements) add_names(element, type, writes);
  }

  // Results are in a list before the function, arguments in a list after it.
  void add_call(const SyntaxInstruction& syntax) {
    bool writes = true;
    for (std::size_t i = 0; i < syntax.operands.size(); ++i) {
      const SyntaxOperand& operand = syntax.operands[i];
      if (operand.kind != Written::list) {
        if (i == 0 || syntax.operands[i - 1].kind == Written::list) writes = false;
        continue;
      }
      for (const SyntaxOperand& element : operand.elements) {
        if (is_argument(element))
          access(argument(element), writes);
        else
          add_names(element, DataType::b64, writes);
      }
    }
  }

  bool is_argument(const SyntaxOperand& operand) const {
    const Symbol symbol = kernel_.find(operand.name, scope_);
    return symbol.kind == Symbol::Kind::variable && symbol.variable->space == Space::param;
  }

  ValueId argument(const SyntaxOperand& operand) {
    WrittenValue value{WrittenValue::Kind::argument, operand.name, DataType::none};
    value.position = operand.position;
    return this->value(value);
  }

  void name(std::string_view text, Position position, DataType type, bool writes) {
    if (text.empty() || text == "_") return;
    const Symbol symbol = kernel_.find(text, scope_);
    if (symbol.kind == Symbol::Kind::reg) {
      WrittenValue one{WrittenValue::Kind::reg, text,          symbol.declaration->type,
                       symbol.declaration,      symbol.number, position};
      return access(value(one), writes);
    }
    if (symbol.kind != Symbol::Kind::none || !belongs_to_grid_thread(text)) return;
    WrittenValue one{WrittenValue::Kind::special, text, bits_like(type)};
    one.position = position;
    const ValueId special = value(one);
    access(special, false);
    const bool in_source = text.data() >= source_.data() && text.data() < source_.data() + source_.size();
    kernel_.special_uses.push_back(
        {static_cast<std::uint32_t>(kernel_.operations.size()), special, in_source ? text : std::string_view()});
  }

  ValueId value(const WrittenValue& one) {
    // A register is identified by its declaration; everything else by its name.
    const bool is_register = one.kind == WrittenValue::Kind::reg;
    const Key key{one.kind, is_register ? std::string_view() : one.name, one.declaration, one.number,
                  is_register ? DataType::none : one.type};
    const auto next = static_cast<ValueId>(kernel_.values.size());
    const auto [found, is_new] = ids_.try_emplace(key, next);
    if (is_new) kernel_.values.push_back(one);
    return found->second;
  }

  void access(ValueId value, bool writes) {
    if (writes)
      accesses_.definitions.push_back(value);
    else
      accesses_.uses.push_back(value);
  }

  Pc pc_of(std::string_view label) const {
    const Symbol symbol = kernel_.find(label, scope_);
    return symbol.kind == Symbol::Kind::label ? pc_of_label_.at(symbol.statement) : no_pc;
  }

  void add_table(std::string_view name) {
    std::vector<Pc>& table = kernel_.tables.emplace_back();
    const Symbol symbol = kernel_.find(name, scope_);
    if (symbol.kind != Symbol::Kind::branch_targets) return;
    for (const std::string_view target : symbol.statement->targets) table.push_back(pc_of(target));
  }

  using Key = std::tuple<WrittenValue::Kind, std::string_view, const RegisterDeclaration*, std::uint32_t, DataType>;

  WrittenKernel& kernel_;
  const std::string& source_;
  const std::string& file_;
  std::uint32_t scope_ = 1;
  Accesses accesses_;
  std::map<Key, ValueId> ids_;
  std::unordered_map<const Statement*, Pc> pc_of_label_;
};

WrittenKernel::WrittenKernel(const Module& module, const Function& function)
    : module_(module), function_(function), module_symbols_(module), symbols_(module, module_symbols_, function) {
  AccessReader(*this).run();
  blocks = basic_blocks(operations, tables, {});
}

ValueId WrittenKernel::add_value(const WrittenValue& value, const std::vector<bool>& readers) {
  const auto id = static_cast<ValueId>(values.size());
  values.push_back(value);
  for (std::size_t i = 0; i < readers.size(); ++i) {
    if (readers[i]) accesses[i].uses.push_back(id);
  }
  return id;
}

std::uint32_t WrittenKernel::line_of(std::uint32_t instruction) const {
  if (is_written(instruction)) return written(instruction).position.line;
  return function_.instructions.empty() ? function_.position.line : function_.instructions.back().position.line;
}

std::uint32_t WrittenKernel::scope_of(std::uint32_t instruction) const {
  return is_written(instruction) ? scope_of_statement(statement_of[instruction]) : 1;
}

bool WrittenKernel::names_value(std::uint32_t scope, const WrittenValue& value) const {
  if (value.kind != WrittenValue::Kind::reg) return true;
  const Symbol symbol = find(value.name, scope);
  return symbol.kind == Symbol::Kind::reg && symbol.declaration == value.declaration && symbol.number == value.number;
}

void WrittenKernel::refuse(Position position, std::string_view message, std::string_view hint) const {
  throw InputError(locate(module_.file, position), message, hint);
}

}  // namespace reconverge::kernel

// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/transform/local_state.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"

namespace reconverge::kernel {

namespace {

constexpr std::uint32_t state_alignment = 16;

const VariableDeclaration* local_variable(const WrittenKernel& kernel, const SyntaxOperand& operand,
                                          std::uint32_t scope) {
  if (operand.name.empty()) return nullptr;
  const Symbol symbol = kernel.find(operand.name, scope);
  const bool is_local = symbol.kind == Symbol::Kind::variable && symbol.variable->space == Space::local;
  return is_local ? symbol.variable : nullptr;
}

std::string guard_of(const SyntaxInstruction& written) {
  if (written.guard.empty()) return {};
  return fmt::format("@{}{} ", written.guard_negated ? "!" : "", written.guard);
}

class Finder {
 public:
  Finder(const WrittenKernel& kernel, const PrintBuffers& buffers, LocalArrays where)
      : kernel_(kernel), buffers_(buffers), in_state_(where != LocalArrays::global) {
    result_.where = where;
  }

  LocalState run() {
    result_.uses_state.assign(kernel_.operations.size(), false);
    result_.accesses.assign(kernel_.operations.size(), false);
    for (std::uint32_t i = 0; i < kernel_.function().instructions.size(); ++i) {
      if (!buffers_.touched[i]) look_at(i);
    }
    return std::move(result_);
  }

 private:
  void look_at(std::uint32_t index) {
    const SyntaxInstruction& written = kernel_.written(index);
    const Instruction& operation = kernel_.operations[index];
    const std::uint32_t scope = kernel_.scope_of(index);
    const VariableDeclaration* variable = nullptr;
    for (const SyntaxOperand& operand : written.operands) {
      const SyntaxOperand& named = operand.kind == SyntaxOperand::Kind::address ? operand.elements.front() : operand;
      if (const VariableDeclaration* found = local_variable(kernel_, named, scope)) variable = found;
    }
    if (variable != nullptr) place(*variable);
    const bool is_access = operation.opcode == Opcode::ld || operation.opcode == Opcode::st;
    if (operation.opcode == Opcode::cvta && (operation.space == Space::local || variable != nullptr)) {
      // A generic pointer to global memory equals its address.
      if (in_state_ && !leads_nowhere(index)) refuse_pointer(written);
      result_.uses_state[index] = !in_state_ && variable != nullptr;
      result_.accesses[index] = !in_state_;
      return;
    }
    if (variable == nullptr && operation.space != Space::local) return;
    const bool takes_address = variable != nullptr && operation.opcode == Opcode::mov &&
                               written.modifiers.size() == 1 && written.operands.size() == 2 &&
                               written.operands[1].name == variable->name;
    const bool plain = is_access && operation.space == Space::local && is_plain(written) && stands_in_brackets(written);
    if (!takes_address && !plain) refuse_use(written);
    if (!in_state_ && (takes_address ? bytes_of(operation.type) : address_bytes(written, scope)) != 8)
      refuse_narrow(written);
    result_.uses_state[index] = takes_address || variable != nullptr;
    result_.accesses[index] = plain;
  }

  // Bytes of an access's address register; 8, for which any register fits, if the access names its array.
  unsigned address_bytes(const SyntaxInstruction& written, std::uint32_t scope) const {
    for (const SyntaxOperand& operand : written.operands) {
      if (operand.kind != SyntaxOperand::Kind::address) continue;
      const Symbol symbol = kernel_.find(operand.elements.front().name, scope);
      return symbol.kind == Symbol::Kind::reg ? bytes_of(symbol.declaration->type) : 8;
    }
    return 8;
  }

  // Whether .local is the only modifier of the access in addition to vector and type.
  static bool is_plain(const SyntaxInstruction& written) {
    const auto is_vector = [](std::string_view one) { return one == "v2" || one == "v4"; };
    const auto others = std::count_if(written.modifiers.begin(), written.modifiers.end(),
                                      [&](std::string_view one) { return one != "local" && !is_vector(one); });
    return others == 1 && written.operands.size() == 2;
  }

  // `[name+4]`, and not `name[1]`.
  static bool stands_in_brackets(const SyntaxInstruction& written) {
    const auto address = std::find_if(written.operands.begin(), written.operands.end(), [](const SyntaxOperand& one) {
      return one.kind == SyntaxOperand::Kind::address;
    });
    const std::string_view name = address->elements.front().name;
    if (name.empty()) return true;
    const std::string_view before(written.text.data(), static_cast<std::size_t>(name.data() - written.text.data()));
    const std::size_t last = before.find_last_not_of(" \t\r\n");
    return last != std::string_view::npos && before[last] == '[';
  }

  // Whether only further pointers are computed from the result of an instruction.
  bool leads_nowhere(std::uint32_t index) const {
    std::vector<std::uint32_t> pending = {index};
    std::vector<bool> seen(kernel_.operations.size(), false);
    while (!pending.empty()) {
      const std::uint32_t at = pending.back();
      pending.pop_back();
      if (seen[at]) continue;
      seen[at] = true;
      const Opcode opcode = kernel_.operations[at].opcode;
      const bool computes = opcode == Opcode::cvta || opcode == Opcode::add || opcode == Opcode::mov;
      if (!computes) return false;
      for (std::uint32_t user = 0; user < kernel_.accesses.size(); ++user) {
        const auto& uses = kernel_.accesses[user].uses;
        const auto& set = kernel_.accesses[at].definitions;
        if (std::any_of(set.begin(), set.end(),
                        [&](ValueId value) { return std::find(uses.begin(), uses.end(), value) != uses.end(); }))
          pending.push_back(user);
      }
    }
    return true;
  }

  void place(const VariableDeclaration& variable) {
    if (result_.places.contains(&variable)) return;
    const std::uint32_t alignment = std::clamp(variable.alignment, 1U, state_alignment);
    result_.bytes = (result_.bytes + alignment - 1) / alignment * alignment;
    result_.places[&variable] = result_.bytes;
    result_.bytes += static_cast<std::uint32_t>(variable.bytes());
  }

  [[noreturn]] void refuse_pointer(const SyntaxInstruction& written) const {
    kernel_.refuse(written.position, "a generic pointer to a local array: arrays in the state have no generic address",
                   "compile with optimisation, or keep the array in global memory (--local global)");
  }

  [[noreturn]] void refuse_narrow(const SyntaxInstruction& written) const {
    kernel_.refuse(written.position, "a 32-bit address of a local array that moves to global memory",
                   "make local arrays a part of the state (--local state)");
  }

  [[noreturn]] void refuse_use(const SyntaxInstruction& written) const {
    kernel_.refuse(written.position, fmt::format("'{}' of local memory that moves elsewhere", written.mnemonic),
                   "only mov of its address, ld.local and st.local can be rewritten; keep the array in global memory");
  }

  const WrittenKernel& kernel_;
  const PrintBuffers& buffers_;
  bool in_state_;  // destination of local arrays
  LocalState result_;
};

}  // namespace

LocalState find_local_state(const WrittenKernel& kernel, const PrintBuffers& buffers, LocalArrays where) {
  return Finder(kernel, buffers, where).run();
}

std::string local_address_text(const WrittenKernel& kernel, const LocalState& local, std::uint32_t instruction,
                               std::uint32_t offset, const LocalRegisters& registers) {
  const SyntaxInstruction& written = kernel.written(instruction);
  const SyntaxOperand& source = written.operands[1];
  const VariableDeclaration* const variable = local_variable(kernel, source, kernel.scope_of(instruction));
  const std::int64_t at = std::int64_t{offset} + local.places.at(variable) + source.integer;
  const std::string guard = guard_of(written);
  const std::string_view to = written.operands[0].name;
  if (local.where == LocalArrays::global) return fmt::format("{}add.u64 {}, {}, {}", guard, to, registers.arrays, at);
  if (bytes_of(kernel.operations[instruction].type) == 4)
    return fmt::format("{}add.u32 {}, {}, {}", guard, to, registers.state, at);
  return fmt::format("add.u32 {0}, {1}, {2}; {3}cvt.u64.u32 {4}, {0}", registers.address, registers.state, at, guard,
                     to);
}

void rewrite_local_accesses(const WrittenKernel& kernel, const LocalState& local, std::uint32_t offset,
                            const LocalRegisters& registers, TextEdits& edits) {
  const bool in_global = local.where == LocalArrays::global;
  for (std::uint32_t i = 0; i < kernel.function().instructions.size(); ++i) {
    const SyntaxInstruction& written = kernel.written(i);
    const Instruction& operation = kernel.operations[i];
    const bool takes_address = operation.opcode == Opcode::mov || operation.opcode == Opcode::cvta;
    if (takes_address && local.uses_state[i]) {
      edits.replace(written.text, local_address_text(kernel, local, i, offset, registers));
      continue;
    }
    if (!local.accesses[i]) continue;
    for (const std::string_view modifier : written.modifiers) {
      if (modifier == "local") edits.replace(modifier, in_global ? "global" : "spawnMem");
    }
    if (in_global && !local.uses_state[i]) continue;
    const SyntaxOperand& address =
        *std::find_if(written.operands.begin(), written.operands.end(),
                      [](const SyntaxOperand& one) { return one.kind == SyntaxOperand::Kind::address; });
    const SyntaxOperand& base = address.elements.front();
    if (in_global) {
      const VariableDeclaration* const variable = local_variable(kernel, base, kernel.scope_of(i));
      edits.replace_until(base.name, ']',
                          fmt::format("{}+{}", registers.arrays, local.places.at(variable) + address.integer));
      continue;
    }
    // Computes the whole address in a register, because machines check offsets against the size of a state.
    const std::string indent = edits.indentation_of(written.text);
    std::string before;
    if (const VariableDeclaration* const variable = local_variable(kernel, base, kernel.scope_of(i))) {
      before = fmt::format("{}add.u32 \t{}, {}, {};\n", indent, registers.address, registers.state,
                           offset + local.places.at(variable) + address.integer);
    } else {
      const Symbol symbol = kernel.find(base.name, kernel.scope_of(i));
      if (symbol.kind != Symbol::Kind::reg)
        kernel.refuse(written.position, "an address of local memory that is a number", "name the array, or a register");
      const bool wide = bytes_of(symbol.declaration->type) == 8;
      before = fmt::format("{}{} \t{}, {};\n", indent, wide ? "cvt.u32.u64" : "mov.u32", registers.address, base.name);
      if (address.integer != 0)
        before += fmt::format("{0}add.u32 \t{1}, {1}, {2};\n", indent, registers.address, address.integer);
    }
    edits.insert_before(written.text, std::move(before));
    edits.replace_until(base.name, ']', registers.address);
  }
}

}  // namespace reconverge::kernel

// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/transform/print_buffers.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "models/kernel/analysis/control_flow.hpp"

namespace reconverge::kernel {

namespace {

using Bytes = std::set<std::int64_t>;

bool is_print(const SyntaxInstruction& written) {
  return written.mnemonic == "call" &&
         std::any_of(written.operands.begin(), written.operands.end(), [](const SyntaxOperand& operand) {
           return operand.kind == SyntaxOperand::Kind::name && operand.name == "vprintf";
         });
}

/// The uses of one array.
class Follower {
 public:
  Follower(const WrittenKernel& kernel, const VariableDeclaration& variable) : kernel_(kernel), variable_(variable) {
    touched.assign(kernel.operations.size(), false);
  }

  bool holds_arguments_only() {
    // Addresses are found in text order, which is the order in which compilers write them. An address that is set after
    // its use is not recognised.
    for (std::uint32_t i = 0; i < kernel_.function().instructions.size(); ++i) {
      if (concerns(i) && !look_at(i)) return false;
    }
    return !passed_.empty() &&
           std::all_of(passed_.begin(), passed_.end(), [&](std::uint32_t at) { return is_filled(at); });
  }

  std::vector<bool> touched;

 private:
  bool names_variable(const SyntaxOperand& operand, std::uint32_t instruction) const {
    return !operand.name.empty() && kernel_.find(operand.name, kernel_.scope_of(instruction)).variable == &variable_;
  }

  bool concerns(std::uint32_t at) const {
    const auto& uses = kernel_.accesses[at].uses;
    if (std::any_of(uses.begin(), uses.end(), [&](ValueId value) { return offsets_.contains(value); })) return true;
    const auto& operands = kernel_.written(at).operands;
    return std::any_of(operands.begin(), operands.end(), [&](const SyntaxOperand& operand) {
      return names_variable(operand, at) || (!operand.elements.empty() && names_variable(operand.elements.front(), at));
    });
  }

  bool look_at(std::uint32_t at) {
    touched[at] = true;
    const SyntaxInstruction& written = kernel_.written(at);
    switch (kernel_.operations[at].opcode) {
      case Opcode::mov:
      case Opcode::cvta:
      case Opcode::add:
        return derive(at);
      case Opcode::st:
        return store(at);
      case Opcode::call:
        if (is_print(written)) passed_.push_back(at);
        return is_print(written);
      default:
        return false;
    }
  }

  // The offset in bytes from the beginning of the array to which an operand points.
  std::optional<std::int64_t> offset_of(const SyntaxOperand& operand, std::uint32_t at) const {
    if (names_variable(operand, at)) return operand.integer;
    for (const ValueId value : kernel_.accesses[at].uses) {
      const auto known = offsets_.find(value);
      if (known != offsets_.end() && kernel_.values[value].name == operand.name) {
        return known->second + operand.integer;
      }
    }
    return std::nullopt;
  }

  bool derive(std::uint32_t at) {
    const auto& operands = kernel_.written(at).operands;
    const Accesses& accesses = kernel_.accesses[at];
    if (accesses.conditional || accesses.definitions.size() != 1 || operands.size() < 2) return false;
    if (kernel_.written(at).mnemonic == "addc") return false;  // adds an unknown carry
    std::optional<std::int64_t> offset = offset_of(operands[1], at);
    if (kernel_.operations[at].opcode == Opcode::add) {
      if (operands[2].kind != SyntaxOperand::Kind::integer || !offset) return false;
      *offset += operands[2].integer;
    }
    if (!offset) return false;
    const auto [known, is_new] = offsets_.try_emplace(accesses.definitions.front(), *offset);
    return is_new || known->second == *offset;
  }

  bool store(std::uint32_t at) {
    const SyntaxInstruction& written = kernel_.written(at);
    const Instruction& operation = kernel_.operations[at];
    if (operation.space == Space::param) {
      const std::optional<std::uint32_t> call = next_call(at);
      if (call) passed_.push_back(*call);
      return call.has_value();
    }
    if (written.operands[0].kind != SyntaxOperand::Kind::address || kernel_.accesses[at].conditional) return false;
    const std::optional<std::int64_t> offset = offset_of(written.operands[0].elements.front(), at);
    if (!offset || !next_call(at)) return false;
    const std::int64_t first = *offset + written.operands[0].integer;
    const std::int64_t bytes = std::int64_t{bytes_of(operation.type)} * operation.vector_width;
    for (std::int64_t byte = first; byte < first + bytes; ++byte) {
      stored_[at].insert(byte);
      ever_stored_.insert(byte);
    }
    return true;
  }

  // The next call of printf in the same basic block.
  std::optional<std::uint32_t> next_call(std::uint32_t at) const {
    const BasicBlock& block = kernel_.blocks[block_of(kernel_.blocks, at)];
    for (std::uint32_t i = at; i < block.end && kernel_.is_written(i); ++i) {
      if (kernel_.operations[i].opcode != Opcode::call) continue;
      return is_print(kernel_.written(i)) ? std::optional(i) : std::nullopt;
    }
    return std::nullopt;
  }

  bool is_filled(std::uint32_t call) const {
    const BasicBlock& block = kernel_.blocks[block_of(kernel_.blocks, call)];
    Bytes here;
    for (const auto& [at, bytes] : stored_) {
      if (at >= block.first && at < call) here.insert(bytes.begin(), bytes.end());
    }
    return !here.empty() && std::all_of(ever_stored_.begin(), ever_stored_.upper_bound(*here.rbegin()),
                                        [&](std::int64_t byte) { return here.contains(byte); });
  }

  const WrittenKernel& kernel_;
  const VariableDeclaration& variable_;
  std::map<ValueId, std::int64_t> offsets_;  // offsets of addresses in the array
  std::map<std::uint32_t, Bytes> stored_;    // by instruction
  Bytes ever_stored_;
  std::vector<std::uint32_t> passed_;  // calls
};

}  // namespace

PrintBuffers find_print_buffers(const WrittenKernel& kernel) {
  PrintBuffers result;
  result.touched.assign(kernel.operations.size(), false);
  for (const VariableDeclaration& variable : kernel.function().variables) {
    if (variable.space != Space::local) continue;
    Follower follower(kernel, variable);
    if (!follower.holds_arguments_only()) continue;
    result.variables.insert(&variable);
    for (std::size_t i = 0; i < follower.touched.size(); ++i)
      if (follower.touched[i]) result.touched[i] = true;
  }
  return result;
}

}  // namespace reconverge::kernel

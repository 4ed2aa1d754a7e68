// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/transform/rematerialisation.hpp"

#include <algorithm>
#include <set>

#include "models/kernel/analysis/control_flow.hpp"
#include "models/kernel/analysis/loops.hpp"

namespace reconverge::kernel {

namespace {

constexpr unsigned most_steps = 3;

}  // namespace

Rematerialisation::Rematerialisation(const WrittenKernel& kernel)
    : kernel_(kernel),
      dominator_(immediate_dominators(kernel.blocks)),
      definition_(kernel.values.size(), none),
      steps_(kernel.values.size(), 0) {
  std::vector<unsigned> written(kernel.values.size(), 0);
  std::vector<std::uint32_t> where(kernel.values.size(), none);
  for (std::uint32_t i = 0; i < kernel.accesses.size(); ++i) {
    for (const ValueId value : kernel.accesses[i].definitions) {
      ++written[value];
      where[value] = i;
    }
  }
  // A value may depend on one that is found later, so the list is processed until nothing is added.
  for (bool grew = true; grew;) {
    grew = false;
    for (ValueId value = 0; value < where.size(); ++value) {
      if (definition_[value] != none || where[value] == none) continue;
      const std::uint32_t at = where[value];
      const Accesses& accesses = kernel.accesses[at];
      const auto once = [&](ValueId one) { return written[one] == 1; };
      if (!std::all_of(accesses.definitions.begin(), accesses.definitions.end(), once) || !is_cheap(at)) continue;
      unsigned steps = 1;
      const bool on_constants = std::all_of(accesses.uses.begin(), accesses.uses.end(), [&](ValueId used) {
        steps = std::max(steps, steps_[used] + 1);
        return definition_[used] != none && comes_before(definition_[used], at);
      });
      if (!on_constants || steps > most_steps) continue;
      definition_[value] = at;
      steps_[value] = steps;
      grew = true;
    }
  }
}

bool Rematerialisation::is_cheap(std::uint32_t instruction) const {
  const Instruction& operation = kernel_.operations[instruction];
  if (kernel_.accesses[instruction].conditional) return false;
  const SyntaxInstruction& written = kernel_.written(instruction);
  const auto& operands = written.operands;
  switch (operation.opcode) {
    case Opcode::mov:
    case Opcode::cvta:
      return operands.size() == 2 && operands[1].kind != SyntaxOperand::Kind::vector;
    case Opcode::add:
      return operands.size() == 3 && !is_float(operation.type) && kernel_.accesses[instruction].definitions.size() == 1;
    case Opcode::ld: {
      if (operation.space != Space::param || operands.size() != 2) return false;
      const Symbol symbol = kernel_.find(operands[1].elements.front().name, kernel_.scope_of(instruction));
      return symbol.kind == Symbol::Kind::parameter;
    }
    default:
      return false;
  }
}

bool Rematerialisation::dominates(std::uint32_t upper, std::uint32_t lower) const {
  while (lower != BasicBlock::no_block && lower != upper) lower = dominator_[lower];
  return lower == upper;
}

bool Rematerialisation::comes_before(std::uint32_t first, std::uint32_t later) const {
  const std::uint32_t upper = block_of(kernel_.blocks, first);
  const std::uint32_t lower = block_of(kernel_.blocks, later);
  return upper == lower ? first < later : dominates(upper, lower);
}

bool Rematerialisation::is_constant_at(ValueId value, std::uint32_t block) const {
  if (definition_[value] == none) return false;
  const std::uint32_t home = block_of(kernel_.blocks, definition_[value]);
  return home != block && dominates(home, block);
}

std::vector<std::uint32_t> Rematerialisation::instructions_for(const ValueSet& values) const {
  std::set<std::pair<unsigned, std::uint32_t>> found;
  std::vector<ValueId> pending;
  for (auto value = values.find_first(); value != ValueSet::npos; value = values.find_next(value))
    pending.push_back(static_cast<ValueId>(value));
  while (!pending.empty()) {
    const ValueId value = pending.back();
    pending.pop_back();
    if (!found.emplace(steps_[value], definition_[value]).second) continue;
    const Accesses& accesses = kernel_.accesses[definition_[value]];
    pending.insert(pending.end(), accesses.uses.begin(), accesses.uses.end());
  }
  std::vector<std::uint32_t> result;
  result.reserve(found.size());
  for (const auto& [steps, instruction] : found) result.push_back(instruction);
  return result;
}

}  // namespace reconverge::kernel

// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/decode/register_demand.hpp"

#include <algorithm>

#include "models/kernel/decode/register_allocation.hpp"

namespace reconverge::kernel {

namespace {

/// The knowledge about a value before threads run: none, its location in a constant bank, or its bits.
enum class Known : std::uint8_t { nothing, place, bits };

bool is_constant_row(const Operand& operand) { return operand.present() && operand.bank() == Bank::constant; }

bool is_arithmetic(const Instruction& instruction) {
  switch (instruction.operation_class) {
    case OperationClass::alu:
    case OperationClass::multiply:
    case OperationClass::special:
    case OperationClass::fp64:
      return true;
    default:
      return false;
  }
}

/// Whether the instruction copies source[0] unchanged.
bool is_copy(const Instruction& instruction) {
  if (instruction.opcode == Opcode::mov) return true;
  return instruction.opcode == Opcode::cvta &&
         (instruction.space == Space::global || instruction.space == Space::constant);
}

/// Whether the instruction loads whole words from a fixed location of a bank that no thread writes.
bool loads_constant(const Instruction& instruction) {
  if (bytes_of(instruction.type) < 4) return false;
  return instruction.opcode == Opcode::ld_param ||
         (instruction.opcode == Opcode::ld && instruction.space == Space::constant &&
          is_constant_row(instruction.source[0]));
}

/// The knowledge about the result, from the knowledge about the sources.
Known known_result(const Instruction& instruction, const InstructionValues& values, const std::vector<Known>& known) {
  if (values.guard != no_value) return Known::nothing;
  if (loads_constant(instruction)) return Known::place;
  const auto is_given = [&](std::size_t i) { return values.source[i] != no_value || instruction.source[i].present(); };
  if (!is_arithmetic(instruction) || !is_given(0)) return Known::nothing;
  Known least = Known::bits;
  for (std::size_t i = 0; i < values.source.size(); ++i) {
    if (values.source[i] != no_value) {
      least = std::min(least, known[values.source[i]]);
    } else if (is_given(i) && !is_constant_row(instruction.source[i])) {
      return Known::nothing;
    }
  }
  return least == Known::place && !is_copy(instruction) ? Known::nothing : least;
}

/// By value: whether it is a constant that is set once.
std::vector<bool> find_constants(const Draft& draft) {
  std::vector<unsigned> definitions(draft.values.size(), 0);
  for (const InstructionValues& values : draft.operands) {
    for (const ValueId value : values.destination) {
      if (value != no_value) ++definitions[value];
    }
  }
  for (const ValueId value : draft.extension_registers) ++definitions[value];
  std::vector<Known> known(draft.values.size(), Known::nothing);
  // A value may precede, in the text, the constant that it depends on, so this repeats until no value is added.
  for (bool found = true; found;) {
    found = false;
    for (std::size_t pc = 0; pc < draft.operands.size(); ++pc) {
      const Known result = known_result(draft.program.instructions[pc], draft.operands[pc], known);
      for (const ValueId value : draft.operands[pc].destination) {
        if (value == no_value || result == Known::nothing || known[value] == result) continue;
        if (definitions[value] != 1 || draft.values[value] == ValueClass::predicate) continue;
        known[value] = result;
        found = true;
      }
    }
  }
  std::vector<bool> constant(known.size());
  std::transform(known.begin(), known.end(), constant.begin(), [](Known each) { return each != Known::nothing; });
  return constant;
}

/// The constants that the instruction needs in registers, each once.
boost::container::small_vector<ValueId, 5> constants_in_registers(const Draft& draft, Pc pc,
                                                                  const std::vector<bool>& constant) {
  const Instruction& instruction = draft.program.instructions[pc];
  const auto& sources = draft.operands[pc].source;
  boost::container::small_vector<ValueId, 5> needed;
  bool has_immediate = false;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    has_immediate = has_immediate || (sources[i] == no_value && is_constant_row(instruction.source[i]));
    if (sources[i] == no_value || !constant[sources[i]]) continue;
    if (std::find(needed.begin(), needed.end(), sources[i]) == needed.end()) needed.push_back(sources[i]);
  }
  if (!is_arithmetic(instruction) || has_immediate) return needed;
  // One source may remain in the constant bank: the one that would take most registers.
  const auto in_one_source = [&](ValueId value) { return std::count(sources.begin(), sources.end(), value) == 1; };
  const auto wide = [&](ValueId value) { return draft.values[value] == ValueClass::wide && in_one_source(value); };
  auto stays = std::find_if(needed.begin(), needed.end(), wide);
  if (stays == needed.end()) stays = std::find_if(needed.begin(), needed.end(), in_one_source);
  if (stays != needed.end()) needed.erase(stays);
  return needed;
}

}  // namespace

std::uint32_t registers_needed(const Draft& draft, std::uint32_t register_rows) {
  const std::vector<bool> constant = find_constants(draft);
  if (std::find(constant.begin(), constant.end(), true) == constant.end()) return register_rows;

  // The program without these values, and with a copy before each instruction that needs one in a register.
  const std::vector<Accesses> accesses = accesses_of(draft);
  std::vector<BasicBlock> blocks = draft.program.blocks;
  std::vector<ValueClass> values = draft.values;
  std::vector<Accesses> code;
  const auto drop_constants = [&](auto& ids) {
    ids.erase(std::remove_if(ids.begin(), ids.end(), [&](ValueId id) { return constant[id]; }), ids.end());
  };
  for (BasicBlock& block : blocks) {
    const auto first = static_cast<Pc>(code.size());
    for (Pc pc = block.first; pc < block.end; ++pc) {
      Accesses here = accesses[pc];
      drop_constants(here.uses);
      drop_constants(here.definitions);
      Accesses copies;
      for (const ValueId needed : constants_in_registers(draft, pc, constant)) {
        copies.definitions.push_back(static_cast<ValueId>(values.size()));
        here.uses.push_back(static_cast<ValueId>(values.size()));
        values.push_back(draft.values[needed]);
      }
      if (!copies.definitions.empty()) code.push_back(std::move(copies));
      code.push_back(std::move(here));
    }
    block.first = first;
    block.end = static_cast<Pc>(code.size());
  }
  // Unused values need no registers.
  for (std::size_t value = 0; value < draft.values.size(); ++value) {
    if (constant[value]) values[value] = ValueClass::predicate;
  }
  return std::min(register_rows, allocate_registers(blocks, code, values).register_rows);
}

}  // namespace reconverge::kernel

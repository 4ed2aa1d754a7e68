// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/analysis/liveness.hpp"

namespace reconverge::kernel {

namespace {

void add_rows(boost::container::small_vector_base<ValueId>& into, const Operand& operand, bool wide,
              std::uint32_t register_rows) {
  if (!operand.present()) return;
  if (operand.bank() == Bank::predicate) {
    into.push_back(register_rows + operand.row());
  } else if (operand.bank() == Bank::reg) {
    into.push_back(operand.row());
    if (wide) into.push_back(operand.row() + 1);
  }
}

// The registers may hold different values afterwards.
template <typename Registers>
void add_extension_registers(Accesses& accesses, const Registers& registers) {
  accesses.uses.insert(accesses.uses.end(), registers.begin(), registers.end());
  accesses.definitions.insert(accesses.definitions.end(), registers.begin(), registers.end());
}

}  // namespace

std::vector<Accesses> accesses_of(const Draft& draft) {
  std::vector<Accesses> result;
  result.reserve(draft.operands.size());
  for (std::size_t pc = 0; pc < draft.operands.size(); ++pc) {
    const InstructionValues& values = draft.operands[pc];
    Accesses accesses;
    accesses.conditional = values.guard != no_value;
    if (accesses.conditional) accesses.uses.push_back(values.guard);
    for (const ValueId value : values.source) {
      if (value != no_value) accesses.uses.push_back(value);
    }
    for (const ValueId value : values.destination) {
      if (value != no_value) accesses.definitions.push_back(value);
    }
    if (uses_registers(draft.program, draft.program.instructions[pc]))
      add_extension_registers(accesses, draft.extension_registers);
    result.push_back(std::move(accesses));
  }
  return result;
}

std::vector<Accesses> accesses_of(const Program& program) {
  std::vector<Accesses> result;
  result.reserve(program.instructions.size());
  for (const Instruction& instruction : program.instructions) {
    Accesses accesses;
    accesses.conditional = instruction.guard.present();
    add_rows(accesses.uses, instruction.guard, false, program.register_rows);
    for (unsigned i = 0; i < instruction.source.size(); ++i) {
      add_rows(accesses.uses, instruction.source[i], instruction.wide_source(i), program.register_rows);
    }
    for (unsigned i = 0; i < instruction.destination.size(); ++i) {
      add_rows(accesses.definitions, instruction.destination[i], instruction.wide_destination(i),
               program.register_rows);
    }
    if (uses_registers(program, instruction)) add_extension_registers(accesses, program.extension_registers);
    result.push_back(std::move(accesses));
  }
  return result;
}

void step_back(const Accesses& accesses, ValueSet& live) {
  if (!accesses.conditional) {
    for (const ValueId value : accesses.definitions) live.reset(value);
  }
  for (const ValueId value : accesses.uses) live.set(value);
}

Liveness compute_liveness(std::span<const BasicBlock> blocks, std::span<const Accesses> accesses, std::size_t values) {
  Liveness result;
  result.live_in.assign(blocks.size(), ValueSet(values));
  result.live_out.assign(blocks.size(), ValueSet(values));
  std::vector<ValueSet> killed(blocks.size(), ValueSet(values));
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    for (Pc pc = blocks[i].end; pc-- > blocks[i].first;) {
      step_back(accesses[pc], result.live_in[i]);
      if (!accesses[pc].conditional) {
        for (const ValueId value : accesses[pc].definitions) killed[i].set(value);
      }
    }
  }

  // A block is processed again whenever the set of values that are live into a successor has grown.
  std::vector<std::uint32_t> pending;
  std::vector<bool> is_pending(blocks.size(), true);
  for (std::uint32_t i = 0; i < blocks.size(); ++i) pending.push_back(i);
  while (!pending.empty()) {
    const std::uint32_t block = pending.back();
    pending.pop_back();
    is_pending[block] = false;
    ValueSet& out = result.live_out[block];
    for (const std::uint32_t successor : blocks[block].successors) out |= result.live_in[successor];
    ValueSet in = out - killed[block];
    in |= result.live_in[block];
    if (in == result.live_in[block]) continue;
    result.live_in[block].swap(in);
    for (const std::uint32_t predecessor : blocks[block].predecessors) {
      if (is_pending[predecessor]) continue;
      is_pending[predecessor] = true;
      pending.push_back(predecessor);
    }
  }
  return result;
}

}  // namespace reconverge::kernel

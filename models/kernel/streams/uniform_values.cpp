// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/streams/uniform_values.hpp"

#include <algorithm>

#include "models/kernel/analysis/control_flow.hpp"

namespace reconverge::kernel {

namespace {

bool is_register(const Operand& operand) { return operand.present() && operand.bank() == Bank::reg; }

/// Whether the operand is the same for all threads of a launch.
bool is_shared(SpecialRow row) {
  return row == SpecialRow::ntid_x || row == SpecialRow::ntid_y || row == SpecialRow::ntid_z ||
         row == SpecialRow::nctaid_x || row == SpecialRow::nctaid_y || row == SpecialRow::nctaid_z ||
         row == SpecialRow::gridid || row == SpecialRow::envreg1 || row == SpecialRow::envreg2;
}

/// Whether the result depends only on the sources, and is a single row or pair.
bool computes(const Instruction& instruction) {
  const bool parameter = instruction.opcode == Opcode::ld_param;
  const bool in_lanes =
      instruction.operation_class == OperationClass::alu || instruction.operation_class == OperationClass::multiply ||
      instruction.operation_class == OperationClass::special || instruction.operation_class == OperationClass::fp64;
  return (parameter || in_lanes) && instruction.opcode != Opcode::read_special && !instruction.guard.present() &&
         instruction.extension == no_extension && is_register(instruction.destination[0]) &&
         !instruction.destination[1].present();
}

}  // namespace

UniformValues::UniformValues(const Program& program, std::span<const BasicBlock> blocks)
    : program_(program),
      blocks_(blocks),
      at_top_(blocks.size(), Writers(program.register_rows, nothing)),
      known_(program.instructions.size()),
      rows_(program.register_rows) {
  if (blocks_.empty()) return;
  at_top_[0].assign(program.register_rows, beginning);
  std::vector<std::uint32_t> pending = {0};
  while (!pending.empty()) {
    const std::uint32_t block = pending.back();
    pending.pop_back();
    Writers writers = at_top_[block];
    for (Pc pc = blocks_[block].first; pc != blocks_[block].end; ++pc) write(pc, writers);
    for (const std::uint32_t successor : blocks_[block].successors) {
      bool changed = false;
      for (std::size_t row = 0; row < writers.size(); ++row) {
        Pc& there = at_top_[successor][row];
        const Pc met = there == nothing || there == writers[row] ? writers[row] : many;
        changed |= met != there;
        there = met;
      }
      if (changed) pending.push_back(successor);
    }
  }
}

void UniformValues::write(Pc pc, Writers& writers) const {
  const Instruction& instruction = program_.instructions[pc];
  for (unsigned i = 0; i < instruction.destination.size(); ++i) {
    if (!is_register(instruction.destination[i])) continue;
    const Pc writer = instruction.guard.present() ? many : pc;
    writers[instruction.destination[i].row()] = writer;
    if (instruction.wide_destination(i)) writers[instruction.destination[i].row() + 1] = writer;
  }
}

UniformValues::Writers UniformValues::writers_at(Pc pc) const {
  const std::uint32_t block = block_of(blocks_, pc);
  Writers writers = at_top_[block];
  for (Pc before = blocks_[block].first; before != pc; ++before) write(before, writers);
  return writers;
}

std::optional<std::uint16_t> UniformValues::at(std::uint32_t block, std::uint16_t row) {
  const Pc writer = at_top_[block][row];
  if (writer >= beginning) return std::nullopt;
  const auto place = place_of(writer);
  if (!place) return std::nullopt;
  return static_cast<std::uint16_t>(*place + row - program_.instructions[writer].destination[0].row());
}

std::optional<std::uint16_t> UniformValues::place_of(Pc pc) {
  if (!known_[pc]) {
    known_[pc] = std::optional<std::uint16_t>();  // a value that depends on itself may differ between threads
    known_[pc] = compute(pc);
  }
  return *known_[pc];
}

std::optional<std::uint16_t> UniformValues::compute(Pc pc) {
  Instruction copy = program_.instructions[pc];
  if (!computes(copy)) return std::nullopt;
  std::optional<Writers> writers;
  for (unsigned i = 0; i < copy.source.size(); ++i) {
    Operand& source = copy.source[i];
    if (!source.present() || source.bank() == Bank::constant) continue;
    if (source.bank() == Bank::special && is_shared(static_cast<SpecialRow>(source.row()))) continue;
    if (!is_register(source)) return std::nullopt;
    if (!writers) writers = writers_at(pc);
    const Pc writer = (*writers)[source.row()];
    if (writer >= beginning || (copy.wide_source(i) && (*writers)[source.row() + 1] != writer)) return std::nullopt;
    const auto place = place_of(writer);
    if (!place) return std::nullopt;
    source = Operand(Bank::reg, *place + source.row() - program_.instructions[writer].destination[0].row());
  }
  if (rows_ + 3 > Operand::max_row) return std::nullopt;
  rows_ += rows_ & 1U;
  const auto place = static_cast<std::uint16_t>(rows_);
  rows_ += copy.wide_destination(0) ? 2 : 1;
  copy.destination[0] = Operand(Bank::reg, place);
  code_.push_back(copy);
  return place;
}

std::vector<Instruction> UniformValues::code_for(std::span<const UniformRow> read) const {
  std::vector<bool> needed(rows_ + 1, false);
  for (const UniformRow& uniform : read) needed[uniform.from] = true;
  std::vector<Instruction> code;
  for (auto last = code_.rbegin(); last != code_.rend(); ++last) {
    const Instruction& one = *last;
    const unsigned row = one.destination[0].row();
    if (!needed[row] && !needed[row + 1]) continue;
    for (const Operand& source : one.source) {
      if (source.present() && source.bank() == Bank::reg) needed[source.row()] = true;
    }
    code.push_back(one);
  }
  std::ranges::reverse(code);
  return code;
}

}  // namespace reconverge::kernel

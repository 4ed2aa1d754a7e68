// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/partition/buffer_uses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace reconverge::kernel {

namespace {

// The origin of a 64-bit value: the offset of the parameter from which it is derived, or one of these.
using Origin = std::uint32_t;
constexpr Origin unknown = BufferUse::unknown;
constexpr Origin nothing = unknown - 1;  // no path is known to reach this place
constexpr Origin no_pointer = unknown - 2;

/// The origins of the pointers in registers, block by block to the fixed point.
class Origins {
 public:
  explicit Origins(const Program& program) : program_(program), address_rows_(program.constant_rows + 2, false) {
    for (const AddressConstant& address : program.address_constants) {
      address_rows_[program.constants[address.constant].row] = true;
    }
    at_top_.assign(program.blocks.size(), Rows(program.register_rows, nothing));
    if (program.blocks.empty()) return;
    at_top_[0].assign(program.register_rows, no_pointer);
    std::vector<std::uint32_t> pending = {0};
    while (!pending.empty()) {
      const std::uint32_t block = pending.back();
      pending.pop_back();
      Rows rows = at_top_[block];
      for (Pc pc = program.blocks[block].first; pc != program.blocks[block].end; ++pc) step(pc, rows);
      for (const std::uint32_t successor : program.blocks[block].successors) {
        bool changed = false;
        for (std::size_t row = 0; row < rows.size(); ++row) {
          Origin& there = at_top_[successor][row];
          const Origin met = there == nothing || there == rows[row] ? rows[row] : unknown;
          changed |= met != there;
          there = met;
        }
        if (changed) pending.push_back(successor);
      }
    }
  }

  /// Calls `use(pc, parameter)` with the origin of each instruction's address.
  template <typename Use>
  void each(const Use& use) const {
    for (std::size_t block = 0; block < program_.blocks.size(); ++block) {
      Rows rows = at_top_[block];
      for (Pc pc = program_.blocks[block].first; pc != program_.blocks[block].end; ++pc) {
        const Instruction& instruction = program_.instructions[pc];
        const Origin origin = instruction.wide_source(0) ? of(instruction.source[0], true, rows) : unknown;
        use(pc, origin == no_pointer || origin == nothing ? unknown : origin);
        step(pc, rows);
      }
    }
  }

 private:
  using Rows = std::vector<Origin>;

  Origin of(const Operand& operand, bool wide, const Rows& rows) const {
    if (!operand.present()) return no_pointer;
    if (operand.bank() == Bank::constant) return address_rows_[operand.row()] ? unknown : no_pointer;
    if (operand.bank() != Bank::reg || !wide) return no_pointer;
    return rows[operand.row()];
  }

  Origin result_of(const Instruction& instruction, const Rows& rows) const {
    if (instruction.opcode == Opcode::ld_param) return static_cast<Origin>(instruction.offset);
    Origin together = no_pointer;
    for (unsigned i = 0; i < instruction.source.size(); ++i) {
      const Origin one = of(instruction.source[i], instruction.wide_source(i), rows);
      if (one == no_pointer || one == together) continue;
      together = together == no_pointer ? one : unknown;
    }
    switch (instruction.opcode) {
      case Opcode::add:
      case Opcode::sub:
      case Opcode::mad:
      case Opcode::cvta:
      case Opcode::selp:
        return together;
      case Opcode::mov:
        return instruction.wide_source(0) || instruction.source[0].bank() == Bank::constant ? together : unknown;
      default:
        break;
    }
    const bool computes = instruction.operation_class == OperationClass::alu ||
                          instruction.operation_class == OperationClass::multiply ||
                          instruction.operation_class == OperationClass::fp64;
    return computes && together == no_pointer ? no_pointer : unknown;
  }

  void step(Pc pc, Rows& rows) const {
    const Instruction& instruction = program_.instructions[pc];
    for (unsigned i = 0; i < instruction.destination.size(); ++i) {
      const Operand& to = instruction.destination[i];
      if (!to.present() || to.bank() != Bank::reg) continue;
      const bool wide = instruction.wide_destination(i);
      Origin origin = wide ? result_of(instruction, rows) : no_pointer;
      if (instruction.guard.present() && rows[to.row()] != origin) origin = unknown;
      rows[to.row()] = origin;
      if (wide) rows[to.row() + 1] = no_pointer;
    }
  }

  const Program& program_;
  std::vector<bool> address_rows_;
  std::vector<Rows> at_top_;
};

BufferUse use_of(const Program& program, const Instruction& instruction, std::uint32_t parameter,
                 bool distinct_arguments) {
  BufferUse use;
  const bool has_local = program.local_bytes != 0;
  if (instruction.opcode == Opcode::tex) {
    use.load = use.global = true;
    // No parameter has such an offset.
    use.parameter = distinct_arguments ? program.parameter_bytes : BufferUse::unknown;
    return use;
  }
  if (instruction.opcode == Opcode::host) {
    use.load = use.global = true;
    use.local = has_local;
    return use;
  }
  use.load = instruction.opcode == Opcode::ld || instruction.operation_class == OperationClass::atomic;
  use.store =
      instruction.operation_class == OperationClass::store || instruction.operation_class == OperationClass::atomic;
  switch (instruction.space) {
    case Space::global:
      use.global = true;
      break;
    case Space::local:
      use.local = true;
      break;
    case Space::generic:
      use.global = true;
      use.local = has_local && parameter == BufferUse::unknown;
      break;
    default:
      return {};
  }
  if (distinct_arguments) use.parameter = parameter;
  return use;
}

}  // namespace

void BufferUses::Kinds::add(Kinds others) {
  load = load || others.load;
  store = store || others.store;
}

void BufferUses::add(const BufferUse& use) {
  const Kinds kinds{use.load, use.store};
  if (!use.any()) return;
  if (use.local) local_.add(kinds);
  if (!use.global) return;
  global_.add(kinds);
  (use.parameter == BufferUse::unknown ? unknown_ : known_[use.parameter]).add(kinds);
}

void BufferUses::add(const BufferUses& others) {
  local_.add(others.local_);
  global_.add(others.global_);
  unknown_.add(others.unknown_);
  for (const auto& [parameter, kinds] : others.known_) known_[parameter].add(kinds);
}

bool BufferUses::conflict_with(const BufferUses& others) const {
  if (known_.size() < others.known_.size()) return others.conflict_with(*this);
  if (local_.conflict_with(others.local_)) return true;
  if (unknown_.conflict_with(others.global_) || global_.conflict_with(others.unknown_)) return true;
  return std::ranges::any_of(others.known_, [&](const auto& one) {
    const auto same = known_.find(one.first);
    return same != known_.end() && same->second.conflict_with(one.second);
  });
}

std::vector<BufferUse> buffer_uses(const Program& program, bool distinct_arguments) {
  std::vector<BufferUse> uses(program.instructions.size());
  Origins(program).each([&](Pc pc, std::uint32_t parameter) {
    uses[pc] = use_of(program, program.instructions[pc], parameter, distinct_arguments);
  });
  return uses;
}

std::vector<BasicBlock> cut_blocks(const Program& program, std::span<const BufferUse> uses) {
  std::vector<BasicBlock> blocks;
  std::vector<std::uint32_t> first_part;  // by block of the program
  for (const BasicBlock& whole : program.blocks) {
    first_part.push_back(static_cast<std::uint32_t>(blocks.size()));
    BasicBlock part;
    part.first = whole.first;
    part.label = whole.label;
    BufferUses before;
    std::uint32_t parts = 1;
    for (Pc pc = whole.first; pc != whole.end; ++pc) {
      if (!uses[pc].any()) continue;
      BufferUses one;
      one.add(uses[pc]);
      if (before.conflict_with(one)) {
        part.end = pc;
        part.successors = {static_cast<std::uint32_t>(blocks.size()) + 1};
        blocks.push_back(part);
        const std::string name = whole.label.empty() ? fmt::format("B{}", first_part.size() - 1) : whole.label;
        part = BasicBlock{};
        part.first = pc;
        part.label = fmt::format("{}.{}", name, ++parts);
        before = {};
      }
      before.add(one);
    }
    part.end = whole.end;
    blocks.push_back(part);
  }
  for (std::size_t whole = 0; whole < program.blocks.size(); ++whole) {
    const std::size_t last = (whole + 1 < first_part.size() ? first_part[whole + 1] : blocks.size()) - 1;
    for (const std::uint32_t to : program.blocks[whole].successors) {
      blocks[last].successors.push_back(first_part[to]);
    }
  }
  for (std::uint32_t block = 0; block < blocks.size(); ++block) {
    for (const std::uint32_t to : blocks[block].successors) blocks[to].predecessors.push_back(block);
  }
  return blocks;
}

}  // namespace reconverge::kernel

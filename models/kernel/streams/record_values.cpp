// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/streams/record_values.hpp"

#include <algorithm>

namespace reconverge::kernel {

namespace {

/// Rows that identify the thread.
bool tells_threads_apart(SpecialRow row) {
  return row == SpecialRow::tid_x || row == SpecialRow::tid_y || row == SpecialRow::tid_z ||
         row == SpecialRow::ctaid_x || row == SpecialRow::ctaid_y || row == SpecialRow::ctaid_z;
}

ValueId value_of(const Program& program, SpecialRow row) {
  return program.register_rows + program.predicates + static_cast<ValueId>(row);
}

/// Special registers are values, too. The location of a thread's local memory is a value that all local accesses need.
std::vector<Accesses> accesses_with_specials(const Program& program) {
  std::vector<Accesses> all = accesses_of(program);
  for (std::size_t pc = 0; pc < all.size(); ++pc) {
    for (const SpecialRow row : thread_rows(program, program.instructions[pc])) {
      all[pc].uses.push_back(value_of(program, row));
    }
  }
  return all;
}

template <typename T>
void unite(std::vector<T>& into, const std::vector<T>& more) {
  into.insert(into.end(), more.begin(), more.end());
  std::ranges::sort(into);
  into.erase(std::unique(into.begin(), into.end()), into.end());
}

}  // namespace

std::vector<SpecialRow> thread_rows(const Program& program, const Instruction& instruction) {
  std::vector<SpecialRow> rows;
  for (const Operand& source : instruction.source) {
    if (!source.present() || source.bank() != Bank::special) continue;
    const auto row = static_cast<SpecialRow>(source.row());
    if (tells_threads_apart(row)) rows.push_back(row);
  }
  const bool local =
      instruction.space == Space::local || instruction.space == Space::generic || instruction.opcode == Opcode::host;
  if (local && program.local_bytes != 0) rows.push_back(SpecialRow::local_home);
  return rows;
}

RecordValues::RecordValues(const Program& program)
    : program_(program),
      liveness_(
          compute_liveness(program.blocks, accesses_with_specials(program), value_of(program, SpecialRow::count))),
      uniforms_(program) {}

RecordFields RecordValues::fields_at(std::uint32_t block, bool without_shared) {
  RecordFields fields;
  const ValueSet& live = liveness_.live_in[block];
  const ValueId predicates = program_.register_rows;
  const ValueId specials = predicates + program_.predicates;
  for (auto value = live.find_first(); value != ValueSet::npos; value = live.find_next(value)) {
    if (value >= specials) {
      fields.specials.push_back(static_cast<SpecialRow>(value - specials));
    } else if (value >= predicates) {
      fields.predicates.push_back(static_cast<std::uint16_t>(value - predicates));
    } else if (!without_shared || !uniforms_.at(block, static_cast<std::uint16_t>(value))) {
      fields.registers.push_back(static_cast<std::uint16_t>(value));
    }
  }
  return fields;
}

std::vector<UniformRow> RecordValues::uniforms_at(std::uint32_t block) {
  std::vector<UniformRow> rows;
  const ValueSet& live = liveness_.live_in[block];
  for (auto value = live.find_first(); value < program_.register_rows; value = live.find_next(value)) {
    const auto row = static_cast<std::uint16_t>(value);
    if (const auto from = uniforms_.at(block, row)) rows.push_back({row, *from});
  }
  return rows;
}

RecordFields united(std::span<const RecordFields> each) {
  RecordFields all;
  for (const RecordFields& one : each) {
    unite(all.registers, one.registers);
    unite(all.predicates, one.predicates);
    unite(all.specials, one.specials);
  }
  return all;
}

}  // namespace reconverge::kernel

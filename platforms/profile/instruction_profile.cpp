// SPDX-License-Identifier: Apache-2.0
#include "platforms/profile/instruction_profile.hpp"

#include <algorithm>
#include <stdexcept>

#include "models/kernel/opcode.hpp"

namespace reconverge {

namespace {

std::string_view space_of(const kernel::Instruction& instruction) {
  if (instruction.opcode == kernel::Opcode::tex) return "texture";
  const bool parameter = instruction.opcode == kernel::Opcode::ld_param;
  return kernel::name_of(parameter ? kernel::Space::param : instruction.space);
}

ListedInstruction listed(const kernel::Program& program, kernel::Pc pc) {
  const kernel::Instruction& instruction = program.instructions[pc];
  ListedInstruction entry;
  entry.line = instruction.line;
  entry.text = program.text[pc];
  entry.space = space_of(instruction);
  entry.branch = instruction.opcode == kernel::Opcode::bra || instruction.opcode == kernel::Opcode::brx ||
                 instruction.opcode == kernel::Opcode::call;
  kernel::SourceLine source = pc < program.source_lines.size() ? program.source_lines[pc] : kernel::SourceLine{};
  while (source.line != 0) {
    entry.sources.push_back({program.source_files[source.file], source.line});
    source = source.inlined_at == kernel::not_inlined ? kernel::SourceLine{} : program.inlined_at[source.inlined_at];
  }
  return entry;
}

}  // namespace

LineCounts& LineCounts::operator+=(const LineCounts& other) {
  if (lines == 0) cache = other.cache;
  lines += other.lines;
  hits += other.hits;
  misses += other.misses;
  merges += other.merges;
  return *this;
}

ProfiledInstruction& ProfiledInstruction::operator+=(const ProfiledInstruction& other) {
  executions += other.executions;
  threads += other.threads;
  divergent += other.divergent;
  for (const BranchTarget& target : other.targets) {
    const auto known = std::ranges::find(targets, target.pc, &BranchTarget::pc);
    if (known == targets.end()) {
      targets.push_back(target);
    } else {
      known->threads += target.threads;
    }
  }
  lines += other.lines;
  add_counters(lost, other.lost);
  return *this;
}

InstructionProfile& InstructionProfile::operator+=(const InstructionProfile& later) {
  if (later.program != program || later.instructions.size() != instructions.size()) {
    throw std::logic_error("profiles of two programs are added");
  }
  lanes = std::min(lanes, later.lanes);
  for (std::size_t pc = 0; pc < instructions.size(); ++pc) instructions[pc] += later.instructions[pc];
  add_counters(elsewhere, later.elsewhere);
  return *this;
}

InstructionProfile empty_profile(const kernel::Program& program) {
  InstructionProfile profile;
  profile.program = program.file;
  profile.instructions.resize(program.instructions.size());
  for (kernel::Pc pc = 0; pc < program.instructions.size(); ++pc) profile.listing.push_back(listed(program, pc));
  return profile;
}

}  // namespace reconverge

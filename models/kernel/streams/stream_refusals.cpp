// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/streams/stream_refusals.hpp"

#include <fmt/format.h>

#include "models/core/error.hpp"
#include "models/kernel/analysis/company.hpp"

namespace reconverge::kernel {

namespace {

constexpr std::string_view other_machine = "let each thread work independently, or run the kernel on a GPU";

[[noreturn]] void refuse(const Program& program, const Instruction& instruction, std::string_view what,
                         std::string_view advice) {
  throw InputError({program.file, instruction.line, 0}, std::string(what), std::string(advice));
}

bool names(const Instruction& instruction, SpecialRow row) {
  const Operand special(Bank::special, static_cast<unsigned>(row));
  for (const Operand& source : instruction.source) {
    if (source == special) return true;
  }
  return false;
}

void look_at_places(const Program& program, const Instruction& instruction, const RefusalWords& words) {
  for (const SpecialRow row : {SpecialRow::laneid, SpecialRow::warpid, SpecialRow::nwarpid, SpecialRow::smid,
                               SpecialRow::nsmid, SpecialRow::extension_0, SpecialRow::extension_1}) {
    if (!names(instruction, row)) continue;
    refuse(program, instruction, fmt::format("{}: any lane of {} may run a thread", name_of(row), words.machine),
           "compute what is needed from %tid and %ctaid");
  }
  if (instruction.opcode != Opcode::read_special) return;
  const auto which = static_cast<DynamicRegister>(instruction.variant);
  if (which >= DynamicRegister::dynamic_smem_size && which <= DynamicRegister::aggr_smem_size) return;
  refuse(program, instruction,
         fmt::format("{}: threads of {} have no warp and no clock", name_of(which), words.machine), other_machine);
}

void look_at(const Program& program, const Instruction& instruction, const RefusalWords& words) {
  if (instruction.opcode == Opcode::bar || instruction.opcode == Opcode::mbarrier)
    refuse(program, instruction, fmt::format("a barrier: threads of {} do not wait for each other", words.machine),
           other_machine);
  if (instruction.operation_class == OperationClass::atomic && !words.atomics)
    refuse(program, instruction, fmt::format("an atomic operation: {} has none", words.machine),
           fmt::format("write each thread's results to a separate address, or give the machine atomics ({})",
                       words.atomics_parameter));
  if (asks_for_lanes(instruction))
    refuse(program, instruction,
           fmt::format("the lanes of a warp exchange values here, and threads of {} have no warp", words.machine),
           other_machine);
  if (instruction.opcode == Opcode::call || (instruction.opcode == Opcode::ret && instruction.source[0].present()))
    refuse(program, instruction, fmt::format("call: {} keeps no stack between passes", words.machine),
           "inline the function (__forceinline__), or compile with optimisation");
  if (instruction.space == Space::shared || instruction.opcode == Opcode::bulk_copy)
    refuse(program, instruction,
           fmt::format("shared memory: threads of many blocks share the lanes of {}", words.machine),
           "use global memory");
  if (instruction.opcode == Opcode::host && static_cast<HostFunction>(instruction.variant) != HostFunction::print &&
      static_cast<HostFunction>(instruction.variant) != HostFunction::assert_fail)
    refuse(program, instruction, fmt::format("malloc or free: {} has no heap", words.machine),
           "use a buffer of the launch");
  if (instruction.extension != no_extension && !forks(instruction))
    refuse(program, instruction,
           fmt::format("'{}' needs its scheme, and {} has none", program.extensions[instruction.extension].mnemonic,
                       words.machine),
           "run the kernel on a GPU that has it");
  look_at_places(program, instruction, words);
}

}  // namespace

void refuse_company(const Program& program, const RefusalWords& words) {
  for (const Instruction& instruction : program.instructions) look_at(program, instruction, words);
}

}  // namespace reconverge::kernel

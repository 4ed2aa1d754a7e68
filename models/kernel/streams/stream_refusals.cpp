// What no streaming graph can have: a record is alone, in no warp and in no block.

#include <fmt/format.h>

#include "models/core/error.hpp"
#include "models/kernel/analysis/company.hpp"
#include "models/kernel/streams/streaming_graph.hpp"

namespace reconverge::kernel {

namespace {

constexpr std::string_view alone = "let each thread work alone, or run the kernel on a GPU";

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

void look_at_places(const Program& program, const Instruction& instruction) {
  for (const SpecialRow row : {SpecialRow::laneid, SpecialRow::warpid, SpecialRow::nwarpid, SpecialRow::smid,
                               SpecialRow::nsmid, SpecialRow::extension_0, SpecialRow::extension_1}) {
    if (!names(instruction, row)) continue;
    refuse(program, instruction, fmt::format("{}: a record is on any lane of a stream processor", name_of(row)),
           "compute what is needed from %tid and %ctaid");
  }
  if (instruction.opcode != Opcode::read_special) return;
  const auto which = static_cast<DynamicRegister>(instruction.variant);
  if (which == DynamicRegister::dynamic_smem_size || which == DynamicRegister::total_smem_size) return;
  refuse(program, instruction, fmt::format("{}: a record is in no warp, and no clock runs with it", name_of(which)),
         alone);
}

void look_at(const Program& program, const Instruction& instruction, const StreamOptions& options) {
  if (instruction.opcode == Opcode::bar || instruction.opcode == Opcode::mbarrier)
    refuse(program, instruction, "a barrier: records do not wait for each other", alone);
  if (instruction.operation_class == OperationClass::atomic && !options.atomics)
    refuse(
        program, instruction, "an atomic operation: a stream processor has none",
        "write results of each thread to a place of its own, or give the machine atomics (stream_processor.atomics)");
  if (asks_for_lanes(instruction))
    refuse(program, instruction, "the lanes of a warp exchange values here, and records are in no warp", alone);
  if (instruction.opcode == Opcode::call || (instruction.opcode == Opcode::ret && instruction.source[0].present()))
    refuse(program, instruction, "call: a stack does not pass between the nodes of a streaming graph",
           "inline the function (__forceinline__), or compile with optimisation");
  if (instruction.space == Space::shared)
    refuse(program, instruction, "shared memory: records of many blocks share the lanes", "use global memory");
  if (instruction.opcode == Opcode::host && static_cast<HostFunction>(instruction.variant) != HostFunction::print &&
      static_cast<HostFunction>(instruction.variant) != HostFunction::assert_fail)
    refuse(program, instruction, "malloc or free: a stream processor has no heap", "use a buffer of the launch");
  if (instruction.extension != no_extension && !forks(instruction))
    refuse(program, instruction,
           fmt::format("'{}' needs its scheme, and a stream processor has none",
                       program.extensions[instruction.extension].mnemonic),
           "run the kernel on a GPU that has it");
  look_at_places(program, instruction);
}

}  // namespace

void refuse_what_cannot_stream(const Program& program, const StreamOptions& options) {
  for (const Instruction& instruction : program.instructions) look_at(program, instruction, options);
}

}  // namespace reconverge::kernel

// SPDX-License-Identifier: Apache-2.0
#include "models/execution/operations/operation.hpp"

#include <fmt/format.h>

#include "models/core/error.hpp"
#include "models/execution/operations/by_opcode.hpp"

namespace reconverge {

namespace {

using kernel::Instruction;
using kernel::Opcode;

/// Instructions that act on the warp, not on its lanes.
bool without_function(const kernel::Program& program, const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::bra:
    case Opcode::exit:
    case Opcode::bar:
      return true;
    case Opcode::extension:
      return !program.extensions[instruction.extension].has_value();
    default:
      return false;
  }
}

Operation select_in([[maybe_unused]] VectorUnits units, const Instruction& instruction) {
#if defined(RECONVERGE_HAVE_AVX512)
  if (units == VectorUnits::avx512) return operations::select_by_opcode_avx512(instruction);
#endif
  return operations::select_by_opcode(instruction);
}

}  // namespace

Operation select_operation(const kernel::Program& program, const Instruction& instruction, VectorUnits units) {
  if (without_function(program, instruction)) return nullptr;
  if (Operation operation = select_in(units, instruction)) return operation;
  const auto pc = static_cast<std::size_t>(&instruction - program.instructions.data());
  throw InputError({program.file, instruction.line, 0}, fmt::format("the lanes cannot execute '{}'", program.text[pc]),
                   "see the table of supported instructions in models/kernel/README.md");
}

std::string thread_name(const ExecutionContext& context, unsigned lane) {
  ThreadPosition position = context.position;
  if (context.names != nullptr) {
    const std::uint32_t thread = context.names->threads[lane] % context.names->block_threads;
    position = {context.names->threads[lane] / context.names->block_threads, thread / warp_size};
    lane = thread % warp_size;
  }
  return fmt::format("block {}, warp {}, lane {}", position.block, position.warp, lane);
}

std::vector<Operation> select_operations(const kernel::Program& program, VectorUnits units) {
  std::vector<Operation> operations;
  operations.reserve(program.instructions.size());
  for (const Instruction& instruction : program.instructions)
    operations.push_back(select_operation(program, instruction, units));
  return operations;
}

}  // namespace reconverge

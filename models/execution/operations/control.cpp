// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "models/core/error.hpp"
#include "models/execution/operations/lanewise.hpp"

// Targets of lanes that the instruction does not name itself: jump tables, calls, returns; the divergence scheme does
// the rest. And trap, which ends the run.

namespace reconverge::operations {

namespace {

using kernel::Opcode;
using kernel::Pc;

[[noreturn]] void fail(const Instruction& instruction, const ExecutionContext& context, unsigned lane,
                       std::string_view what) {
  throw ExecutionError(fmt::format("{}: {} in kernel '{}' ({})", kernel::place_of(*context.program, instruction), what,
                                   context.program->name, thread_name(context, lane)));
}

void jump_by_table(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const auto& table = context.program->branch_tables[instruction.target];
  const Reader<std::uint32_t> index(context, instruction.source[0]);
  for_each_lane(mask, [&](unsigned lane) {
    if (index[lane] >= table.size()) {
      fail(instruction, context, lane, fmt::format("index {} of a jump table of {}", index[lane], table.size()));
    }
    context.targets[lane] = table[index[lane]];
  });
}

void set_link(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const auto pc = static_cast<Pc>(&instruction - context.program->instructions.data());
  alignas(64) std::uint32_t way_back[warp_size];
  for (auto& lane : way_back) lane = pc + 1;
  write_lanes<std::uint32_t>(context, instruction.destination[0], way_back, mask);
}

template <typename T>
void call_by_pointer(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const Reader<T> pointer(context, instruction.source[0]);
  for_each_lane(mask, [&](unsigned lane) {
    const kernel::FunctionRange* function = kernel::function_at(*context.program, pointer[lane]);
    if (function == nullptr) {
      fail(instruction, context, lane, fmt::format("call of {:#x}, which is no function", pointer[lane]));
    }
    context.targets[lane] = function->first;
  });
  set_link(instruction, context, mask);
}

void come_back(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const Reader<std::uint32_t> way_back(context, instruction.source[0]);
  for_each_lane(mask, [&](unsigned lane) { context.targets[lane] = way_back[lane]; });
}

void stop(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  fail(instruction, context, first_lane(mask), "trap");
}

}  // namespace

Operation select_control(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::brx:
      return &jump_by_table;
    case Opcode::call:
      if (instruction.target != kernel::no_pc) return &set_link;
      return instruction.wide_source(0) ? &call_by_pointer<std::uint64_t> : &call_by_pointer<std::uint32_t>;
    case Opcode::ret:
      return &come_back;
    case Opcode::trap:
      return &stop;
    default:
      return nullptr;
  }
}

}  // namespace reconverge::operations

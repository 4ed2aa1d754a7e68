// SPDX-License-Identifier: Apache-2.0
#include "models/execution/operations/members.hpp"

#include <fmt/format.h>

#include "models/core/error.hpp"
#include "models/execution/operations/lanewise.hpp"
#include "models/kernel/analysis/company.hpp"

namespace reconverge {

using kernel::Instruction;
using kernel::Opcode;

kernel::Operand member_operand(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::bar:
    case Opcode::elect:
      return instruction.source[0];
    case Opcode::vote:
    case Opcode::match:
    case Opcode::redux:
      return instruction.source[1];
    case Opcode::shfl:
      return instruction.source[3];
    default:
      return {};
  }
}

bool is_exchange(const Instruction& instruction) {
  return kernel::asks_for_lanes(instruction) ||
         (instruction.opcode == Opcode::bar &&
          static_cast<kernel::BarrierMode>(instruction.variant) == kernel::BarrierMode::warp_sync);
}

bool names_members(const Instruction& instruction) { return member_operand(instruction).present(); }

bool is_for_whole_warp(const Instruction& instruction) {
  return is_exchange(instruction) && !names_members(instruction) && instruction.opcode != Opcode::activemask;
}

LaneMask members_of(const Instruction& instruction, const ExecutionContext& context, unsigned lane) {
  const kernel::Operand operand = member_operand(instruction);
  return operand.present() ? operations::Reader<std::uint32_t>(context, operand)[lane] : all_lanes;
}

void require_members(const Instruction& instruction, const ExecutionContext& context, LaneMask lanes) {
  if (!names_members(instruction)) return;
  for_each_lane(lanes, [&](unsigned lane) {
    const LaneMask missing = members_of(instruction, context, lane) & context.live & ~lanes;
    if (missing == 0) return;
    throw ExecutionError(fmt::format(
        "{}: '{}' waits for lane {}, which is not here, in kernel '{}' (block {}, warp {}, lane {}); lanes of this "
        "machine meet only where control flow does: name the lanes that get here, with activemask or a vote before",
        kernel::place_of(*context.program, instruction), kernel::name_of(instruction.opcode), first_lane(missing),
        context.program->name, context.position.block, context.position.warp, lane));
  });
}

}  // namespace reconverge

#pragma once
/// The state of one warp slot.

#include "models/core/lane_mask.hpp"
#include "models/execution/operations/operation.hpp"
#include "models/kernel/program.hpp"

namespace reconverge {

struct Warp {
  // The current path: which lanes run where, and where they wait for others. The divergence scheme owns it.
  kernel::Pc pc = 0;
  LaneMask active = 0;
  kernel::Pc reconvergence = kernel::no_pc;

  LaneMask live = 0;             ///< threads that have not ended
  std::uint32_t slot = 0;        ///< index in the SM
  std::uint32_t block_slot = 0;  ///< the thread block it belongs to
  std::uint64_t age = 0;         ///< warps launched earlier have smaller ages
  bool at_barrier = false;
  bool at_meeting = false;  ///< stopped where warps of its block meet; set by schemes whose warps do
  ExecutionContext context;

  /// Where a lane that takes `instruction`, a branch, call or return, goes.
  kernel::Pc target_of(const kernel::Instruction& instruction, unsigned lane) const {
    const bool fixed = instruction.opcode == kernel::Opcode::bra ||
                       (instruction.opcode == kernel::Opcode::call && instruction.target != kernel::no_pc);
    return fixed ? instruction.target : context.targets[lane];
  }

  bool resident() const { return live != 0; }
};

}  // namespace reconverge

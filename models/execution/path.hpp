#pragma once
/// Which lanes of a warp run where, and where they go from there. Plain values: what divergence schemes work on.

#include <array>

#include "models/core/lane_mask.hpp"
#include "models/kernel/program.hpp"

namespace reconverge {

/// Lanes of a warp that run together.
struct Path {
  kernel::Pc pc = 0;
  LaneMask lanes = 0;               ///< none: nothing runs
  kernel::Pc stop = kernel::no_pc;  ///< where its scheme has to be asked: the path's reconvergence point

  bool operator==(const Path&) const = default;
};

/// Where each lane goes that takes a branch, call or return.
struct Targets {
  using Each = std::array<kernel::Pc, warp_size>;

  kernel::Pc common = kernel::no_pc;  ///< of all lanes; no_pc: each has its own
  Each each;                          ///< only then

  Targets() = default;
  /// `each`: as the instruction left them in the lanes, where it names no target itself.
  Targets(const kernel::Instruction& instruction, const Each& of_lanes) { set(instruction, of_lanes); }
  void set(const kernel::Instruction& instruction, const Each& of_lanes) {
    const bool fixed = instruction.opcode == kernel::Opcode::bra ||
                       (instruction.opcode == kernel::Opcode::call && instruction.target != kernel::no_pc);
    common = fixed ? instruction.target : kernel::no_pc;
    if (!fixed) each = of_lanes;
  }

  kernel::Pc operator[](unsigned lane) const { return common != kernel::no_pc ? common : each[lane]; }
};

}  // namespace reconverge

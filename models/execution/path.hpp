// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Paths of a warp's lanes, and the targets of their branches. Plain values that divergence schemes work on.

#include <array>

#include "models/core/lane_mask.hpp"
#include "models/kernel/program.hpp"

namespace reconverge {

/// Lanes of a warp that run together.
struct Path {
  kernel::Pc pc = 0;
  LaneMask lanes = 0;               ///< none: no lane runs
  kernel::Pc stop = kernel::no_pc;  ///< where the scheme must decide: the path's reconvergence point

  bool operator==(const Path&) const = default;
};

/// The target of each lane that takes a branch, call or return.
struct Targets {
  using Each = std::array<kernel::Pc, warp_size>;

  kernel::Pc common = kernel::no_pc;  ///< of all lanes; no_pc: each lane has a separate target
  Each each;                          ///< used only if `common` is no_pc

  Targets() = default;
  /// `each`: the targets that the instruction wrote for the lanes, if it has no target.
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

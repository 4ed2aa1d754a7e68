// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The targets of the lanes of a branch or call.

#include "models/protocols/observer.hpp"

namespace reconverge {

/// Calls `visit(pc, lanes)` for each target of lanes of the path: first targets that the branch names, and last the
/// next instruction. More than one call means that the path diverges.
template <typename Visit>
void for_each_side(const BranchNote& note, const Visit& visit) {
  const kernel::Pc next = note.place.pc + 1;
  LaneMask falling = note.path & ~note.taken;
  for (LaneMask left = note.taken; left != 0;) {
    const kernel::Pc target = note.targets[first_lane(left)];
    LaneMask together = left;
    if (note.targets.common == kernel::no_pc) {
      for_each_lane(left, [&](unsigned lane) {
        if (note.targets[lane] != target) together &= ~lane_bit(lane);
      });
    }
    left &= ~together;
    if (target == next) {
      falling |= together;  // the target is the next instruction
    } else {
      visit(target, together);
    }
  }
  if (falling != 0) visit(next, falling);
}

}  // namespace reconverge

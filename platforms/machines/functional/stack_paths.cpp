// SPDX-License-Identifier: Apache-2.0
#include "platforms/machines/functional/stack_paths.hpp"

#include "models/execution/block_barriers.hpp"

namespace reconverge {

void StackPaths::start(Warp& warp) {
  warp.path = stack_.start(warp.live, 0);
  warp.at_barrier = false;
}

void StackPaths::wait(Warp& warp, const kernel::Instruction& instruction, LaneMask lanes) {
  require_whole_warp(warp, instruction, lanes);
  if (warp.path.pc == warp.path.stop) stack_.reconverge(warp.path);
  warp.at_barrier = true;
}

}  // namespace reconverge

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Diverged lanes reconverge with the reconvergence stack, and do not wait for each other anywhere else.

#include "models/execution/path_stack.hpp"
#include "platforms/machines/functional/warp_paths.hpp"

namespace reconverge {

class StackPaths final : public WarpPaths {
 public:
  void start(Warp& warp) override;
  void branch(Warp& warp, const kernel::Instruction& branch, LaneMask taken, const Targets& targets) override {
    stack_.branch(warp.path, branch, taken, targets);
  }
  void call(Warp& warp, LaneMask lanes, const Targets& targets) override { stack_.call(warp.path, lanes, targets); }
  void leave(Warp& warp, LaneMask lanes, const Targets& /*targets*/) override { stack_.leave(warp.path, lanes); }
  void exit(Warp& warp, LaneMask lanes) override { stack_.exit(warp.path, lanes); }
  void stop(Warp& warp) override { stack_.reconverge(warp.path); }
  void wait(Warp& warp, const kernel::Instruction& instruction, LaneMask lanes) override;
  void release(Warp& warp, LaneMask /*lanes*/) override { warp.at_barrier = false; }

 private:
  PathStack stack_;
};

}  // namespace reconverge

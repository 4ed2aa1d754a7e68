// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The paths of a warp's lanes on a machine without timing. There is one implementation for each kind of forward
/// progress that platforms guarantee to threads of one warp that wait for each other.

#include <memory>
#include <vector>

#include "models/execution/path.hpp"
#include "models/execution/warp.hpp"
#include "platforms/machines/functional/functional_parameters.hpp"

namespace reconverge {

/// Each call sets the path of the warp that runs next. If it has no lanes, all have ended or wait, depending on
/// `at_barrier`.
class WarpPaths {
 public:
  virtual ~WarpPaths() = default;

  /// The live lanes of the warp begin the kernel.
  virtual void start(Warp& warp) = 0;
  /// All lanes of the path executed `branch` (bra or brx); the lanes in `taken` jump.
  virtual void branch(Warp& warp, const kernel::Instruction& branch, LaneMask taken, const Targets& targets) = 0;
  virtual void call(Warp& warp, LaneMask lanes, const Targets& targets) = 0;
  virtual void leave(Warp& warp, LaneMask lanes, const Targets& targets) = 0;
  /// `lanes` of the path, which are no longer live, ended.
  virtual void exit(Warp& warp, LaneMask lanes) = 0;
  /// The path reached its stop.
  virtual void stop(Warp& warp) = 0;
  /// The path is about to execute `instruction`, which may require it to wait for other lanes. Returns whether a path
  /// executes it now.
  virtual bool enter(Warp& /*warp*/, const kernel::Instruction& /*instruction*/) { return true; }
  /// The path is after the block barrier `instruction`, and `lanes` of it wait there. Throws ExecutionError if part of
  /// a warp cannot wait.
  virtual void wait(Warp& warp, const kernel::Instruction& instruction, LaneMask lanes) = 0;
  virtual void release(Warp& warp, LaneMask lanes) = 0;
  /// The path ended a round of a loop in which it may wait for other lanes.
  virtual void end_round(Warp& /*warp*/) {}
  /// The paths of the lanes that do not wait at a block barrier, for messages; empty: all run the path of the warp, or
  /// wait for it.
  virtual std::vector<Path> places(const Warp& /*warp*/) const { return {}; }
};

std::unique_ptr<WarpPaths> make_paths(ForwardProgress progress);

}  // namespace reconverge

#pragma once
/// Which lanes of a warp run where, on a machine with no time in it. A kind for each way in which platforms let threads
/// of one warp wait for each other.

#include <cstdint>
#include <memory>
#include <vector>

#include "models/execution/path.hpp"
#include "models/execution/warp.hpp"

namespace reconverge {

/// What threads of one warp that wait for each other can rely on.
enum class ForwardProgress : std::uint8_t {
  warps,          ///< nothing: lanes that parted run one side after the other, and meet (reconvergence stack)
  waiting_lanes,  ///< a lane that waits for another in a loop, at an exchange or at a barrier lets it run
  lanes           ///< every lane that can run does run, sooner or later
};

/// Each call changes the path of the warp to what runs next. No lanes: all have ended or wait, and `at_barrier` says
/// so.
class WarpPaths {
 public:
  virtual ~WarpPaths() = default;

  /// The live lanes of the warp begin the kernel.
  virtual void start(Warp& warp) = 0;
  /// All lanes of the path executed `branch` (bra or brx); those of `taken` jump.
  virtual void branch(Warp& warp, const kernel::Instruction& branch, LaneMask taken, const Targets& targets) = 0;
  virtual void call(Warp& warp, LaneMask lanes, const Targets& targets) = 0;
  virtual void leave(Warp& warp, LaneMask lanes, const Targets& targets) = 0;
  /// `lanes` of the path, which are live no longer, ended.
  virtual void exit(Warp& warp, LaneMask lanes) = 0;
  /// The path came to its stop.
  virtual void stop(Warp& warp) = 0;
  /// The path is about to execute `instruction`, for which it may have to wait for other lanes. Returns whether a path
  /// executes it now.
  virtual bool enter(Warp& /*warp*/, const kernel::Instruction& /*instruction*/) { return true; }
  /// The path stands after the barrier `instruction` of the block, and `lanes` of it wait there. Throws ExecutionError
  /// where some of a warp cannot.
  virtual void wait(Warp& warp, const kernel::Instruction& instruction, LaneMask lanes) = 0;
  virtual void release(Warp& warp, LaneMask lanes) = 0;
  /// The path ended a round of a loop in which it may wait for other lanes.
  virtual void end_round(Warp& /*warp*/) {}
  /// Where the lanes are that wait at no barrier of the block, for messages; none: all run the path of the warp, or
  /// wait for it.
  virtual std::vector<Path> places(const Warp& /*warp*/) const { return {}; }
};

std::unique_ptr<WarpPaths> make_paths(ForwardProgress progress);

}  // namespace reconverge

#pragma once
/// A thread block that runs with no time in it: turn by turn of its warps, on the same decoded program and lanes as the
/// timed SM.

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "models/execution/block_barriers.hpp"
#include "models/execution/launch.hpp"
#include "models/execution/program_image.hpp"
#include "models/execution/stall_watch.hpp"
#include "models/execution/thread_setup.hpp"
#include "models/protocols/observer.hpp"
#include "platforms/functional/warp_paths.hpp"
#include "platforms/machine.hpp"

namespace reconverge {

/// The state that all blocks of a launch share.
struct FunctionalProgram {
  FunctionalProgram(const kernel::Program& program, DeviceMemory& memory, ForwardProgress progress);

  ProgramImage image;
  ForwardProgress progress;
  std::vector<bool> rounds;  ///< by pc: the branch there ends a round in which a thread may wait for another
};

class FunctionalBlock {
 public:
  /// A place for blocks of the launch, one after the other. All arguments must outlive it.
  FunctionalBlock(const Launch& launch, const FunctionalProgram& program, DeviceMemory& memory);

  /// Makes block `block` (a linear index) ready to run.
  void start(std::uint64_t block);

  /// Takes every warp to its next barrier, to its end, or to the end of its turn; `asked` is called behind each turn.
  /// `observer` hears what issues, in cycle 0 of SM 0; null: nobody does.
  /// Throws ExecutionError where no warp can ever move again. Returns whether others could see that anything happened.
  bool run_round(InstructionCounts& counts, SmObserver* observer, const std::function<void()>& asked);
  bool ended() const;

  /// Watches for warps that run in circles, or goes on watching; or stops.
  void watch(bool on);
  /// Every warp runs in a circle, or waits at a barrier.
  bool goes_nowhere() const;
  /// Adds the warps that run to `warps`.
  void add_running(std::vector<RunningWarp>& warps) const;
  /// Which lanes wait where, for warps that cannot run; one line each.
  std::string describe_waiting() const;

 private:
  struct alignas(64) Row {
    std::array<std::uint32_t, warp_size> words;
  };
  struct Slot {
    Warp warp;
    std::unique_ptr<WarpPaths> paths;
    std::uint32_t rounds = 0;  // of this turn
  };

  /// Runs one warp until it ends, waits at a barrier, or has had its turn.
  void run_warp(Slot& slot, InstructionCounts& counts);
  /// Runs a path for as long as its lanes only do their work, `most` instructions at most. Gives how many there were.
  std::uint32_t run_lanes(Warp& warp, std::uint32_t most, InstructionCounts& counts);
  /// Runs the instruction at which the lanes do more.
  void run_control(Slot& slot, InstructionCounts& counts);
  void note_issue(const Warp& warp, LaneMask lanes);
  void note_branch(const Warp& warp, LaneMask taken, const Targets& targets);
  void release(const std::vector<BlockBarriers::Released>& released);

  const Launch& launch_;
  const ProgramImage& image_;
  const std::vector<bool>& rounds_;
  std::vector<Row> registers_;
  ThreadSetup setup_;
  std::vector<Slot> slots_;
  BlockBarriers barriers_;
  StallWatch watch_;
  SmObserver* observer_ = nullptr;  // of the round
};

}  // namespace reconverge

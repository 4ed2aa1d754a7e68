// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A thread block that runs without timing: its warps take turns, on the same decoded program and lanes as the timed
/// SM.

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
#include "platforms/machine.hpp"
#include "platforms/machines/functional/warp_paths.hpp"

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
  /// Runs blocks of the launch, one after the other. All references must outlive it. Observers see `place` as the SM.
  FunctionalBlock(const Launch& launch, const FunctionalProgram& program, DeviceMemory& memory, std::uint32_t place);

  /// Makes block `block` (a linear index) ready to run. `observer` is notified of its threads; null: no observer.
  void start(std::uint64_t block, SmObserver* observer);

  /// Runs every warp to its next barrier, its end, or the end of its turn; calls `asked` after each turn. `observer` is
  /// notified of issues, in cycle 0; null: no observer. Throws ExecutionError if no warp can ever continue. Returns
  /// whether there was a visible event.
  bool run_round(InstructionCounts& counts, SmObserver* observer, const std::function<void()>& asked);
  bool ended() const;

  /// Starts, continues or stops watching for warps that loop without progress.
  void watch(bool on);
  /// Every warp loops without progress or waits at a barrier.
  bool goes_nowhere() const;
  /// Adds the running warps to `warps`.
  void add_running(std::vector<RunningWarp>& warps) const;
  /// Describes the waiting lanes of warps that cannot run; one line each.
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

  /// Runs one warp until it ends, waits at a barrier, or has used its turn.
  void run_warp(Slot& slot, InstructionCounts& counts);
  /// Runs a path for at most `most` instructions, as long as they affect only its own lanes. Returns how many it ran.
  std::uint32_t run_lanes(Warp& warp, std::uint32_t most, InstructionCounts& counts);
  /// Runs an instruction that affects more than the lanes of the path.
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
  std::uint32_t place_;
  SmObserver* observer_ = nullptr;  // of the round
};

}  // namespace reconverge

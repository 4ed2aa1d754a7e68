#pragma once
/// Runs a launch with no time in it: warp after warp, on the same decoded program, lanes and reconvergence stack as the
/// timed SM. For answers without waiting, and as the reference that timing must not change.

#include <array>
#include <functional>
#include <map>
#include <vector>

#include "models/execution/block_barriers.hpp"
#include "models/execution/launch.hpp"
#include "models/execution/path_stack.hpp"
#include "models/execution/program_image.hpp"
#include "models/execution/stall_watch.hpp"
#include "models/execution/thread_setup.hpp"
#include "platforms/machine.hpp"

namespace reconverge {

class FunctionalMachine : public Machine {
 public:
  DeviceMemory& memory() override { return memory_; }

  /// Called at every branch that a warp executes, with the lanes at it and those that jump; null: nobody.
  using BranchObserver = std::function<void(kernel::Pc pc, LaneMask active, LaneMask taken)>;
  void observe_branches(BranchObserver observer) { observer_ = std::move(observer); }

  bool run(const Launch& launch, const KeepGoing& keep_going = {}) override;
  /// It runs one after the other.
  std::uint64_t blocks_at_once(const Launch& /*launch*/) const override { return 1; }
  InstructionCounts instructions() const override { return instructions_; }
  Statistics totals() const override { return {}; }

 private:
  struct alignas(64) Row {
    std::array<std::uint32_t, warp_size> words;
  };
  struct Slot {
    Warp warp;
    PathStack stack;
    bool waiting = false;  // at a barrier
  };

  void start_block(const Launch& launch, std::uint64_t block);
  void run_block(const Launch& launch, const ProgramImage& image, InstructionCounts& counts);
  /// Runs one warp until it ends, waits at a barrier, or has had its turn.
  void run_warp(const ProgramImage& image, Slot& slot, InstructionCounts& counts);
  /// Runs a path for as long as its lanes only do their work, `most` instructions at most. Gives how many there were.
  std::uint32_t run_lanes(const ProgramImage& image, Warp& warp, std::uint32_t most, InstructionCounts& counts);
  /// Runs the instruction at which the lanes do more.
  void run_control(const ProgramImage& image, Slot& slot, InstructionCounts& counts);
  void release(const std::vector<BlockBarriers::Released>& released);
  [[noreturn]] void report_deadlock(const Launch& launch) const;
  /// After a round in which nothing happened. Throws when every warp runs in a circle.
  void look_for_circles(const Launch& launch);

  struct Stopped {};
  /// After a branch; throws Stopped when the launch shall not go on.
  void ask(const InstructionCounts& counts);

  DeviceMemory memory_;
  InstructionCounts instructions_;
  const KeepGoing* keep_going_ = nullptr;  // of the launch that runs
  std::uint64_t next_question_ = 0;        // instructions of the launch
  BranchObserver observer_;
  std::map<const kernel::Program*, ProgramImage> images_;
  std::vector<Row> registers_;
  ThreadSetup setup_;
  std::vector<Slot> slots_;
  BlockBarriers barriers_;
  StallWatch watch_;
};

}  // namespace reconverge

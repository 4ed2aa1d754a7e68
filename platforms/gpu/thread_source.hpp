#pragma once
/// Where the threads of an SM come from: the grid of the launch, and schemes that begin some of their own.

#include <cstdint>
#include <span>
#include <vector>

#include "models/core/cycle.hpp"
#include "models/execution/block_barriers.hpp"
#include "models/execution/thread_setup.hpp"
#include "models/execution/warp.hpp"

namespace reconverge {

class ThreadSource;

/// What an SM offers to those that bring threads.
class WarpSlots {
 public:
  /// Those that the launch may use, free or not.
  virtual std::span<Warp> slots() = 0;
  /// How many of them have no threads.
  virtual std::size_t free() const = 0;
  /// The same for threads of the grid, for which schemes may have no room.
  virtual std::size_t free_for_grid() const = 0;
  virtual ThreadSetup& setup() = 0;
  /// A new warp of `source` begins in a free slot: `lanes`, which are set up, at `pc`.
  virtual void begin_warp(ThreadSource& source, Warp& warp, LaneMask lanes, kernel::Pc pc, Cycle now) = 0;
  /// `lanes` of a warp whose others may be at work begin at `pc`; somebody whose lane ended made room for them.
  virtual void begin_threads(Warp& warp, LaneMask lanes, kernel::Pc pc, Cycle now) = 0;
  /// The same for lanes that had no threads for a while.
  virtual void join_threads(Warp& warp, LaneMask lanes, kernel::Pc pc, Cycle now) = 0;
  /// Threads that waited at a barrier go on.
  virtual void release(const std::vector<BlockBarriers::Released>& released, Cycle now) = 0;
  /// The warp has no threads, and no path will come back to it.
  virtual void vacate(const Warp& warp, Cycle now) = 0;

 protected:
  ~WarpSlots() = default;
};

class ThreadSource {
 public:
  virtual ~ThreadSource() = default;

  /// Threads wait, and a slot is free for them: start() begins some.
  virtual bool waits() const = 0;
  /// Begins in cycle `now` what it may.
  virtual void start(Cycle now) = 0;
  /// All of its threads have ended, and none will begin unless others bring them.
  virtual bool drained() const = 0;
  /// `lanes` of the warp, which this source began, ended in cycle `now`.
  virtual void ended(Warp& warp, LaneMask lanes, Cycle now) = 0;
  /// `lanes` of the warp execute `barrier` of their block. Throws ExecutionError when they have none.
  virtual void barrier_reached(Warp& warp, const kernel::Instruction& barrier, LaneMask lanes, Cycle now) = 0;
};

}  // namespace reconverge

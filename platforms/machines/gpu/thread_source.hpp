// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The sources of an SM's threads: the grid of the launch, and schemes that begin threads at run time.

#include <cstdint>
#include <span>
#include <vector>

#include "models/core/cycle.hpp"
#include "models/execution/block_barriers.hpp"
#include "models/execution/thread_setup.hpp"
#include "models/execution/warp.hpp"

namespace reconverge {

class ThreadSource;

/// The interface of an SM's slots for sources of threads.
class WarpSlots {
 public:
  /// Slots that the launch may use, free or not.
  virtual std::span<Warp> slots() = 0;
  /// The number of slots without threads.
  virtual std::size_t free() const = 0;
  /// The same for threads of the grid, whose number schemes may limit.
  virtual std::size_t free_for_grid() const = 0;
  virtual ThreadSetup& setup() = 0;
  /// A new warp of `source` begins in a free slot: its `lanes`, which are set up, begin at `pc`.
  virtual void begin_warp(ThreadSource& source, Warp& warp, LaneMask lanes, kernel::Pc pc, Cycle now) = 0;
  /// `lanes` of a warp whose other lanes may be running begin at `pc`, in lanes that ended threads just left.
  virtual void begin_threads(Warp& warp, LaneMask lanes, kernel::Pc pc, Cycle now) = 0;
  /// The same for lanes that have had no threads for some time.
  virtual void join_threads(Warp& warp, LaneMask lanes, kernel::Pc pc, Cycle now) = 0;
  /// Threads that waited at a barrier continue.
  virtual void release(const std::vector<BlockBarriers::Released>& released, Cycle now) = 0;
  /// The warp has no threads, and no path will return to it.
  virtual void vacate(const Warp& warp, Cycle now) = 0;

 protected:
  ~WarpSlots() = default;
};

class ThreadSource {
 public:
  virtual ~ThreadSource() = default;

  /// Threads wait and have a free slot: start() begins some.
  virtual bool waits() const = 0;
  /// Begins the threads that it may, in cycle `now`.
  virtual void start(Cycle now) = 0;
  /// All of its threads have ended, and none will begin unless other threads cause it.
  virtual bool drained() const = 0;
  /// `lanes` of the warp, which this source began, ended in cycle `now`.
  virtual void ended(Warp& warp, LaneMask lanes, Cycle now) = 0;
  /// `lanes` of the warp execute `barrier` of their block. Throws ExecutionError if they have no block.
  virtual void barrier_reached(Warp& warp, const kernel::Instruction& barrier, LaneMask lanes, Cycle now) = 0;
};

}  // namespace reconverge

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Runs the threads of a block, which wait for each other at barriers, as fibres of one host thread.

#include <functional>
#include <memory>

#include "platforms/kernels/device.h"

namespace reconverge::kernels {

/// Waits until the other threads of the running thread's warp (32, by their number) make the same call.
void synchronise_warp();

/// The running thread's number in its block.
unsigned running_thread();

/// Runs blocks of `threads` threads. Stacks are reused from block to block.
class BlockFibres {
 public:
  struct State;

  explicit BlockFibres(unsigned threads);
  ~BlockFibres();
  BlockFibres(const BlockFibres&) = delete;
  BlockFibres& operator=(const BlockFibres&) = delete;

  /// Calls `thread` once for each of the block's threads, numbered from zero. A thread that calls synchronise()
  /// continues when all others have called it, too, or have ended; synchronise_warp() waits for the threads of the
  /// warp. Throws std::logic_error if that never happens. `thread` sets its `place` and must not throw.
  void run(const std::function<void(unsigned)>& thread);

 private:
  std::unique_ptr<State> state_;
};

}  // namespace reconverge::kernels

#pragma once
/// Threads of a block that wait for each other at barriers, as fibres of one host thread.

#include <functional>
#include <memory>

#include "testbenches/kernels/device.h"

namespace reconverge::kernels {

/// Lets the other threads of the running thread's warp (32, by their number) come to their own call.
void synchronise_warp();

/// The running thread's number in its block.
unsigned running_thread();

/// Runs blocks of `threads` threads. Stacks are kept from one block to the next.
class BlockFibres {
 public:
  struct State;

  explicit BlockFibres(unsigned threads);
  ~BlockFibres();
  BlockFibres(const BlockFibres&) = delete;
  BlockFibres& operator=(const BlockFibres&) = delete;

  /// Calls `thread` once for each of the block's threads, numbered from zero. A thread that calls synchronise() goes
  /// on when all others have called it too or have ended; with synchronise_warp() it waits for those of its warp.
  /// Throws std::logic_error when that never happens. `thread` sets its `place` and must not throw.
  void run(const std::function<void(unsigned)>& thread);

 private:
  std::unique_ptr<State> state_;
};

}  // namespace reconverge::kernels

#pragma once
/// Threads of a block that wait for each other at barriers, as fibres of one host thread.

#include <functional>
#include <memory>

#include "testbenches/kernels/device.h"

namespace reconverge::kernels {

/// Runs blocks of `threads` threads. Stacks are kept from one block to the next.
class BlockFibres {
 public:
  struct State;

  explicit BlockFibres(unsigned threads);
  ~BlockFibres();
  BlockFibres(const BlockFibres&) = delete;
  BlockFibres& operator=(const BlockFibres&) = delete;

  /// Calls `thread` once for each of the block's threads, numbered from zero. A thread that calls synchronise() goes
  /// on when all others have called it too or have ended. `thread` sets its `place` and must not throw.
  void run(const std::function<void(unsigned)>& thread);

 private:
  std::unique_ptr<State> state_;
};

}  // namespace reconverge::kernels

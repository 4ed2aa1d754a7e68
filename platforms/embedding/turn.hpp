// SPDX-License-Identifier: Apache-2.0
#pragma once
/// SystemC has one current simulation in a process. Hosts that have several devices, or several threads, take turns.

#include <mutex>

namespace sc_core {
class sc_simcontext;
}

namespace reconverge::embedding {

/// While this object lives, no other thread elaborates, runs or destroys a simulation. A thread may take turns within
/// its turn: a host's callback may use another device. Nothing that the callback of another turn needs, such as
/// Python's lock, may be held while a thread waits for its turn.
class Turn {
 public:
  /// `simulation`: the current one until the end of the turn; null: code of the turn makes its own.
  explicit Turn(sc_core::sc_simcontext* simulation = nullptr);
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  /// The simulation that code of this turn has made current.
  static sc_core::sc_simcontext* current();

 private:
  std::unique_lock<std::recursive_mutex> lock_;
  sc_core::sc_simcontext* outer_;
};

}  // namespace reconverge::embedding

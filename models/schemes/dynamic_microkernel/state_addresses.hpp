// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Assigns states in spawn memory to threads (Steffen and Zambreno, MICRO 2010, section IV-A.1). The first threads of
/// the grid get the state of their warp slot and lane; later threads get states that others have released.

#include <deque>
#include <vector>

#include "models/protocols/control.hpp"
#include "models/schemes/dynamic_microkernel/messages.hpp"

namespace reconverge {

class StateAddresses : public sc_core::sc_module,
                       private ControlTarget<StateClaim>,
                       private ControlTarget<StateRelease> {
 public:
  ControlTargetSocket<StateClaim> claims;
  ControlTargetSocket<StateRelease> releases;

  explicit StateAddresses(sc_core::sc_module_name name);

  /// Begins a launch with states for `threads` threads.
  void begin(std::size_t threads);
  /// Number of free states.
  std::size_t free() const { return untouched_ + list_.size(); }

 private:
  /// At least one state must be free.
  void b_transport(StateClaim& claim, sc_core::sc_time& delay) override;
  void b_transport(StateRelease& release, sc_core::sc_time& delay) override;

  std::vector<bool> touched_;  // the state has been assigned before
  std::size_t untouched_ = 0;
  std::deque<std::uint32_t> list_;  // the free list, in order of release
};

}  // namespace reconverge

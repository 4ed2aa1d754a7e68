#pragma once
/// Which state in spawn memory each thread has (Steffen and Zambreno, MICRO 2010, section IV-A.1): those of the grid
/// that begin first have the one of their own place in the SM, later ones such as others have left.

#include <deque>
#include <vector>

#include "models/dynamic_microkernel/messages.hpp"
#include "models/protocols/control.hpp"

namespace reconverge {

class StateAddresses : public sc_core::sc_module,
                       private ControlTarget<StateClaim>,
                       private ControlTarget<StateRelease> {
 public:
  ControlTargetSocket<StateClaim> claims;
  ControlTargetSocket<StateRelease> releases;

  explicit StateAddresses(sc_core::sc_module_name name);

  /// There are states for so many threads.
  void begin(std::size_t threads);
  /// Those that nobody has.
  std::size_t free() const { return untouched_ + list_.size(); }

 private:
  /// One is free.
  void b_transport(StateClaim& claim, sc_core::sc_time& delay) override;
  void b_transport(StateRelease& release, sc_core::sc_time& delay) override;

  std::vector<bool> touched_;  // somebody has had it
  std::size_t untouched_ = 0;
  std::deque<std::uint32_t> list_;  // the free list: the one that was left first comes first
};

}  // namespace reconverge

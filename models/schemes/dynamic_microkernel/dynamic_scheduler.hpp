// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Selects the warp that starts in a free warp slot (Steffen and Zambreno, MICRO 2010, section IV-D). A full warp of
/// new threads has priority over a warp of the launch. A partial warp starts only if there is no other warp; the
/// partial warp with the lowest micro-kernel address starts first.

#include "models/protocols/control.hpp"
#include "models/schemes/dynamic_microkernel/messages.hpp"

namespace reconverge {

class DynamicScheduler : public sc_core::sc_module, private ControlTarget<WarpChoice> {
 public:
  ControlTargetSocket<WarpChoice> choices;
  ControlInitiatorSocket<DynamicScheduler, WarpPop> full_warps;
  ControlInitiatorSocket<DynamicScheduler, PartialWarp> partial_warps;

  explicit DynamicScheduler(sc_core::sc_module_name name);

  void begin() { launch_threads_ = spawned_threads_ = 0; }
  /// Counts threads that begin and end. `spawned`: created by other threads, not by the launch.
  void began(bool spawned, std::uint32_t threads) { (spawned ? spawned_threads_ : launch_threads_) += threads; }
  void ended(bool spawned, std::uint32_t threads) { (spawned ? spawned_threads_ : launch_threads_) -= threads; }

  /// Partial warps may leave if no warp of the launch can begin.
  bool may_force() const { return launch_threads_ == 0; }
  /// Whether remaining threads of the launch begin before partial warps. Without a free state, they may have to wait
  /// until threads that hold a state continue.
  bool launch_goes_on(bool launch_room) const { return launch_room || spawned_threads_ != 0; }

 private:
  void b_transport(WarpChoice& choice, sc_core::sc_time& delay) override;

  std::uint64_t launch_threads_ = 0;
  std::uint64_t spawned_threads_ = 0;
};

}  // namespace reconverge

#pragma once
/// What begins in a warp slot that is free (Steffen and Zambreno, MICRO 2010, section IV-D): a full warp of new threads
/// before one of the launch, and a partial one only when there is nothing else, the one of the lowest micro-kernel
/// address first.

#include "models/dynamic_microkernel/messages.hpp"
#include "models/protocols/control.hpp"

namespace reconverge {

class DynamicScheduler : public sc_core::sc_module, private ControlTarget<WarpChoice> {
 public:
  ControlTargetSocket<WarpChoice> choices;
  ControlInitiatorSocket<DynamicScheduler, WarpPop> full_warps;
  ControlInitiatorSocket<DynamicScheduler, PartialWarp> partial_warps;

  explicit DynamicScheduler(sc_core::sc_module_name name);

  void begin() { launch_threads_ = spawned_threads_ = 0; }
  /// Threads of the launch, or such as others have created, begin and end.
  void began(bool spawned, std::uint32_t threads) { (spawned ? spawned_threads_ : launch_threads_) += threads; }
  void ended(bool spawned, std::uint32_t threads) { (spawned ? spawned_threads_ : launch_threads_) -= threads; }

  /// Partial warps may go if none of the launch can begin.
  bool may_force() const { return launch_threads_ == 0; }
  /// Threads of the launch, if some are left, begin before partial warps. Those that find no state may have to wait
  /// until threads that have one go on.
  bool launch_goes_on(bool launch_room) const { return launch_room || spawned_threads_ != 0; }

 private:
  void b_transport(WarpChoice& choice, sc_core::sc_time& delay) override;

  std::uint64_t launch_threads_ = 0;
  std::uint64_t spawned_threads_ = 0;
};

}  // namespace reconverge

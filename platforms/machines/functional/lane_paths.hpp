// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Each lane has a pc. Lanes at the same pc run together as a group. The group with the deepest call depth, and among
/// these the first in the program, runs first, so that it reaches the other groups before they continue.
///
/// A group may wait in a loop for other lanes. After `patience` rounds of such a loop, the next group runs, and so on
/// through all lanes, so that no lane waits forever for a lane that could run.

#include <array>

#include "platforms/machines/functional/warp_paths.hpp"

namespace reconverge {

class LanePaths final : public WarpPaths {
 public:
  void start(Warp& warp) override;
  void branch(Warp& warp, const kernel::Instruction& branch, LaneMask taken, const Targets& targets) override;
  void call(Warp& warp, LaneMask lanes, const Targets& targets) override;
  void leave(Warp& warp, LaneMask lanes, const Targets& targets) override;
  void exit(Warp& warp, LaneMask lanes) override;
  void stop(Warp& warp) override;
  bool enter(Warp& warp, const kernel::Instruction& instruction) override;
  void wait(Warp& warp, const kernel::Instruction& instruction, LaneMask lanes) override;
  void release(Warp& warp, LaneMask lanes) override;
  void end_round(Warp& warp) override;
  std::vector<Path> places(const Warp& warp) const override;

 private:
  LaneMask can_run(const Warp& warp) const { return warp.live & ~(at_block_ | at_exchange_); }
  void place(LaneMask lanes, kernel::Pc pc);
  /// `lanes` jump to their targets; the other lanes of the path continue.
  void part(Warp& warp, LaneMask lanes, const Targets& targets);
  /// Selects the group that runs next. The path's lanes must have been placed.
  void resume(Warp& warp);
  /// The lane of `lanes`, which is not empty, whose group is next.
  unsigned next_of(LaneMask lanes) const;
  /// Makes the group of `lane` the path.
  void run(Warp& warp, unsigned lane);
  /// The lanes of `lanes` at the exchange at `pc` that wait for no other lane.
  LaneMask complete(const Warp& warp, kernel::Pc pc, LaneMask lanes) const;
  /// Lanes that wait at the exchange at `pc`, at any call depth.
  LaneMask at_exchange(kernel::Pc pc) const;
  /// Exchanges that wait for no other lane release their lanes. If no lane can run, exchanges without a member mask
  /// execute with the lanes that have arrived.
  void end_exchanges(const Warp& warp);

  std::array<kernel::Pc, warp_size> pc_{};
  std::array<std::uint32_t, warp_size> depth_{};  // current call depth
  LaneMask at_block_ = 0;                         // wait at a block barrier
  LaneMask at_exchange_ = 0;                      // wait for others at an exchange
  LaneMask passes_ = 0;                           // released from their exchange, though others are missing
  LaneMask turn_ = 0;                             // lanes whose turn it is; none: any
  unsigned next_ = 0;                             // first lane that may have the next turn
  std::uint32_t rounds_ = 0;                      // since a group last yielded
};

}  // namespace reconverge

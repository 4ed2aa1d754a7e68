// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The paths of a warp: a stack of levels, one for each divergence that has not reconverged. The paths of the top level
/// may take turns; lower levels wait until the top has ended. Plain logic, no SystemC.

#include <span>
#include <vector>

#include "models/core/cycle.hpp"
#include "models/execution/path.hpp"

namespace reconverge::dual_path {

struct Side {
  kernel::Pc pc = 0;
  LaneMask lanes = 0;
  Cycle earliest = 0;  ///< first cycle of the next issue: its last branch is done then
};

class Levels {
 public:
  /// Resets the warp: `lanes` begin at `pc`.
  void start(LaneMask lanes, kernel::Pc pc) { levels_.assign(1, {{{pc, lanes}}}); }

  bool empty() const { return levels_.empty(); }
  std::size_t depth() const { return levels_.size(); }
  /// The sides of the top level, and the current one. The caller updates its progress there.
  std::span<const Side> sides() const { return levels_.back().sides; }
  std::size_t turn() const { return levels_.back().turn; }
  void give_turn(std::size_t side) { levels_.back().turn = side; }
  Side& running() { return levels_.back().sides[turn()]; }
  Path path() { return {running().pc, running().lanes, levels_.back().meeting}; }

  // Events of the current path. The first two return whether its lanes diverged.
  bool branch(LaneMask taken, const Targets& targets, kernel::Pc meeting);
  /// All its lanes reconverge after the call when the calling `lanes` have returned.
  bool call(LaneMask lanes, const Targets& targets);
  void leave(LaneMask lanes);
  void exit(LaneMask lanes);
  /// The path has reached its reconvergence point or has no lanes left: continues with the next path.
  void settle();

  /// A waiting path of any level that contains some of `lanes` runs first, as the only one. Returns whether there is
  /// one.
  bool call_up(LaneMask lanes);

 private:
  struct Level {
    std::vector<Side> sides;
    std::size_t turn = 0;  // the current side, or the side that the level above comes from
    kernel::Pc meeting = kernel::no_pc;
    LaneMask called = 0;  // for a call: the lanes that made it
    Cycle ended = 0;      // cycle in which the last branch of the ended paths is done
  };

  /// The sides by target, in order of their lowest lanes; last, with `on`, the lanes that fall through.
  std::vector<Side> parts(LaneMask taken, const Targets& targets, bool on);
  void go_on();

  std::vector<Level> levels_;
};

}  // namespace reconverge::dual_path

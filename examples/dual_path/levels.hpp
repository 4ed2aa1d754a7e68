#pragma once
/// The paths of a warp: a stack of levels, one for each divergence in whose midst it is. Those of the top level may run
/// by turns; what is below waits until the top has ended. Plain logic, no SystemC.

#include <span>
#include <vector>

#include "models/core/cycle.hpp"
#include "models/execution/path.hpp"

namespace reconverge::dual_path {

struct Side {
  kernel::Pc pc = 0;
  LaneMask lanes = 0;
  Cycle earliest = 0;  ///< nothing issues before: its last branch is done then
};

class Levels {
 public:
  /// `lanes` begin at `pc`; what was there before is forgotten.
  void start(LaneMask lanes, kernel::Pc pc) { levels_.assign(1, {{{pc, lanes}}}); }

  bool empty() const { return levels_.empty(); }
  std::size_t depth() const { return levels_.size(); }
  /// The sides of the top level, and which of them runs. Whoever runs it writes there how far it has come.
  std::span<const Side> sides() const { return levels_.back().sides; }
  std::size_t turn() const { return levels_.back().turn; }
  void give_turn(std::size_t side) { levels_.back().turn = side; }
  Side& running() { return levels_.back().sides[turn()]; }
  Path path() { return {running().pc, running().lanes, levels_.back().meeting}; }

  // What the path that runs did. The first two return whether its lanes parted.
  bool branch(LaneMask taken, const Targets& targets, kernel::Pc meeting);
  /// All its lanes meet behind the call when `lanes`, which make it, have returned.
  bool call(LaneMask lanes, const Targets& targets);
  void leave(LaneMask lanes);
  void exit(LaneMask lanes);
  /// It came to its reconvergence point, or has no lanes any more: what comes next.
  void settle();

  /// A path of any level that has some of `lanes` and waits for its turn goes first, alone. Whether there is one.
  bool call_up(LaneMask lanes);

 private:
  struct Level {
    std::vector<Side> sides;
    std::size_t turn = 0;  // the side that runs, or from which the level above comes
    kernel::Pc meeting = kernel::no_pc;
    LaneMask called = 0;  // by a call: the lanes that made it
    Cycle ended = 0;      // when the last branch of those that have ended is done
  };

  /// By target, in the order of their lowest lanes; last, with `on`, lanes that go on behind the instruction.
  std::vector<Side> parts(LaneMask taken, const Targets& targets, bool on);
  void go_on();

  std::vector<Level> levels_;
};

}  // namespace reconverge::dual_path

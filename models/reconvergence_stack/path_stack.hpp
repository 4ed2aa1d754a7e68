#pragma once
/// The per-warp stack of control paths that meets again at immediate post-dominators (Fung et al., MICRO 2007, the
/// baseline of all five papers). Plain logic, no SystemC: the module and the untimed machine share it.
///
/// A call is a meeting point of its own: all lanes of the path wait behind it until those that made it have returned,
/// however deep they call. Lanes of a function that nothing else makes meet, meet there.

#include <vector>

#include "models/execution/warp.hpp"

namespace reconverge {

class PathStack {
 public:
  /// `lanes` begin at `pc`; what was there before is forgotten.
  void start(Warp& warp, LaneMask lanes, kernel::Pc pc);

  /// All lanes of the path executed `branch` (bra or brx); those of `taken` jump. Returns whether the path split.
  bool branch(Warp& warp, const kernel::Instruction& branch, LaneMask taken) {
    const bool none = taken == 0;
    const bool all = branch.opcode == kernel::Opcode::bra && taken == warp.active;
    if (!none && !all) return divide(warp, branch, taken);
    go_on_at(warp, none ? warp.pc + 1 : branch.target);
    return false;
  }

  /// `lanes` of the path make the call. Returns whether the path split.
  bool call(Warp& warp, const kernel::Instruction& call, LaneMask lanes);

  /// `lanes` of the path return from their function; the others go on after the instruction.
  void leave(Warp& warp, LaneMask lanes);

  /// The path stands at its reconvergence point: the next path of the stack goes on.
  void reconverge(Warp& warp);

  /// `lanes` of the path end; the others go on after the instruction. The warp is done when none is live.
  void exit(Warp& warp, LaneMask lanes);

  /// Paths that wait below the current one.
  std::size_t depth() const { return waiting_.size(); }

 private:
  struct Path {
    kernel::Pc pc;
    LaneMask lanes;
    kernel::Pc reconvergence;
    bool caller = false;  ///< waits for a call to return
  };

  void go_on_at(Warp& warp, kernel::Pc pc) {
    warp.pc = pc;
    if (pc == warp.reconvergence) reconverge(warp);
  }
  /// A branch that some take and some do not, or a jump table.
  bool divide(Warp& warp, const kernel::Instruction& branch, LaneMask taken);
  /// Puts a path for each target of `lanes` on the stack, that of the lowest lane on top.
  void push_targets(const Warp& warp, const kernel::Instruction& instruction, LaneMask lanes, kernel::Pc meeting);
  void go_on_without(Warp& warp, LaneMask lanes);
  void resume_next(Warp& warp);

  std::vector<Path> waiting_;
};

}  // namespace reconverge

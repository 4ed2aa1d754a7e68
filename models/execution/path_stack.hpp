// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The per-warp stack of control paths that reconverges at immediate post-dominators (Fung et al., MICRO 2007, the
/// baseline of all five papers). Plain logic, no SystemC: the module and the untimed machine share it.
///
/// A call is also a reconvergence point: all lanes of the path wait after it until the calling lanes have returned,
/// including nested calls. Lanes of a function without an earlier reconvergence point reconverge there.

#include <vector>

#include "models/execution/path.hpp"

namespace reconverge {

class PathStack {
 public:
  /// `lanes` begin at `pc`; earlier state is discarded. Returns the path that runs; all other functions return it in
  /// `path`.
  Path start(LaneMask lanes, kernel::Pc pc);

  /// All lanes of the path executed `branch` (bra or brx); the lanes of `taken` jump. Returns whether the path split.
  bool branch(Path& path, const kernel::Instruction& branch, LaneMask taken, const Targets& targets) {
    const bool none = taken == 0;
    const bool all = branch.opcode == kernel::Opcode::bra && taken == path.lanes;
    if (!none && !all) return divide(path, branch, taken, targets);
    go_on_at(path, none ? path.pc + 1 : branch.target);
    return false;
  }

  /// `lanes` of the path make the call. Returns whether the path split.
  bool call(Path& path, LaneMask lanes, const Targets& targets);

  /// `lanes` of the path return from their function; the others continue after the instruction.
  void leave(Path& path, LaneMask lanes);

  /// The path is at its reconvergence point: continues with the next path of the stack.
  void reconverge(Path& path);

  /// `lanes` of the path end; the others continue after the instruction. The path has no lanes if all have ended.
  void exit(Path& path, LaneMask lanes);

  /// Paths that wait below the current one.
  std::size_t depth() const { return waiting_.size(); }

 private:
  struct Waiting : Path {
    bool caller = false;  ///< waits for a call to return
  };

  void go_on_at(Path& path, kernel::Pc pc) {
    path.pc = pc;
    if (pc == path.stop) reconverge(path);
  }
  /// A branch that some lanes take and some do not, or a jump table.
  bool divide(Path& path, const kernel::Instruction& branch, LaneMask taken, const Targets& targets);
  void push(kernel::Pc pc, LaneMask lanes, kernel::Pc stop, bool caller = false) {
    waiting_.push_back({{pc, lanes, stop}, caller});
  }
  /// Pushes a path for each target of `lanes`; the path of the lowest lane is on top.
  void push_targets(const Targets& targets, LaneMask lanes, kernel::Pc meeting);
  void go_on_without(Path& path, LaneMask lanes);
  void resume_next(Path& path);

  std::vector<Waiting> waiting_;
};

}  // namespace reconverge

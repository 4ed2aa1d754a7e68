#pragma once
/// The per-warp stack of control paths that meets again at immediate post-dominators (Fung et al., MICRO 2007, the
/// baseline of all five papers). Plain logic, no SystemC: the module and the untimed machine share it.

#include <vector>

#include "models/sm/warp.hpp"

namespace reconverge {

class PathStack {
 public:
  /// `lanes` begin at `pc`; what was there before is forgotten.
  void start(Warp& warp, LaneMask lanes, kernel::Pc pc);

  /// All lanes of the path executed `branch`; those of `taken` jump. Returns whether the path split.
  bool branch(Warp& warp, const kernel::Instruction& branch, LaneMask taken);

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
  };

  void resume_next(Warp& warp);

  std::vector<Path> waiting_;
};

}  // namespace reconverge

#include "models/reconvergence_stack/path_stack.hpp"

namespace reconverge {

using kernel::Pc;

void PathStack::start(Warp& warp, LaneMask lanes, Pc pc) {
  waiting_.clear();
  warp.live = lanes;
  warp.active = lanes;
  warp.pc = pc;
  warp.reconvergence = kernel::no_pc;
}

bool PathStack::branch(Warp& warp, const kernel::Instruction& branch, LaneMask taken) {
  const Pc fall_through = warp.pc + 1;
  const LaneMask not_taken = warp.active & ~taken;
  if (taken == 0 || not_taken == 0) {
    warp.pc = taken == 0 ? fall_through : branch.target;
    if (warp.pc == warp.reconvergence) reconverge(warp);
    return false;
  }
  // All lanes wait at the meeting point, unless that is where the path would meet others anyway: then the path
  // below waits there for them already. This keeps the stack flat in loops.
  const Pc meeting = branch.reconvergence;
  if (meeting != warp.reconvergence) waiting_.push_back({meeting, warp.active, warp.reconvergence});
  // A side that starts at the meeting point has nothing to run.
  if (fall_through != meeting) waiting_.push_back({fall_through, not_taken, meeting});
  if (branch.target != meeting) waiting_.push_back({branch.target, taken, meeting});
  resume_next(warp);
  return true;
}

void PathStack::reconverge(Warp& warp) { resume_next(warp); }

void PathStack::exit(Warp& warp, LaneMask lanes) {
  warp.live &= ~lanes;
  warp.active &= ~lanes;
  for (Path& path : waiting_) path.lanes &= ~lanes;
  if (warp.active != 0) {
    ++warp.pc;
    if (warp.pc == warp.reconvergence) reconverge(warp);
  } else if (warp.live != 0) {
    resume_next(warp);
  }
}

void PathStack::resume_next(Warp& warp) {
  // Paths whose lanes have all ended, and paths that stand at their own meeting point, fall away.
  while (!waiting_.empty()) {
    const Path path = waiting_.back();
    waiting_.pop_back();
    if (path.lanes == 0 || path.pc == path.reconvergence) continue;
    warp.pc = path.pc;
    warp.active = path.lanes;
    warp.reconvergence = path.reconvergence;
    return;
  }
  warp.active = 0;
}

}  // namespace reconverge

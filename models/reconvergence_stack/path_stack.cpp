#include "models/reconvergence_stack/path_stack.hpp"

#include <algorithm>

namespace reconverge {

using kernel::Pc;

namespace {

bool same_target(const Warp& warp, const kernel::Instruction& instruction, LaneMask lanes) {
  const Pc target = warp.target_of(instruction, first_lane(lanes));
  bool same = true;
  for_each_lane(lanes, [&](unsigned lane) { same = same && warp.target_of(instruction, lane) == target; });
  return same;
}

}  // namespace

void PathStack::start(Warp& warp, LaneMask lanes, Pc pc) {
  waiting_.clear();
  warp.live = lanes;
  warp.active = lanes;
  warp.pc = pc;
  warp.reconvergence = kernel::no_pc;
}

bool PathStack::divide(Warp& warp, const kernel::Instruction& branch, LaneMask taken) {
  const LaneMask not_taken = warp.active & ~taken;
  if (not_taken == 0 && same_target(warp, branch, taken)) {
    go_on_at(warp, warp.target_of(branch, first_lane(taken)));
    return false;
  }
  // All lanes wait at the meeting point, unless that is where the path would meet others anyway: then the path
  // below waits there for them already. This keeps the stack flat in loops.
  const Pc fall_through = warp.pc + 1;
  const Pc meeting = branch.reconvergence;
  if (meeting != warp.reconvergence) waiting_.push_back({meeting, warp.active, warp.reconvergence});
  // A side that starts at the meeting point has nothing to run.
  if (not_taken != 0 && fall_through != meeting) waiting_.push_back({fall_through, not_taken, meeting});
  if (branch.opcode != kernel::Opcode::bra) {
    push_targets(warp, branch, taken, meeting);
  } else if (branch.target != meeting) {
    warp.pc = branch.target;
    warp.active = taken;
    warp.reconvergence = meeting;
    return true;
  }
  resume_next(warp);
  return true;
}

void PathStack::push_targets(const Warp& warp, const kernel::Instruction& instruction, LaneMask lanes, Pc meeting) {
  const std::size_t bottom = waiting_.size();
  while (lanes != 0) {
    const Pc target = warp.target_of(instruction, first_lane(lanes));
    LaneMask together = 0;
    for_each_lane(lanes, [&](unsigned lane) {
      if (warp.target_of(instruction, lane) == target) together |= lane_bit(lane);
    });
    lanes &= ~together;
    if (target != meeting) waiting_.push_back({target, together, meeting});
  }
  std::reverse(waiting_.begin() + static_cast<std::ptrdiff_t>(bottom), waiting_.end());
}

bool PathStack::call(Warp& warp, const kernel::Instruction& call, LaneMask lanes) {
  if (lanes == 0) {
    go_on_without(warp, 0);
    return false;
  }
  const bool split = !same_target(warp, call, lanes);
  waiting_.push_back({warp.pc + 1, warp.active, warp.reconvergence, true});
  push_targets(warp, call, lanes, kernel::no_pc);
  resume_next(warp);
  return split;
}

void PathStack::leave(Warp& warp, LaneMask lanes) {
  // Within the call that ends, no path has them any more.
  for (auto path = waiting_.rbegin(); path != waiting_.rend() && !path->caller; ++path) path->lanes &= ~lanes;
  go_on_without(warp, lanes);
}

void PathStack::reconverge(Warp& warp) { resume_next(warp); }

void PathStack::exit(Warp& warp, LaneMask lanes) {
  warp.live &= ~lanes;
  for (Path& path : waiting_) path.lanes &= ~lanes;
  go_on_without(warp, lanes);
}

void PathStack::go_on_without(Warp& warp, LaneMask lanes) {
  warp.active &= ~lanes;
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

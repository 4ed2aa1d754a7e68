// SPDX-License-Identifier: Apache-2.0
#include "models/execution/path_stack.hpp"

#include <algorithm>

namespace reconverge {

using kernel::Pc;

namespace {

bool same_target(const Targets& targets, LaneMask lanes) {
  const Pc target = targets[first_lane(lanes)];
  bool same = true;
  for_each_lane(lanes, [&](unsigned lane) { same = same && targets[lane] == target; });
  return same;
}

}  // namespace

Path PathStack::start(LaneMask lanes, Pc pc) {
  waiting_.clear();
  return {pc, lanes, kernel::no_pc};
}

bool PathStack::divide(Path& path, const kernel::Instruction& branch, LaneMask taken, const Targets& targets) {
  const LaneMask not_taken = path.lanes & ~taken;
  if (not_taken == 0 && same_target(targets, taken)) {
    go_on_at(path, targets[first_lane(taken)]);
    return false;
  }
  // All lanes wait at the reconvergence point in a new path, unless the path has the same reconvergence point: then the
  // path below already waits there. This keeps the stack flat in loops.
  const Pc fall_through = path.pc + 1;
  const Pc meeting = branch.reconvergence;
  if (meeting != path.stop) push(meeting, path.lanes, path.stop);
  // A side that starts at the reconvergence point has no instructions.
  if (not_taken != 0 && fall_through != meeting) push(fall_through, not_taken, meeting);
  if (branch.opcode != kernel::Opcode::bra) {
    push_targets(targets, taken, meeting);
  } else if (branch.target != meeting) {
    path = {branch.target, taken, meeting};
    return true;
  }
  resume_next(path);
  return true;
}

void PathStack::push_targets(const Targets& targets, LaneMask lanes, Pc meeting) {
  const std::size_t bottom = waiting_.size();
  while (lanes != 0) {
    const Pc target = targets[first_lane(lanes)];
    LaneMask together = 0;
    for_each_lane(lanes, [&](unsigned lane) {
      if (targets[lane] == target) together |= lane_bit(lane);
    });
    lanes &= ~together;
    if (target != meeting) push(target, together, meeting);
  }
  std::reverse(waiting_.begin() + static_cast<std::ptrdiff_t>(bottom), waiting_.end());
}

bool PathStack::call(Path& path, LaneMask lanes, const Targets& targets) {
  if (lanes == 0) {
    go_on_without(path, 0);
    return false;
  }
  const bool split = !same_target(targets, lanes);
  push(path.pc + 1, path.lanes, path.stop, true);
  push_targets(targets, lanes, kernel::no_pc);
  resume_next(path);
  return split;
}

void PathStack::leave(Path& path, LaneMask lanes) {
  // Removes the lanes from all paths within the call that ends.
  for (auto other = waiting_.rbegin(); other != waiting_.rend() && !other->caller; ++other) other->lanes &= ~lanes;
  go_on_without(path, lanes);
}

void PathStack::reconverge(Path& path) { resume_next(path); }

void PathStack::exit(Path& path, LaneMask lanes) {
  for (Path& other : waiting_) other.lanes &= ~lanes;
  go_on_without(path, lanes);
}

void PathStack::go_on_without(Path& path, LaneMask lanes) {
  path.lanes &= ~lanes;
  if (path.lanes == 0) return resume_next(path);
  ++path.pc;
  if (path.pc == path.stop) reconverge(path);
}

void PathStack::resume_next(Path& path) {
  // Removes paths whose lanes have all ended, and paths that are at their reconvergence point.
  while (!waiting_.empty()) {
    const Path next = waiting_.back();
    waiting_.pop_back();
    if (next.lanes == 0 || next.pc == next.stop) continue;
    path = next;
    return;
  }
  path.lanes = 0;
}

}  // namespace reconverge

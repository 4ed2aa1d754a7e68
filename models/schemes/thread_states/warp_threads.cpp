// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/thread_states/warp_threads.hpp"

#include <algorithm>

namespace reconverge {

using kernel::Pc;

void WarpThreads::Sides::add(Pc pc, LaneMask lanes) {
  if (lanes == 0) return;
  const auto end = sides_.begin() + static_cast<std::ptrdiff_t>(count_);
  const auto known = std::find_if(sides_.begin(), end, [&](const Side& side) { return side.pc == pc; });
  if (known != end) {
    known->lanes |= lanes;
  } else {
    sides_[count_++] = {pc, lanes};
  }
}

WarpThreads::Sides WarpThreads::sides_of(const Path& path, LaneMask taken, const Targets& targets) {
  Sides sides;
  if (targets.common != kernel::no_pc) {
    sides.add(targets.common, taken);
  } else {
    for_each_lane(taken, [&](unsigned lane) { sides.add(targets[lane], lane_bit(lane)); });
  }
  sides.add(path.pc + 1, path.lanes & ~taken);
  return sides;
}

Path WarpThreads::start(const BarrierCode& code, LaneMask lanes, Pc pc) {
  code_ = &code;
  live_ = lanes;
  ready_ = stalled_ = at_barrier_ = at_call_ = at_exchange_ = at_block_ = 0;
  depth_.fill(0);
  deepest_ = 0;
  if (frames_.empty()) frames_.emplace_back();
  frames_.front().barriers.assign(code.barriers(), 0);
  frames_.front().moved.assign(code.moves_barriers() ? code.barriers() : 0, 0);
  Path path{pc, lanes, kernel::no_pc};
  Counts before_anyone;
  come_to(path, pc, before_anyone);
  return path;
}

LaneMask WarpThreads::like(unsigned lane, LaneMask lanes) const {
  LaneMask alike = 0;
  for_each_lane(lanes, [&](unsigned other) {
    if (pc_[other] == pc_[lane] && its_done_[other] == its_done_[lane]) alike |= lane_bit(other);
  });
  return alike;
}

LaneMask WarpThreads::of_one_depth(LaneMask lanes) const {
  if (deepest_ == 0) return lanes;
  const std::uint32_t depth = depth_[first_lane(lanes)];
  LaneMask alike = 0;
  for_each_lane(lanes, [&](unsigned lane) {
    if (depth_[lane] == depth) alike |= lane_bit(lane);
  });
  return alike;
}

void WarpThreads::place(LaneMask lanes, Pc pc, std::uint32_t done) {
  for_each_lane(lanes, [&](unsigned lane) {
    pc_[lane] = pc;
    its_done_[lane] = done;
  });
}

void WarpThreads::make_ready(LaneMask lanes) {
  at_barrier_ &= ~lanes;
  at_call_ &= ~lanes;
  at_exchange_ &= ~lanes;
  at_block_ &= ~lanes;
  ready_ |= lanes;
}

void WarpThreads::come_to(Path& path, Pc pc, Counts& counts) {
  path.pc = pc;
  done_ = 0;
  operate(path, counts);
}

void WarpThreads::arrive(Path& path, Counts& counts) { come_to(path, path.pc, counts); }

void WarpThreads::operate(Path& path, Counts& counts) {
  const auto operations = code_->at(path.pc);
  while (done_ < operations.size() && path.lanes != 0) {
    const BarrierCode::Kind kind = operations[done_].kind;
    const std::uint32_t barrier = operations[done_++].barrier;
    switch (kind) {
      case BarrierCode::Kind::join:
        ++counts.joins;
        for_each_depth(path.lanes, [&](LaneMask lanes) { frame(first_lane(lanes)).barriers[barrier] |= lanes; });
        break;
      case BarrierCode::Kind::leave:
        ++counts.leaves;
        for_each_depth(path.lanes, [&](LaneMask lanes) { frame(first_lane(lanes)).barriers[barrier] &= ~lanes; });
        let_go(counts);
        break;
      case BarrierCode::Kind::spill:
        if (spill(path.lanes, barrier)) ++counts.spills;
        break;
      case BarrierCode::Kind::fill:
        if (fill(path.lanes, barrier)) ++counts.fills;
        break;
      case BarrierCode::Kind::wait:
        ++counts.waits;
        meet(path, barrier, counts);
        break;
    }
  }
  active_ = path.lanes;
  path.stop = code_->next_stop(path.pc);
}

bool WarpThreads::spill(LaneMask lanes, std::uint32_t barrier) {
  bool any = false;
  for_each_depth(lanes, [&](LaneMask together) {
    LaneMask& moved = frame(first_lane(together)).moved[barrier];
    any = any || (together & ~moved) != 0;
    moved |= together;
  });
  return any;
}

bool WarpThreads::fill(LaneMask lanes, std::uint32_t barrier) {
  bool any = false;
  for_each_depth(lanes, [&](LaneMask together) {
    LaneMask& moved = frame(first_lane(together)).moved[barrier];
    any = any || (together & moved) != 0;
    moved &= ~together;
  });
  return any;
}

void WarpThreads::forget(Frame& frame, LaneMask lanes) {
  for (LaneMask& joined : frame.barriers) joined &= ~lanes;
  for (LaneMask& moved : frame.moved) moved &= ~lanes;
}

LaneMask WarpThreads::waiting_at(std::uint32_t depth, std::uint32_t barrier) const {
  LaneMask waiting = 0;
  for_each_lane(at_barrier_, [&](unsigned lane) {
    if (depth_[lane] == depth && its_barrier_[lane] == barrier) waiting |= lane_bit(lane);
  });
  return waiting;
}

void WarpThreads::meet(Path& path, std::uint32_t barrier, Counts& counts) {
  for (LaneMask left = path.lanes; left != 0;) {
    const LaneMask together = of_one_depth(left);
    const std::uint32_t depth = depth_[first_lane(left)];
    left &= ~together;
    LaneMask& joined = frames_[depth].barriers[barrier];
    const LaneMask come = together & joined;
    if (come == 0) continue;
    const LaneMask waiting = waiting_at(depth, barrier);
    if ((joined & ~(waiting | come)) == 0) {
      ++counts.reconvergences;
      ++counts.completed;
      joined = 0;
      at_barrier_ &= ~waiting;
      path.lanes |= waiting;
    } else {
      path.lanes &= ~come;
      at_barrier_ |= come;
      place(come, path.pc, done_);
      for_each_lane(come, [&](unsigned lane) { its_barrier_[lane] = barrier; });
    }
  }
}

LaneMask WarpThreads::behind_call(unsigned lane) const {
  const std::uint32_t depth = depth_[lane];
  const LaneMask callers = frames_[depth].callers[lane];
  if ((callers & ~at_call_) != 0) return 0;
  bool all = true;
  for_each_lane(callers, [&](unsigned other) { all = all && depth_[other] == depth; });
  return all ? callers : 0;
}

void WarpThreads::let_go(Counts& counts) {
  for (LaneMask left = at_barrier_; left != 0;) {
    const unsigned lane = first_lane(left);
    LaneMask& joined = frames_[depth_[lane]].barriers[its_barrier_[lane]];
    const LaneMask waiting = waiting_at(depth_[lane], its_barrier_[lane]);
    left &= ~waiting;
    if ((joined & ~waiting) != 0) continue;
    ++counts.reconvergences;
    joined = 0;
    make_ready(waiting);
  }
  for (LaneMask left = at_call_; left != 0;) {
    const LaneMask there = behind_call(first_lane(left));
    left &= ~(there | (left & -left));
    if (there == 0) continue;
    ++counts.reconvergences;
    make_ready(there);
  }
}

void WarpThreads::part(Path& path, std::span<const Side> sides, std::size_t first, Counts& counts) {
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (i == first) continue;
    place(sides[i].lanes, sides[i].pc, 0);
    ready_ |= sides[i].lanes;
  }
  path.lanes = sides[first].lanes;
  come_to(path, sides[first].pc, counts);
}

void WarpThreads::call(Path& path, LaneMask lanes, Counts& counts, std::span<const Side> groups) {
  const Pc after_call = path.pc + 1;
  for (LaneMask left = path.lanes; left != 0;) {
    const LaneMask together = of_one_depth(left);
    const std::uint32_t depth = depth_[first_lane(left)];
    left &= ~together;
    const auto wait_for_each_other = [&](LaneMask group) {
      for_each_lane(group, [&](unsigned lane) { frames_[depth].callers[lane] = group; });
    };
    if (groups.empty()) wait_for_each_other(together);
    for (const Side& group : groups) wait_for_each_other(group.lanes & together);
    const LaneMask calling = together & lanes;
    // If none of these lanes calls, they have already returned.
    place(together & ~calling, after_call, 0);
    at_call_ |= together & ~calling;
    if (calling == 0) continue;
    if (depth + 2 > frames_.size()) frames_.emplace_back();
    if (depth + 1 > deepest_) {
      deepest_ = depth + 1;
      frames_[deepest_].barriers.assign(code_->barriers(), 0);
      frames_[deepest_].moved.assign(code_->moves_barriers() ? code_->barriers() : 0, 0);
    }
    for_each_lane(calling, [&](unsigned lane) { depth_[lane] = depth + 1; });
  }
  if (at_call_ != 0) let_go(counts);
  path.lanes = lanes;
}

void WarpThreads::leave(Path& path, LaneMask lanes, const Targets& targets, Counts& counts) {
  const LaneMask others = path.lanes & ~lanes;
  for_each_lane(lanes, [&](unsigned lane) {
    forget(frame(lane), lane_bit(lane));
    --depth_[lane];
    place(lane_bit(lane), targets[lane], 0);
  });
  at_call_ |= lanes;
  path.lanes = others;
  const LaneMask were_ready = ready_;
  let_go(counts);
  if (others != 0) return come_to(path, path.pc + 1, counts);
  active_ = 0;
  const LaneMask back = lanes & ready_ & ~were_ready;
  if (back == 0) return;
  // The last lanes to return, and the lanes that waited for them, continue at once.
  LaneMask together = 0;
  for_each_lane(ready_ & ~were_ready, [&](unsigned lane) {
    if (pc_[lane] == pc_[first_lane(back)] && its_done_[lane] == 0) together |= lane_bit(lane);
  });
  ready_ &= ~together;
  path.lanes = together;
  come_to(path, pc_[first_lane(back)], counts);
}

void WarpThreads::exit(Path& path, LaneMask lanes, Counts& counts) {
  live_ &= ~lanes;
  for (std::uint32_t depth = 0; lanes != 0 && depth <= deepest_; ++depth) {
    forget(frames_[depth], lanes);
    if (depth < deepest_) {
      for (LaneMask& callers : frames_[depth].callers) callers &= ~lanes;
    }
  }
  path.lanes &= ~lanes;
  if (path.lanes != 0) {
    come_to(path, path.pc + 1, counts);
  } else {
    active_ = 0;
  }
  if (lanes != 0) let_go(counts);
}

void WarpThreads::wait(Path& path, LaneMask lanes, Counts& counts) {
  place(lanes, path.pc, 0);
  at_block_ |= lanes;
  path.lanes &= ~lanes;
  if (path.lanes != 0) return come_to(path, path.pc, counts);
  active_ = 0;
}

void WarpThreads::release(LaneMask lanes) { make_ready(lanes & at_block_); }

void WarpThreads::set_aside(Path& path, LaneMask& where) {
  place(path.lanes, path.pc, done_);
  where |= path.lanes;
  path.lanes = active_ = 0;
}

void WarpThreads::wake(LaneMask lanes) {
  stalled_ &= ~lanes;
  ready_ |= lanes;
}

void WarpThreads::activate(unsigned lane, Path& path, Counts& counts) {
  const LaneMask lanes = like(lane, ready_);
  ready_ &= ~lanes;
  path.lanes = lanes;
  path.pc = pc_[lane];
  done_ = its_done_[lane];
  operate(path, counts);
}

void WarpThreads::exchange(Path& path, LaneMask lanes, LaneMask others) {
  place(lanes, path.pc, done_);
  at_exchange_ |= lanes;
  at_exchange_ &= ~others;
  path.lanes = active_ = (path.lanes & ~lanes) | others;
}

LaneMask WarpThreads::at_exchange(Pc pc) const {
  LaneMask there = 0;
  for_each_lane(at_exchange_, [&](unsigned lane) {
    if (pc_[lane] == pc) there |= lane_bit(lane);
  });
  return there;
}

void WarpThreads::end_exchange(LaneMask lanes) { make_ready(lanes); }

LaneMask WarpThreads::before_exchange(Pc pc) const {
  const std::uint32_t depth = depth_[first_lane(at_exchange(pc))];
  LaneMask before = 0;
  for_each_lane(at_barrier_, [&](unsigned lane) {
    if (depth_[lane] == depth && code_->comes_before(pc_[lane], pc)) before |= lane_bit(lane);
  });
  return before;
}

LaneMask WarpThreads::waiting_for(LaneMask lanes) const {
  LaneMask waiting = 0;
  for_each_lane(at_barrier_ | at_call_, [&](unsigned lane) {
    const Frame& frame = frames_[depth_[lane]];
    const bool at_barrier = (at_barrier_ >> lane & 1U) != 0;
    const LaneMask awaited = at_barrier ? frame.barriers[its_barrier_[lane]] : frame.callers[lane];
    if ((awaited & lanes) != 0) waiting |= lane_bit(lane);
  });
  return waiting;
}

bool WarpThreads::open(Counts& counts, LaneMask among) {
  const LaneMask waiting = (at_barrier_ | at_call_) & among;
  if (waiting == 0) return false;
  ++counts.opened;
  const unsigned lane = first_lane(waiting);
  if ((at_barrier_ >> lane & 1U) != 0) {
    const LaneMask together = waiting_at(depth_[lane], its_barrier_[lane]);
    frame(lane).barriers[its_barrier_[lane]] &= ~together;
    make_ready(together);
    return true;
  }
  LaneMask together = 0;
  const LaneMask callers = frame(lane).callers[lane];
  for_each_lane(callers & at_call_, [&](unsigned other) {
    if (depth_[other] == depth_[lane]) together |= lane_bit(other);
  });
  // A lane that returns later waits only for other lanes that return later.
  for_each_lane(callers, [&](unsigned other) { frame(lane).callers[other] &= ~together; });
  make_ready(together);
  return true;
}

ThreadState WarpThreads::state(unsigned lane) const {
  const LaneMask bit = lane_bit(lane);
  if ((active_ & bit) != 0) return ThreadState::active;
  if ((ready_ & bit) != 0) return ThreadState::ready;
  if ((stalled_ & bit) != 0) return ThreadState::stalled;
  return (live_ & bit) != 0 ? ThreadState::blocked : ThreadState::inactive;
}

std::vector<Path> WarpThreads::places(const Path& path) const {
  std::vector<Path> places;
  if (active_ != 0) places.push_back(path);
  for (LaneMask left = live_ & ~active_; left != 0;) {
    const unsigned lane = first_lane(left);
    LaneMask together = 0;
    for_each_lane(left, [&](unsigned other) {
      if (pc_[other] == pc_[lane] && state(other) == state(lane)) together |= lane_bit(other);
    });
    places.push_back({pc_[lane], together, kernel::no_pc});
    left &= ~together;
  }
  return places;
}

}  // namespace reconverge

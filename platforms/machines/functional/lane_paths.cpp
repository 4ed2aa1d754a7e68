// SPDX-License-Identifier: Apache-2.0
#include "platforms/machines/functional/lane_paths.hpp"

#include <algorithm>

#include "models/execution/operations/members.hpp"

namespace reconverge {

using kernel::Instruction;
using kernel::Opcode;
using kernel::Pc;

namespace {

// Fewer than the backward branches after which a warp counts as looping without progress (StallWatch): each group has
// had several turns by then.
constexpr std::uint32_t patience = 32;

}  // namespace

void LanePaths::start(Warp& warp) {
  at_block_ = at_exchange_ = passes_ = turn_ = 0;
  next_ = 0;
  rounds_ = 0;
  depth_.fill(0);
  place(warp.live, 0);
  resume(warp);
}

void LanePaths::place(LaneMask lanes, Pc pc) {
  for_each_lane(lanes, [&](unsigned lane) { pc_[lane] = pc; });
}

void LanePaths::part(Warp& warp, LaneMask lanes, const Targets& targets) {
  for_each_lane(lanes, [&](unsigned lane) { pc_[lane] = targets[lane]; });
  place(warp.path.lanes & ~lanes, warp.path.pc + 1);
  resume(warp);
}

void LanePaths::branch(Warp& warp, const Instruction& /*branch*/, LaneMask taken, const Targets& targets) {
  const bool together = taken == 0 || (taken == warp.path.lanes && targets.common != kernel::no_pc);
  if (together && warp.path.lanes == can_run(warp)) {
    warp.path.pc = taken == 0 ? warp.path.pc + 1 : targets.common;
  } else {
    part(warp, taken, targets);
  }
}

void LanePaths::call(Warp& warp, LaneMask lanes, const Targets& targets) {
  for_each_lane(lanes, [&](unsigned lane) { ++depth_[lane]; });
  part(warp, lanes, targets);
}

void LanePaths::leave(Warp& warp, LaneMask lanes, const Targets& targets) {
  for_each_lane(lanes, [&](unsigned lane) { --depth_[lane]; });
  part(warp, lanes, targets);
}

void LanePaths::exit(Warp& warp, LaneMask lanes) {
  place(warp.path.lanes & ~lanes, warp.path.pc + 1);
  resume(warp);
}

void LanePaths::stop(Warp& warp) {
  place(warp.path.lanes, warp.path.pc);
  resume(warp);
}

void LanePaths::wait(Warp& warp, const Instruction& /*instruction*/, LaneMask lanes) {
  place(warp.path.lanes, warp.path.pc);
  at_block_ |= lanes;
  resume(warp);
}

void LanePaths::release(Warp& warp, LaneMask lanes) {
  place(warp.path.lanes, warp.path.pc);
  at_block_ &= ~lanes;
  resume(warp);
}

void LanePaths::end_round(Warp& warp) {
  if (++rounds_ < patience) return;
  rounds_ = 0;
  const LaneMask others = can_run(warp) & ~warp.path.lanes;
  if (others == 0) {
    turn_ = 0;
    return;
  }
  place(warp.path.lanes, warp.path.pc);
  const LaneMask later = next_ < warp_size ? others & ~(lane_bit(next_) - 1) : 0;
  if (later != 0) {
    turn_ = lane_bit(first_lane(later));
    next_ = first_lane(later) + 1;
  } else {
    // All groups had a turn: the first one in program order is next again.
    turn_ = 0;
    next_ = 0;
  }
  resume(warp);
}

unsigned LanePaths::next_of(LaneMask lanes) const {
  unsigned next = first_lane(lanes);
  for_each_lane(lanes, [&](unsigned lane) {
    if (depth_[lane] > depth_[next] || (depth_[lane] == depth_[next] && pc_[lane] < pc_[next])) next = lane;
  });
  return next;
}

void LanePaths::run(Warp& warp, unsigned lane) {
  const Pc pc = pc_[lane];
  Path path{pc, 0, kernel::no_pc};
  for_each_lane(can_run(warp), [&](unsigned other) {
    if (depth_[other] != depth_[lane]) return;
    if (pc_[other] == pc) {
      path.lanes |= lane_bit(other);
    } else if (pc_[other] > pc) {
      path.stop = std::min(path.stop, pc_[other]);
    }
  });
  warp.path = path;
}

void LanePaths::resume(Warp& warp) {
  if (at_exchange_ != 0) end_exchanges(warp);
  const LaneMask able = can_run(warp);
  warp.at_barrier = able == 0 && warp.live != 0;
  if (able == 0) {
    warp.path.lanes = 0;
    return;
  }
  turn_ &= able;
  run(warp, next_of(turn_ != 0 ? turn_ : able));
  if (turn_ != 0) turn_ = warp.path.lanes;
}

bool LanePaths::enter(Warp& warp, const Instruction& instruction) {
  if (!is_exchange(instruction) || instruction.opcode == Opcode::activemask) return true;
  const LaneMask here = warp.path.lanes;
  if (here == warp.live || (here & passes_) != 0) {
    passes_ &= ~here;
    return true;
  }
  const Pc pc = warp.path.pc;
  const LaneMask waiting = at_exchange(pc);
  const LaneMask go = complete(warp, pc, here | waiting);
  place(here, pc);
  at_exchange_ = (at_exchange_ | here) & ~go;
  if (go == 0) {
    resume(warp);
    return false;
  }
  warp.path.lanes = go;
  return true;
}

LaneMask LanePaths::complete(const Warp& warp, Pc pc, LaneMask lanes) const {
  const Instruction& instruction = warp.context.program->instructions[pc];
  if (!names_members(instruction)) return lanes == warp.live ? lanes : 0;
  const LaneMask passing = guarded_lanes(instruction, warp.context, lanes);
  std::array<LaneMask, warp_size> members{};
  for_each_lane(passing, [&](unsigned lane) { members[lane] = members_of(instruction, warp.context, lane); });
  LaneMask complete = lanes & ~passing;
  for_each_lane(passing, [&](unsigned lane) {
    // A lane that arrived with other members, from another round of a loop, is at a different exchange.
    LaneMask agreeing = lane_bit(lane);
    for_each_lane(passing & members[lane], [&](unsigned other) {
      if (members[other] == members[lane]) agreeing |= lane_bit(other);
    });
    if ((members[lane] & warp.live & ~agreeing) == 0) complete |= lane_bit(lane);
  });
  return complete;
}

LaneMask LanePaths::at_exchange(Pc pc) const {
  LaneMask there = 0;
  for_each_lane(at_exchange_, [&](unsigned lane) {
    if (pc_[lane] == pc) there |= lane_bit(lane);
  });
  return there;
}

void LanePaths::end_exchanges(const Warp& warp) {
  at_exchange_ &= warp.live;
  Pc unnamed = kernel::no_pc;
  for (LaneMask left = at_exchange_; left != 0;) {
    const Pc pc = pc_[first_lane(left)];
    const LaneMask there = at_exchange(pc);
    left &= ~there;
    at_exchange_ &= ~complete(warp, pc, there);
    // The first exchange in program order executes first: in structured control flow, it is the innermost one.
    if (!names_members(warp.context.program->instructions[pc])) unnamed = std::min(unnamed, pc);
  }
  if (unnamed == kernel::no_pc || can_run(warp) != 0) return;
  const LaneMask there = at_exchange(unnamed);
  passes_ |= there;
  at_exchange_ &= ~there;
}

std::vector<Path> LanePaths::places(const Warp& warp) const {
  std::vector<Path> places;
  if (warp.path.lanes != 0) places.push_back(warp.path);
  for (LaneMask left = warp.live & ~(warp.path.lanes | at_block_); left != 0;) {
    const Pc pc = pc_[first_lane(left)];
    LaneMask together = 0;
    for_each_lane(left, [&](unsigned lane) {
      if (pc_[lane] == pc) together |= lane_bit(lane);
    });
    left &= ~together;
    places.push_back({pc, together, kernel::no_pc});
  }
  return places;
}

}  // namespace reconverge

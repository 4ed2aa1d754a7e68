// SPDX-License-Identifier: Apache-2.0
#include "levels.hpp"

#include <algorithm>

namespace reconverge::dual_path {

std::vector<Side> Levels::parts(LaneMask taken, const Targets& targets, bool on) {
  const Side from = running();
  std::vector<Side> sides;
  const auto add = [&](kernel::Pc pc, LaneMask lanes) {
    const auto known = std::ranges::find(sides, pc, &Side::pc);
    if (known == sides.end()) return sides.push_back({pc, lanes, from.earliest});
    known->lanes |= lanes;
  };
  for_each_lane(taken, [&](unsigned lane) { add(targets[lane], lane_bit(lane)); });
  if (on && taken != from.lanes) add(from.pc + 1, from.lanes & ~taken);
  return sides;
}

bool Levels::branch(LaneMask taken, const Targets& targets, kernel::Pc meeting) {
  const std::vector<Side> sides = parts(taken, targets, true);
  Level& top = levels_.back();
  if (sides.size() == 1) {
    running().pc = sides.front().pc;
  } else if (top.sides.size() == 1 && top.meeting == meeting) {
    top.sides = sides;  // the level would be empty otherwise: this keeps the stack flat in loops
  } else {
    running().pc = meeting;
    levels_.push_back({.sides = sides, .meeting = meeting});
  }
  settle();
  return sides.size() > 1;
}

bool Levels::call(LaneMask lanes, const Targets& targets) {
  const std::vector<Side> sides = parts(lanes, targets, false);
  ++running().pc;
  if (lanes != 0) levels_.push_back({.sides = sides, .called = lanes});
  settle();
  return sides.size() > 1;
}

void Levels::leave(LaneMask lanes) {
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
    for (Side& side : level->sides) side.lanes &= ~lanes;
    if ((level->called & lanes) != 0) break;  // their callers wait in the level below
  }
  go_on();
}

void Levels::exit(LaneMask lanes) {
  for (Level& level : levels_) {
    for (Side& side : level.sides) side.lanes &= ~lanes;
  }
  go_on();
}

void Levels::go_on() {
  if (running().lanes != 0) ++running().pc;
  settle();
}

void Levels::settle() {
  while (!levels_.empty()) {
    Level& top = levels_.back();
    for (std::size_t i = top.sides.size(); i-- > 0;) {
      const Side side = top.sides[i];
      if (side.lanes != 0 && side.pc != top.meeting) continue;
      top.sides.erase(top.sides.begin() + static_cast<std::ptrdiff_t>(i));
      top.ended = std::max(top.ended, side.earliest);
      if (i == top.turn) top.turn = 0;
      if (i < top.turn) --top.turn;
    }
    if (!top.sides.empty()) return;
    const Cycle ended = top.ended;
    levels_.pop_back();
    if (!levels_.empty()) running().earliest = std::max(running().earliest, ended);
  }
}

bool Levels::call_up(LaneMask lanes) {
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
    for (std::size_t i = 0; i < level->sides.size(); ++i) {
      const Side side = level->sides[i];
      if (i == level->turn || (side.lanes & lanes) == 0) continue;
      level->sides.erase(level->sides.begin() + static_cast<std::ptrdiff_t>(i));
      if (i < level->turn) --level->turn;
      levels_.push_back({.sides = {side}, .meeting = level->meeting});
      return true;
    }
  }
  return false;
}

}  // namespace reconverge::dual_path

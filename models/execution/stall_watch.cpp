// SPDX-License-Identifier: Apache-2.0
#include "models/execution/stall_watch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/execution/thread_setup.hpp"

namespace reconverge {

void StallWatch::watch(std::size_t slots, bool again) {
  if (!again) states_.clear();
  states_.resize(slots);
  // The warp has not returned to this place, so another place is chosen.
  for (State& state : states_) {
    if (state.returns == 0) state.pc = kernel::no_pc;
    state.moved = false;
  }
}

void StallWatch::look(const Warp& warp) {
  State& state = states_[warp.slot];
  state.moved = true;
  if (state.pc != kernel::no_pc && (state.pc != warp.path.pc || state.active != warp.path.lanes)) return;
  const WarpState now = state_of(warp);
  if (state.pc == kernel::no_pc) {
    state.pc = warp.path.pc;
    state.active = warp.path.lanes;
    state.returns = 0;
    state.registers.assign(now.registers.begin(), now.registers.end());
    state.predicates.assign(now.predicates.begin(), now.predicates.end());
    copy_local(warp, state.local);
    state.local_homes.assign(now.local_homes.begin(), now.local_homes.end());
    state.states.assign(now.states.begin(), now.states.end());
    return;
  }
  const bool same = std::equal(now.registers.begin(), now.registers.end(), state.registers.begin()) &&
                    std::equal(now.predicates.begin(), now.predicates.end(), state.predicates.begin()) &&
                    std::equal(now.local_homes.begin(), now.local_homes.end(), state.local_homes.begin()) &&
                    std::equal(now.states.begin(), now.states.end(), state.states.begin());
  if (!same) return;
  copy_local(warp, local_);
  if (local_ == state.local) ++state.returns;
}

namespace {

std::string describe(const kernel::Program& program, const RunningWarp& running) {
  const Warp& warp = *running.warp;
  std::string text = fmt::format("\n  block {} warp {}", warp.context.position.block, warp.context.position.warp);
  for (const Path& path : running.paths) {
    text += fmt::format("{} lanes {:#010x} at {}", &path == &running.paths.front() ? "" : ";", path.lanes,
                        kernel::place_of(program, path.pc));
  }
  if (!running.paths.empty()) return text;
  text += fmt::format(" lanes {:#010x} at {}", warp.path.lanes, kernel::place_of(program, warp.path.pc));
  const LaneMask others = warp.live & ~warp.path.lanes;
  if (others != 0) text += fmt::format("; lanes {:#010x} are elsewhere", others);
  if (others != 0 && warp.path.stop != kernel::no_pc)
    text += fmt::format(" and wait for them, to meet at {}", kernel::place_of(program, warp.path.stop));
  return text;
}

}  // namespace

std::string describe_livelock(const kernel::Program& program, std::span<const RunningWarp> warps) {
  constexpr std::size_t most = 8;
  std::string text = fmt::format(
      "kernel '{}' is in a livelock: memory does not change, and {} warps repeat their instructions (if threads of one "
      "warp wait for each other, let the holder of the lock do its work and release it inside the loop)",
      program.name, warps.size());
  for (std::size_t i = 0; i < std::min(most, warps.size()); ++i) text += describe(program, warps[i]);
  if (warps.size() > most) text += fmt::format("\n  and {} more", warps.size() - most);
  return text;
}

}  // namespace reconverge

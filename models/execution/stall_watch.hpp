// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Detects livelock of warps that execute instructions without progress, such as a lock whose holder waits for the
/// lanes that spin on it, or a flag that no thread will set. Deadlock, as at a barrier that never completes, is
/// detected elsewhere.
///
/// Visible events are changes of memory, ends of threads, completed barriers and started blocks. Without a visible
/// event, a warp that returns to a place of its program with the same registers, predicates and local memory repeats
/// this forever. If all warps do, the launch is in a livelock. Programs that read a clock or count their iterations
/// never return to the same state, and are not reported.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/execution/path.hpp"
#include "models/execution/warp.hpp"

namespace reconverge {

class StallWatch {
 public:
  /// Number of returns to a state that count as livelock. Paths of other lanes are not compared; after this many
  /// returns, a difference there is unlikely.
  static constexpr std::uint32_t returns = 256;

  /// Watches the warps of `slots` slots from now on. `again`: keeps the state of warps that have returned to their
  /// place.
  void watch(std::size_t slots, bool again);
  void stop() { states_.clear(); }
  bool on() const { return !states_.empty(); }

  /// Called once for each instruction that the warp executes, always before or always after it.
  void look(const Warp& warp);

  /// Whether the warp is in a livelock.
  bool circles(const Warp& warp) const { return on() && states_[warp.slot].returns >= returns; }
  /// Whether the warp executed nothing since the last `watch`.
  bool stands(const Warp& warp) const { return on() && !states_[warp.slot].moved; }

 private:
  struct State {
    kernel::Pc pc = kernel::no_pc;
    LaneMask active = 0;
    std::uint32_t returns = 0;
    bool moved = false;
    std::vector<std::byte> registers;
    std::vector<LaneMask> predicates;
    std::vector<std::uint32_t> local;
    std::vector<std::byte> local_homes;  // identifies the threads
    std::vector<std::byte> states;
  };

  std::vector<State> states_;  // by warp slot
  std::vector<std::uint32_t> local_;
};

/// Whether the warp has caused an event since the last call that other threads or a later launch could see.
inline bool take_change(Warp& warp) {
  const bool changed = warp.context.changed_memory;
  warp.context.changed_memory = false;
  return changed;
}

/// A running warp, and its place. `paths`: of all its lanes, if each has a separate one; empty: it runs one path, its
/// other lanes wait.
struct RunningWarp {
  const Warp* warp = nullptr;
  std::vector<Path> paths;
};

/// The message for warps that are all in a livelock: the kernel, and for each of the first few warps the block, warp,
/// lanes, and the places where they run and wait.
std::string describe_livelock(const kernel::Program& program, std::span<const RunningWarp> warps);

}  // namespace reconverge

#pragma once
/// Finds out that warps run in circles: a lock whose holder waits for those that spin on it, a flag that nobody will
/// set. What cannot move at all, as at a barrier that never fills, shows by itself; this is for warps that move and get
/// nowhere.
///
/// While nothing happens that others could see (memory changes, a thread ends, a barrier opens, a block starts), a warp
/// whose registers, predicates and local memory are at one place of its program what they were there before will be
/// there for ever. When all warps are, so is the launch. Programs that read a clock or count their rounds never come
/// back to the same state, and are left alone.

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
  /// Returns to a state before they count as a circle. Paths of other lanes are not compared; that many agree.
  static constexpr std::uint32_t returns = 256;

  /// Watches the warps of `slots` slots from now on. `again`: keeps what it knows of warps that did return.
  void watch(std::size_t slots, bool again);
  void stop() { states_.clear(); }
  bool on() const { return !states_.empty(); }

  /// Once for each instruction that the warp executes, always before or always after it.
  void look(const Warp& warp);

  /// Whether the warp runs in a circle.
  bool circles(const Warp& warp) const { return on() && states_[warp.slot].returns >= returns; }
  /// Whether it executed nothing since the last `watch`.
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
    std::vector<std::byte> local_homes;  // which threads these are, as far as that counts
    std::vector<std::byte> states;
  };

  std::vector<State> states_;  // by warp slot
  std::vector<std::uint32_t> local_;
};

/// Whether other threads, or a later launch, could see what the warp did since the last call.
inline bool take_change(Warp& warp) {
  const bool changed = warp.context.changed_memory;
  warp.context.changed_memory = false;
  return changed;
}

/// A warp that runs, and where. `paths`: those of all its lanes, where each has one of its own; none: it runs one path,
/// its other lanes wait.
struct RunningWarp {
  const Warp* warp = nullptr;
  std::vector<Path> paths;
};

/// What to say of warps that all run in circles: the kernel, and for each of the first few block, warp, lanes, and the
/// places where they run and wait.
std::string describe_livelock(const kernel::Program& program, std::span<const RunningWarp> warps);

}  // namespace reconverge

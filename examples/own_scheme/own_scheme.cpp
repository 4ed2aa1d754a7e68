// SPDX-License-Identifier: Apache-2.0
// A stack whose paths may meet early: a path that comes to where another path of its level waits joins it.
#include <algorithm>

#include "platforms/plugin.hpp"

namespace {

using namespace reconverge;

/// Which of two paths that meet later runs first.
bool before(const Path& path, const Path& other) { return path.pc < other.pc; }

/// The paths of a divergence, without the one that is running. They wait for each other at `meeting`.
struct Level {
  std::vector<Path> paths;
  kernel::Pc meeting = kernel::no_pc;
  bool function = false;  // the paths of a call, whose lanes wait in the level below

  void add(kernel::Pc pc, LaneMask lanes) {
    if (lanes == 0) return;
    const auto there = std::ranges::find(paths, pc, &Path::pc);
    if (there != paths.end()) lanes |= there->lanes, paths.erase(there);
    paths.push_back({pc, lanes});
  }
  bool ended() {
    std::erase_if(paths, [&](const Path& path) { return path.lanes == 0 || path.pc == meeting; });
    return paths.empty();
  }
  Path take() {
    // Paths that never meet run as on the built-in stack, because one may have to end before another's barrier.
    if (meeting != kernel::no_pc) std::iter_swap(std::ranges::min_element(paths, before), paths.end() - 1);
    Path path = paths.back();
    paths.pop_back();
    path.stop = meeting;
    for (const Path& other : paths) path.stop = other.pc > path.pc ? std::min(path.stop, other.pc) : path.stop;
    return path;
  }
};

struct OwnParameters {  // none
  static constexpr BlockDescription block{.name = "own_scheme", .summary = "A stack whose paths may meet early."};
  static const BlockDescription& description() { return block; }
  bool operator==(const OwnParameters&) const = default;
};

struct OwnScheme final : Scheme {
  OwnScheme(const char* name, const SmParameters& sm) : Scheme(name, sm.scheduler.count), warps(sm.warp_slots) {}
  void add_statistics(Statistics&) const override {}
  // Each event puts the lanes of the running path where they are now, and answers with the path that runs next.
  void start(SchemeRequest& r) override { warps[r.slot].assign(1, {}), run(r, r.path.pc, r.lanes); }
  void stop(SchemeRequest& r) override { run(r, r.path.pc, r.path.lanes); }
  void leave(SchemeRequest& r) override { end(r, true); }
  void exit(SchemeRequest& r) override { end(r, false); }
  void branch(SchemeRequest& r) override {
    Level sides{.meeting = r.instruction->reconvergence};
    sides.add(r.path.pc + 1, r.path.lanes & ~r.lanes);
    for_each_lane(r.lanes, [&](unsigned lane) { sides.add(r.targets[lane], lane_bit(lane)); });
    if (sides.paths.size() > 1 && sides.meeting != warps[r.slot].back().meeting) {
      warps[r.slot].back().add(sides.meeting, r.path.lanes);
      warps[r.slot].push_back({.meeting = sides.meeting});
    }
    for (const Path& side : sides.paths) warps[r.slot].back().add(side.pc, side.lanes);
    run(r, 0, 0);
  }
  void call(SchemeRequest& r) override {
    warps[r.slot].back().add(r.path.pc + 1, r.path.lanes);
    if (r.lanes != 0) warps[r.slot].push_back({.function = true});
    for_each_lane(r.lanes, [&](unsigned lane) { warps[r.slot].back().add(r.targets[lane], lane_bit(lane)); });
    run(r, 0, 0);
  }
  void end(SchemeRequest& r, bool only_function) {
    for (std::size_t i = warps[r.slot].size(); i-- > 0;) {
      for (Path& path : warps[r.slot][i].paths) path.lanes &= ~r.lanes;
      if (only_function && warps[r.slot][i].function) break;
    }
    run(r, r.path.pc + 1, r.path.lanes & ~r.lanes);
  }
  void run(SchemeRequest& r, kernel::Pc pc, LaneMask lanes) {
    std::vector<Level>& levels = warps[r.slot];
    levels.back().add(pc, lanes);
    while (!levels.empty() && levels.back().ended()) levels.pop_back();
    r.answer = levels.empty() ? SchemeAnswer::done : SchemeAnswer::run;
    r.path = levels.empty() ? Path{} : levels.back().take();
  }
  std::vector<std::vector<Level>> warps;  // by warp slot
};

std::span<const SchemeKind* const> schemes() {
  static const SchemeKind kind{.part = scheme_part<OwnParameters>(),
                               .make = [](const char* name, const SchemePlace& place) -> std::unique_ptr<Scheme> {
                                 return std::make_unique<OwnScheme>(name, place.parameters);
                               }};
  static const SchemeKind* const kinds[] = {&kind};
  return kinds;
}

}  // namespace

extern "C" const reconverge::Plugin reconverge_plugin{reconverge::interface_version, schemes};

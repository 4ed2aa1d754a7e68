// SPDX-License-Identifier: Apache-2.0
// A reconvergence stack of levels. All paths of a divergence are in one level, and the block chooses which one runs.
#include "own_block/own_block.hpp"

#include <algorithm>

#include "lock_step.hpp"
#include "platforms/plugin.hpp"

namespace own_block {

namespace {

using namespace reconverge;

/// The paths of a divergence that wait, the oldest first. They end at `meeting`, where the level below continues.
struct Level {
  std::vector<Path> waiting;
  kernel::Pc meeting = kernel::no_pc;
  bool function = false;  // the paths of a call, whose lanes wait in the level below

  void add(kernel::Pc pc, LaneMask lanes) {
    if (lanes == 0 || pc == meeting) return;
    const auto there = std::ranges::find(waiting, pc, &Path::pc);
    if (there != waiting.end()) lanes |= there->lanes, waiting.erase(there);
    waiting.push_back({pc, lanes, meeting});
  }
};

class OwnBlock final : public Scheme {
 public:
  OwnBlock(const char* name, const SmParameters& sm) : Scheme(name, sm.scheduler.count), warps_(sm.warp_slots) {
    one_thread_ = true;  // Verilator's classes must stay on the thread that made them
  }
  void begin(const SchemeLaunch& /*launch*/) override { block_.reset(); }
  void add_statistics(Statistics& totals) const override {
    totals.of<OwnBlockStatistics>().decisions += block_.decisions();
  }

 private:
  void start(SchemeRequest& r) override { warps_[r.slot].assign(1, {}), go_on(r, r.path.pc, r.lanes); }
  void stop(SchemeRequest& r) override { run_next(r); }
  void leave(SchemeRequest& r) override { end(r, true); }
  void exit(SchemeRequest& r) override { end(r, false); }
  void branch(SchemeRequest& r) override {
    Level sides;
    sides.add(r.path.pc + 1, r.path.lanes & ~r.lanes);
    for_each_lane(r.lanes, [&](unsigned lane) { sides.add(r.targets[lane], lane_bit(lane)); });
    if (sides.waiting.size() == 1) return go_on(r, sides.waiting.front().pc, r.path.lanes);
    const kernel::Pc meeting = r.instruction->reconvergence;
    if (meeting != top(r).meeting) {
      top(r).add(meeting, r.path.lanes);
      warps_[r.slot].push_back({.meeting = meeting});
    }
    for (const Path& side : sides.waiting) top(r).add(side.pc, side.lanes);
    run_next(r);
  }
  void call(SchemeRequest& r) override {
    if (r.lanes == 0) return go_on(r, r.path.pc + 1, r.path.lanes);
    top(r).add(r.path.pc + 1, r.path.lanes);
    warps_[r.slot].push_back({.function = true});
    for_each_lane(r.lanes, [&](unsigned lane) { top(r).add(r.targets[lane], lane_bit(lane)); });
    run_next(r);
  }
  void end(SchemeRequest& r, bool only_function) {
    for (std::size_t i = warps_[r.slot].size(); i-- > 0;) {
      Level& level = warps_[r.slot][i];
      for (Path& path : level.waiting) path.lanes &= ~r.lanes;
      std::erase_if(level.waiting, [](const Path& path) { return path.lanes == 0; });
      if (only_function && level.function) break;
    }
    go_on(r, r.path.pc + 1, r.path.lanes & ~r.lanes);
  }

  Level& top(const SchemeRequest& r) { return warps_[r.slot].back(); }
  /// The running path continues at `pc`, unless it has ended.
  void go_on(SchemeRequest& r, kernel::Pc pc, LaneMask lanes) {
    if (lanes == 0 || pc == top(r).meeting) return run_next(r);
    r.path = {pc, lanes, top(r).meeting};
    r.answer = SchemeAnswer::run;
  }
  void run_next(SchemeRequest& r) {
    std::vector<Level>& levels = warps_[r.slot];
    while (!levels.empty() && levels.back().waiting.empty()) levels.pop_back();
    r.answer = levels.empty() ? SchemeAnswer::done : SchemeAnswer::run;
    r.path = levels.empty() ? Path{} : take(levels.back());
  }
  Path take(Level& level) {
    // Paths that never meet run as on the built-in stack, because one may have to end before another's barrier.
    auto chosen = level.waiting.end() - 1;
    if (level.meeting != kernel::no_pc) {
      Waiting lanes{};
      for (std::size_t i = 0; i < std::min(lanes.size(), level.waiting.size()); ++i) lanes[i] = level.waiting[i].lanes;
      chosen = level.waiting.begin() + block_.choose(lanes).value();
    }
    const Path path = *chosen;
    level.waiting.erase(chosen);
    return path;
  }

  LockStep block_;                         // one of each SM
  std::vector<std::vector<Level>> warps_;  // by warp slot
};

std::span<const SchemeKind* const> schemes() {
  static const SchemeKind kind{.part = scheme_part<OwnBlockParameters>(),
                               .make = [](const char* name, const SchemePlace& place) -> std::unique_ptr<Scheme> {
                                 return std::make_unique<OwnBlock>(name, place.parameters);
                               }};
  static const SchemeKind* const kinds[] = {&kind};
  return kinds;
}

}  // namespace

}  // namespace own_block

extern "C" const reconverge::Plugin reconverge_plugin{reconverge::interface_version, own_block::schemes};

// SPDX-License-Identifier: Apache-2.0
// Dual-path execution (Rhu and Erez, The dual-path execution model for efficient GPU control flow, HPCA 2013) as a
// divergence scheme in its own library: if the current path of a warp stalls, the other side of its innermost divergent
// branch continues.

#include "dual_path/dual_path.hpp"

#include <algorithm>

#include "levels.hpp"
#include "models/execution/operations/members.hpp"
#include "platforms/plugin.hpp"

namespace reconverge::dual_path {

namespace {

class DualPath final : public Scheme {
 public:
  DualPath(sc_core::sc_module_name name, const SmParameters& sm)
      : Scheme(name, sm.scheduler.count), paths_(sm.schemes.of<DualPathParameters>().paths), warps_(sm.warp_slots) {}

  void add_statistics(Statistics& totals) const override { totals.of<DualPathStatistics>() += statistics_; }

 private:
  void start(SchemeRequest& request) override {
    warps_[request.slot].start(request.lanes, request.path.pc);
    run(request);
  }
  void branch(SchemeRequest& request) override {
    ++statistics_.branches;
    count(request, turned(request).branch(request.lanes, request.targets, request.instruction->reconvergence));
    run(request);
  }
  void call(SchemeRequest& request) override {
    count(request, turned(request).call(request.lanes, request.targets));
    run(request);
  }
  void leave(SchemeRequest& request) override {
    turned(request).leave(request.lanes);
    run(request);
  }
  void exit(SchemeRequest& request) override {
    turned(request).exit(request.lanes);
    run(request);
  }
  void stop(SchemeRequest& request) override {
    ++statistics_.reconvergences;
    levels_of(request).settle();
    run(request);
  }
  /// A barrier or exchange must find all its lanes, as it does if the sides run one after the other.
  void ask(SchemeRequest& request) override {
    const LaneMask missing = lanes_needed(request) & request.live & ~request.path.lanes;
    if (missing == 0 || !levels_of(request).call_up(missing)) return;
    ++statistics_.called_up;
    run(request);
  }
  void stall(SchemeRequest& request) override { take_turns(request); }
  void result(SchemeRequest& request) override { take_turns(request); }

  /// The levels of the warp, with the current path updated to its progress.
  Levels& levels_of(const SchemeRequest& request) {
    Levels& levels = warps_[request.slot];
    levels.running().pc = request.path.pc;
    return levels;
  }
  /// The same after a branch or call: also records the cycle in which it is done.
  Levels& turned(const SchemeRequest& request) {
    Levels& levels = levels_of(request);
    levels.running().earliest = request.result;
    return levels;
  }
  void run(SchemeRequest& request) {
    Levels& levels = warps_[request.slot];
    request.answer = levels.empty() ? SchemeAnswer::done : SchemeAnswer::run;
    request.path = levels.empty() ? Path{} : levels.path();
    request.from = levels.empty() ? 0 : levels.running().earliest;
  }
  void count(const SchemeRequest& request, bool parted) {
    if (!parted) return;
    ++statistics_.divergent_branches;
    ++statistics_.depth[std::min(warps_[request.slot].depth(), statistics_.depth.size() - 1)];
  }
  LaneMask lanes_needed(const SchemeRequest& request) {
    if (!is_exchange(*request.instruction)) return all_lanes;  // a block barrier
    if (!names_members(*request.instruction)) return 0;        // the lanes that arrive together
    ExchangeRequest exchange;
    exchange.slot = request.slot;
    exchange.pc = request.pc;
    exchange.lanes = request.path.lanes;
    send(exchanges, exchange);
    LaneMask needed = 0;
    for_each_lane(exchange.passing, [&](unsigned lane) { needed |= exchange.members[lane]; });
    return needed;
  }
  /// When the next instruction of a path can issue.
  Cycle ready(const SchemeRequest& request, const Side& side) {
    ReadinessRequest registers;
    registers.slot = request.slot;
    registers.pc = side.pc;
    registers.lanes = side.lanes;
    send(dependencies, registers);
    Cycle ready = std::max(side.earliest, request.now + 1);
    for_each_lane(side.lanes, [&](unsigned lane) { ready = std::max(ready, registers.ready[lane]); });
    return ready;
  }
  /// The path that can issue first runs next. This also applies to the current path, when the SM has it wait
  /// for the last branch of another path, which has ended.
  void take_turns(SchemeRequest& request) {
    if (request.event == SchemeEvent::result && !request.stands) return;
    Levels& levels = levels_of(request);
    const std::size_t before = levels.turn();
    Cycle first = ready(request, levels.running());
    for (std::size_t i = 0; i < std::min<std::size_t>(levels.sides().size(), paths_); ++i) {
      const Cycle other = i == before ? never : ready(request, levels.sides()[i]);
      if (other >= first) continue;
      first = other;
      levels.give_turn(i);
    }
    statistics_.turns += levels.turn() != before ? 1 : 0;
    if (levels.turn() != before || first < request.ready) run(request);
  }

  std::uint64_t paths_;
  std::vector<Levels> warps_;  // by slot
  DualPathStatistics statistics_;
};

std::span<const SchemeKind* const> schemes() {
  static const SchemeKind kind{
      .part = scheme_part<DualPathParameters>(),
      .traits = {.tracking = DependencyTracking::thread, .stalls = true, .results = true, .asks = true},
      .make = [](const char* name, const SchemePlace& place) -> std::unique_ptr<Scheme> {
        return std::make_unique<DualPath>(name, place.parameters);
      }};
  static const SchemeKind* const kinds[] = {&kind};
  return kinds;
}

}  // namespace

}  // namespace reconverge::dual_path

extern "C" const reconverge::Plugin reconverge_plugin{reconverge::interface_version, reconverge::dual_path::schemes};

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A throw-away scheme that keeps both sides of a branch as subwarps: while one waits for memory, the other runs. In
/// functions, and within a side, it is a reconvergence stack.

#include <algorithm>
#include <array>

#include "models/execution/block_barriers.hpp"
#include "tests/contract/stack_scheme.hpp"

namespace reconverge::contract {

struct SwitchingParameters {
  static const BlockDescription& description() {
    static const BlockDescription block = block_of_scheme("switching", "Two subwarps, which change places on a stall.");
    return block;
  }
  bool operator==(const SwitchingParameters&) const = default;
};

/// A warp whose lanes have diverged; its stack holds the paths below.
struct PartedWarp {
  struct Side {
    PathStack stack;
    Path path;  ///< while it does not run; without lanes: it has finished
  };
  bool parted = false;
  unsigned running = 0;
  std::array<Side, 2> sides;
  Path after;  ///< of all lanes, when both sides have finished

  Side& side() { return sides[running]; }
  Side& other() { return sides[1 - running]; }
  bool other_waits() { return parted && other().path.lanes != 0; }
};

class SwitchingScheme final : public StackScheme {
 public:
  SwitchingScheme(sc_core::sc_module_name name, const SchemePlace& place)
      : StackScheme(name, place), warps_(place.parameters.warp_slots) {}

 private:
  void begin(const SchemeLaunch& launch) override { entry_end_ = launch.image.program().functions.front().end; }

  void start(SchemeRequest& request) override {
    warps_[request.slot].parted = false;
    StackScheme::start(request);
  }

  void branch(SchemeRequest& request) override {
    PartedWarp& warp = warps_[request.slot];
    const kernel::Instruction& branch = *request.instruction;
    const LaneMask falling = request.path.lanes & ~request.lanes;
    const kernel::Pc meeting = branch.reconvergence;
    const bool parts = branch.opcode == kernel::Opcode::bra && request.lanes != 0 && falling != 0 &&
                       meeting != kernel::no_pc && branch.target != meeting && request.pc + 1 != meeting;
    if (warp.parted || !parts || request.pc >= entry_end_) return StackScheme::branch(request);
    warp.parted = true;
    warp.running = 0;
    warp.after = {meeting, request.path.lanes, request.path.stop};
    warp.sides[0].path = warp.sides[0].stack.start(request.lanes, branch.target);
    warp.sides[1].path = warp.sides[1].stack.start(falling, request.pc + 1);
    for (PartedWarp::Side& side : warp.sides) side.path.stop = meeting;
    request.path = warp.sides[0].path;
    request.answer = SchemeAnswer::run;
  }

  void exit(SchemeRequest& request) override {
    if (PartedWarp& warp = warps_[request.slot]; warp.parted) {
      // Paths below lose the lanes, too. The stack takes a path only if no lanes are left here.
      Path left{0, warp.after.lanes, kernel::no_pc};
      stacks_[request.slot].exit(left, request.lanes);
      warp.after.lanes &= ~request.lanes;
      if (warp.after.lanes == 0) warp.after = left;
    }
    StackScheme::exit(request);
  }

  PathStack& stack_of(const SchemeRequest& request) override {
    PartedWarp& warp = warps_[request.slot];
    return warp.parted ? warp.side().stack : stacks_[request.slot];
  }

  void settle(SchemeRequest& request) override {
    PartedWarp& warp = warps_[request.slot];
    if (warp.parted && request.path.lanes == 0) {
      change(request);
      if (request.path.lanes == 0) {
        warp.parted = false;
        request.path = warp.after;
        if (request.path.pc == request.path.stop) stacks_[request.slot].reconverge(request.path);
      }
    }
    StackScheme::settle(request);
  }

  void change(SchemeRequest& request) {
    PartedWarp& warp = warps_[request.slot];
    warp.side().path = request.path;
    request.path = warp.other().path;
    warp.running = 1 - warp.running;
    request.answer = SchemeAnswer::run;
  }

  /// A barrier is for all threads: some threads of the other side may end before it.
  void ask(SchemeRequest& request) override {
    if (BlockBarriers::is_block_barrier(*request.instruction) && warps_[request.slot].other_waits()) change(request);
  }

  void stall(SchemeRequest& request) override {
    PartedWarp& warp = warps_[request.slot];
    if (!request.from_memory || !warp.other_waits()) return;
    if (ready(request, warp.other().path) < request.ready) change(request);
  }

  void result(SchemeRequest& request) override {
    PartedWarp& warp = warps_[request.slot];
    if (!request.stands || !warp.other_waits()) return;
    request.from = ready(request, warp.other().path);
    if (request.from < ready(request, request.path)) change(request);
  }

  /// When the registers that the path needs next are available.
  Cycle ready(const SchemeRequest& request, const Path& path) {
    ReadinessRequest question;
    question.slot = request.slot;
    question.pc = path.pc;
    question.lanes = path.lanes;
    send(dependencies, question);
    Cycle ready = 0;
    for_each_lane(path.lanes, [&](unsigned lane) { ready = std::max(ready, question.ready[lane]); });
    return ready;
  }

  kernel::Pc entry_end_ = 0;
  std::vector<PartedWarp> warps_;  // by slot
};

/// `tracking`: one that tells threads apart.
inline SchemeKind switching_scheme(DependencyTracking tracking) {
  return {.part = scheme_part<SwitchingParameters>(),
          .traits = {.tracking = tracking, .stalls = true, .results = true, .asks = true},
          .make = [](const char* name, const SchemePlace& place) -> std::unique_ptr<Scheme> {
            return std::make_unique<SwitchingScheme>(name, place);
          }};
}

}  // namespace reconverge::contract

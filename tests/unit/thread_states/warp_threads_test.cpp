// SPDX-License-Identifier: Apache-2.0
// The states of the threads of a warp (Fig. 7, without the timing of STALLED), waiting and opening barriers, and calls.

#include "models/schemes/thread_states/warp_threads.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "models/kernel/decode/load_program.hpp"

namespace reconverge {
namespace {

constexpr LaneMask low = 0x00ffU;
constexpr LaneMask high = ~low;

/// The branch at pc 3, after ld.param, mov and setp, goes to ELSE at pc 6; JOIN is at pc 7.
const kernel::Program& if_else() {
  static const kernel::Program program = kernel::load_program_text(R"(
.version 6.0
.target sm_60
.address_size 64
.visible .entry kernel(.param .u64 data)
{
  .reg .u32 %l, %r0;
  .reg .u64 %d;
  .reg .pred %p0;
  ld.param.u64 %d, [data];
  mov.u32 %l, %tid.x;
  setp.lt.u32 %p0, %l, 8;
  @%p0 bra ELSE;
  add.u32 %r0, %l, 1;
  bra JOIN;
ELSE:
  add.u32 %r0, %l, 2;
JOIN:
  st.global.u32 [%d], %r0;
  ret;
}
)",
                                                                   "kernel.ptx", "kernel");
  return program;
}

struct Bench {
  BarrierCode code{if_else(), kernel::volta_barriers};
  WarpThreads threads;
  WarpThreads::Counts counts;
  Path path = threads.start(code, all_lanes, 0);

  /// The warp reaches the branch and diverges: lanes 0 to 7 take it.
  void part() {
    path.pc = 3;
    threads.arrive(path, counts);
    Targets targets;
    targets.common = 6;
    threads.part(path, WarpThreads::sides_of(path, low, targets).all(), 0, counts);
  }
  /// The path falls through to JOIN.
  void come_to_join() {
    path.pc = 7;
    threads.arrive(path, counts);
  }
};

}  // namespace

TEST_CASE("threads: threads of the warp start ACTIVE, and all others INACTIVE", "[thread_states]") {
  Bench bench;
  CHECK(bench.path == Path{0, all_lanes, 3});
  bench.path = bench.threads.start(bench.code, low, 0);
  CHECK(bench.threads.state(0) == ThreadState::active);
  CHECK(bench.threads.state(8) == ThreadState::inactive);
}

TEST_CASE("threads: after a divergent branch one path is ACTIVE and the other READY", "[thread_states]") {
  Bench bench;
  bench.part();
  CHECK(bench.path == Path{6, low, 7});
  CHECK(bench.threads.active() == low);
  CHECK(bench.threads.ready() == high);
  CHECK(bench.threads.state(31) == ThreadState::ready);
  CHECK(bench.threads.pc(31) == 4);
}

TEST_CASE("threads: a BSYNC blocks threads until the last one arrives, and then releases all", "[thread_states]") {
  Bench bench;
  bench.part();
  bench.come_to_join();
  CHECK(bench.path.lanes == 0);
  CHECK(bench.threads.blocked() == low);
  CHECK(bench.threads.state(0) == ThreadState::blocked);
  bench.threads.activate(31, bench.path, bench.counts);
  CHECK(bench.path == Path{4, high, 7});
  bench.come_to_join();
  CHECK(bench.path == Path{7, all_lanes, kernel::no_pc});
  CHECK(bench.threads.active() == all_lanes);
  CHECK(bench.counts.joins == 1);
  CHECK(bench.counts.waits == 2);
  CHECK(bench.counts.reconvergences == 1);
}

TEST_CASE("threads: no thread waits for an ended thread", "[thread_states]") {
  Bench bench;
  bench.part();
  bench.come_to_join();
  bench.threads.activate(31, bench.path, bench.counts);
  bench.threads.exit(bench.path, bench.path.lanes, bench.counts);
  CHECK(bench.path.lanes == 0);
  CHECK(bench.threads.state(31) == ThreadState::inactive);
  CHECK(bench.threads.ready() == low);
  bench.threads.activate(0, bench.path, bench.counts);
  CHECK(bench.path == Path{7, low, kernel::no_pc});
}

TEST_CASE("threads: stall, wakeup, select and yield", "[thread_states]") {
  Bench bench;
  bench.part();
  bench.threads.stall(bench.path);
  CHECK(bench.path.lanes == 0);
  CHECK(bench.threads.state(0) == ThreadState::stalled);
  bench.threads.activate(8, bench.path, bench.counts);
  CHECK(bench.path.lanes == high);
  bench.path.pc = 5;
  bench.threads.yield(bench.path);
  CHECK(bench.threads.ready() == high);
  CHECK(bench.threads.pc(8) == 5);
  bench.threads.wake(low);
  CHECK(bench.threads.ready() == all_lanes);
  // The READY threads form two subwarps, because they have different pcs.
  CHECK(bench.threads.subwarp_of(0) == low);
  CHECK(bench.threads.subwarp_of(8) == high);
  bench.threads.activate(0, bench.path, bench.counts);
  CHECK(bench.path == Path{6, low, 7});
}

TEST_CASE("threads: an opening barrier releases waiting threads, and the others pass later", "[thread_states]") {
  Bench bench;
  bench.part();
  bench.come_to_join();
  bench.threads.activate(31, bench.path, bench.counts);
  REQUIRE(bench.threads.open(bench.counts));
  CHECK(bench.threads.ready() == low);
  CHECK_FALSE(bench.threads.open(bench.counts));
  bench.come_to_join();
  CHECK(bench.path == Path{7, high, kernel::no_pc});
  CHECK(bench.counts.opened == 1);
}

TEST_CASE("threads: lanes at a barrier wait for lanes that have joined it and not arrived", "[thread_states]") {
  Bench bench;
  bench.part();
  CHECK(bench.threads.waiting_for(all_lanes) == 0);
  bench.come_to_join();
  CHECK(bench.threads.waiting_for(high) == low);
  CHECK(bench.threads.waiting_for(lane_bit(31)) == low);
  bench.threads.activate(31, bench.path, bench.counts);
  bench.threads.open(bench.counts);
  CHECK(bench.threads.waiting_for(high) == 0);
  CHECK(bench.counts.completed == 0);
  // Lanes that exit release the others without a BSYNC.
  Bench ended;
  ended.part();
  ended.come_to_join();
  ended.threads.activate(31, ended.path, ended.counts);
  ended.threads.exit(ended.path, ended.path.lanes, ended.counts);
  CHECK(ended.counts.reconvergences == 1);
  CHECK(ended.counts.completed == 0);
}

TEST_CASE("threads: only lanes of one group wait for each other after a call", "[thread_states]") {
  Bench bench;
  Targets back;
  back.each.fill(1);
  // Lanes 0 to 7 call one function, and the other lanes another.
  WarpThreads::Sides sides;
  sides.add(4, low);
  sides.add(5, high);
  bench.threads.call(bench.path, all_lanes, bench.counts, sides.all());
  bench.threads.part(bench.path, sides.all(), 0, bench.counts);
  CHECK(bench.path.lanes == low);
  CHECK(bench.threads.waiting_for(all_lanes) == 0);
  bench.threads.leave(bench.path, lane_bit(0), back, bench.counts);
  CHECK(bench.threads.waiting_for(lane_bit(1)) == lane_bit(0));
  CHECK(bench.threads.waiting_for(high) == 0);
  bench.threads.leave(bench.path, bench.path.lanes, back, bench.counts);
  CHECK(bench.path.lanes == low);
  CHECK(bench.path.pc == 1);
  CHECK(bench.threads.ready() == high);
}

TEST_CASE("threads: the lanes of a warp may reach a block barrier separately", "[thread_states]") {
  Bench bench;
  bench.part();
  bench.threads.wait(bench.path, 0x0fU, bench.counts);
  CHECK(bench.path.lanes == 0xf0U);
  CHECK(bench.threads.state(0) == ThreadState::blocked);
  bench.threads.release(0x0fU);
  CHECK(bench.threads.ready() == (high | 0x0fU));
}

TEST_CASE("threads: lanes of a call wait after it for lanes in deeper calls", "[thread_states]") {
  Bench bench;
  const auto to = [](kernel::Pc pc) {
    Targets targets;
    targets.common = pc;
    return targets;
  };
  const auto back = [](kernel::Pc pc) {
    Targets targets;
    targets.each.fill(pc);
    return targets;
  };
  const auto call = [&](LaneMask lanes, kernel::Pc pc) {
    bench.threads.call(bench.path, lanes, bench.counts);
    bench.threads.part(bench.path, WarpThreads::sides_of(bench.path, lanes, to(pc)).all(), 0, bench.counts);
  };
  // All lanes call the function at pc 4. In it, lanes 0 to 7 call the function again.
  call(all_lanes, 4);
  CHECK(bench.path == Path{4, all_lanes, 7});
  call(low, 4);
  CHECK(bench.path == Path{4, low, 7});
  CHECK(bench.threads.blocked() == high);  // after the call, which these lanes do not make
  bench.path.pc = 5;
  bench.threads.leave(bench.path, low, back(5), bench.counts);
  CHECK(bench.path == Path{5, all_lanes, 7});
  // Then lanes 0 to 7 return, and the others exit.
  bench.threads.leave(bench.path, low, back(1), bench.counts);
  CHECK(bench.path.lanes == high);
  CHECK(bench.threads.blocked() == low);
  bench.threads.exit(bench.path, high, bench.counts);
  CHECK(bench.threads.ready() == low);
  CHECK(bench.threads.pc(0) == 1);
}

}  // namespace reconverge

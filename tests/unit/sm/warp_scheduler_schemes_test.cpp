// SPDX-License-Identifier: Apache-2.0
// A warp scheduler through its sockets: its requests to schemes, and its use of their answers.

#include <algorithm>
#include <array>
#include <stdexcept>

#include "tests/unit/sm/warp_scheduler_bench.hpp"

namespace reconverge {
namespace {

using tests::SchedulerBench;
using Cause = WarpSchedulerSlots;
using Cycles = std::vector<Cycle>;

constexpr const char* additions = "add.u32 %r1, %r1, 3;\nadd.u32 %r1, %r1, 3;\nadd.u32 %r1, %r1, 3;";

constexpr SchemeTraits lanes_alone{.lanes_alone = true, .results = true};

}  // namespace

TEST_CASE("scheduler: independent lanes of several warps fill an issue slot, the oldest warp first") {
  SchedulerBench bench(additions, SchedulerBench::one_dispatch(), {1, 0}, 0, lanes_alone);
  // The lanes of each warp slot that can issue; each lane issues once.
  std::array<LaneMask, 2> can{0xffffff00, 0x0000ffff};
  bench.scheme.serve = [&](SchemeRequest& request) {
    if (request.event != SchemeEvent::select) return;
    LaneMask& lanes = can[request.slot];
    const LaneMask chosen = lanes & request.lanes;
    lanes &= ~chosen;
    request.until = lanes != 0 ? request.now + 1 : 9;
    request.answer = chosen != 0 ? SchemeAnswer::run : SchemeAnswer::wait;
    if (chosen != 0) request.path = {0, chosen, kernel::no_pc};
  };
  bench.run(5);
  // Slot 1 has the older warp. Slot 0 issues in the lanes that slot 1 does not use, and in the others a cycle later.
  REQUIRE(bench.issued == std::vector<std::pair<std::uint32_t, Cycle>>{{1, 0}, {0, 0}, {0, 1}});
  const auto& seen = bench.collector.seen;
  REQUIRE(seen[0].queued);
  REQUIRE(seen[0].lanes == 0x0000ffff);
  REQUIRE(seen[1].lanes == 0xffff0000);
  REQUIRE(seen[2].lanes == 0x0000ff00);
  REQUIRE(bench.slots(Cause::issued) == 2);
  REQUIRE(bench.slots(Cause::dependency) == 3);
  REQUIRE(bench.scheduler.statistics().active_lanes[32] == 1);
  REQUIRE(bench.scheduler.statistics().active_lanes[8] == 1);
  // The scheduler notifies the scheme of the result of a path's instruction, and then lets it advance the path.
  const auto& known = bench.scheme.seen[1];
  REQUIRE(known.event == SchemeEvent::result);
  REQUIRE(known.lanes == 0x0000ffff);
  REQUIRE(known.result == SchedulerBench::latency);
  const auto& moved = bench.scheme.seen[2];
  REQUIRE(moved.event == SchemeEvent::advance);
  REQUIRE(moved.slot == 1);
  REQUIRE(moved.lanes == 0x0000ffff);
  REQUIRE(bench.scheduler.next_event() == 9);
}

TEST_CASE("scheduler: the scheme gets results of independent lanes, and returns when lanes can issue") {
  SchedulerBench bench(additions, SchedulerBench::one_dispatch(), {0}, 0, lanes_alone);
  bench.scheme.serve = [](SchemeRequest& request) {
    if (request.event == SchemeEvent::select) {
      request.answer = SchemeAnswer::wait;
      request.from_memory = true;
    }
    if (request.event == SchemeEvent::result) request.until = request.result + 1;
  };
  bench.run(10);
  REQUIRE(bench.slots(Cause::memory) == 10);
  bench.scheduler.write_back({0, {}, 0, 0xf, 30, 10});
  const auto& result = bench.scheme.seen.back();
  REQUIRE(result.event == SchemeEvent::result);
  REQUIRE(result.lanes == 0xf);
  REQUIRE(result.pc == 0);
  REQUIRE(result.result == 30);
  REQUIRE(bench.scheduler.next_event() == 31);
}

TEST_CASE("scheduler: a warp that its scheme holds waits until it is resumed, and its result is recorded") {
  SchedulerBench bench(additions);
  bench.scheme.serve = [](SchemeRequest& request) {
    if (request.event == SchemeEvent::stop) request.answer = SchemeAnswer::wait;
  };
  bench.warp().path.stop = 1;
  bench.run(20);
  REQUIRE(bench.cycles_issued() == Cycles{0});
  REQUIRE(bench.warp().held_by_scheme);
  REQUIRE(bench.slots(SchedulerBench::held_by_scheme) == 19);
  REQUIRE(bench.scheduler.next_event() == never);
  const auto& noted = bench.scoreboard.seen.back();
  REQUIRE(noted.issued == &bench.image.decoded(0));
  REQUIRE(noted.next == nullptr);
  REQUIRE(noted.result == SchedulerBench::latency);
  bench.warp().held_by_scheme = false;
  bench.warp().path = {1, 0xff, kernel::no_pc};
  bench.scheduler.resume(bench.warp(), 20, 22);
  bench.run(23);
  REQUIRE(bench.cycles_issued() == Cycles{0, 22});
  REQUIRE(bench.collector.seen.back().lanes == 0xff);
  bench.scheduler.stand(bench.warp(), 23);
  REQUIRE(bench.scheduler.next_event() == never);
}

TEST_CASE("scheduler: a scheme may hold a warp for a number of cycles") {
  SchedulerBench bench(additions);
  bench.scheme.serve = [](SchemeRequest& request) {
    if (request.event != SchemeEvent::stop) return;
    request.path = {2, 0xf, kernel::no_pc};
    request.answer = SchemeAnswer::wait;
    request.until = 7;
  };
  bench.warp().path.stop = 1;
  bench.run(8);
  REQUIRE(bench.cycles_issued() == Cycles{0, 7});
  REQUIRE(bench.slots(SchedulerBench::held_by_scheme) == 6);
  REQUIRE(bench.collector.seen.back().decoded == &bench.image.decoded(2));
  REQUIRE(bench.collector.seen.back().lanes == 0xf);
}

TEST_CASE("scheduler: a scheme is asked before instructions for whole warps only if it has the trait") {
  const bool asks = GENERATE(false, true);
  SchedulerBench bench("vote.sync.ballot.b32 %r1, %p1, -1;\nadd.u32 %r1, %r1, 3;", SchedulerBench::one_dispatch(), {0},
                       0, {.asks = asks});
  bench.scheme.serve = [](SchemeRequest& request) {
    if (request.event == SchemeEvent::ask) request.answer = SchemeAnswer::wait;
  };
  bench.run(3);
  REQUIRE(bench.issued.size() == (asks ? 0 : 1));
  REQUIRE(bench.scheme.seen.size() == (asks ? 1 : 0));
  if (!asks) return;
  REQUIRE(bench.scheme.seen[0].pc == 0);
  REQUIRE(bench.scheme.seen[0].instruction == &bench.image.instruction(0));
  REQUIRE(bench.slots(SchedulerBench::held_by_scheme) == 3);
}

TEST_CASE("scheduler: an extension instruction issues when its scheme permits, and the scheme is notified") {
  SchedulerBench bench("rdctrl.b32 %r1, {%r2};\nadd.u32 %r1, %r1, %r2;");
  const Cycle retry = GENERATE(Cycle{6}, never);
  bench.beside.serve = [&](SchemeRequest& request) {
    if (request.event != SchemeEvent::ask || request.now >= 6) return;
    request.answer = SchemeAnswer::wait;
    request.until = retry;
  };
  bench.run(6);
  REQUIRE(bench.issued.empty());
  REQUIRE(bench.beside.seen.size() == 1);
  REQUIRE(bench.beside.seen[0].event == SchemeEvent::ask);
  REQUIRE_FALSE(bench.warp().held_by_scheme);
  REQUIRE(bench.slots(SchedulerBench::held_by_beside) == 6);
  if (retry == never) bench.scheduler.retry_scheme(1, 0, 6);
  // The instruction may issue, but its pipe is busy. The scheduler asks the scheme again at each attempt.
  bench.treat = [](IssueRequest& request) {
    if (request.now >= 8) return;
    request.refusal = Refusal::pipe;
    request.retry = 8;
  };
  bench.run(9);
  REQUIRE(bench.cycles_issued() == Cycles{8});
  REQUIRE(bench.beside.seen.size() == 4);
  REQUIRE(bench.beside.seen[2].now == 8);
  REQUIRE(bench.beside.seen[3].event == SchemeEvent::issued);
  REQUIRE(bench.beside.seen[3].lanes == all_lanes);
  REQUIRE(bench.scheme.seen.empty());
}

TEST_CASE("scheduler: a scheme that is asked may select another path, and the look-ahead uses it") {
  const Cycle from = GENERATE(Cycle{0}, Cycle{6});
  SchedulerBench bench("vote.sync.ballot.b32 %r1, %p1, -1;\nadd.u32 %r1, %r1, 3;\nadd.u32 %r2, %r2, 3;",
                       SchedulerBench::one_dispatch(), {0}, 0, {.asks = true});
  bench.scheme.serve = [&](SchemeRequest& request) {
    if (request.event != SchemeEvent::ask) return;
    request.path = {2, 0xf, kernel::no_pc};
    request.from = from;
    request.answer = SchemeAnswer::run;
  };
  const Cycle first = std::max<Cycle>(from, 1);
  bench.run(first + 1);
  REQUIRE(bench.cycles_issued() == Cycles{first});
  REQUIRE(bench.collector.seen.back().decoded == &bench.image.decoded(2));
  REQUIRE(bench.collector.seen.back().lanes == 0xf);
  REQUIRE(bench.slots(Cause::dependency) == first);
  // The scoreboard was asked first for the initial path, and then for the path that the scheme selected.
  REQUIRE(bench.scoreboard.seen[1].next == &bench.image.decoded(2));
  REQUIRE(bench.scoreboard.seen[1].next_lanes == 0xf);
}

TEST_CASE("scheduler: after a result a scheme may select another path for a stalled warp") {
  const bool stands = GENERATE(true, false);
  SchedulerBench bench("ld.global.u32 %r1, [%rd1];\nadd.u32 %r1, %r1, 3;\nadd.u32 %r2, %r2, 3;",
                       SchedulerBench::one_dispatch(), {0}, 0, {.results = true});
  bench.scheme.serve = [&](SchemeRequest& request) {
    if (request.event == SchemeEvent::stop) request.answer = SchemeAnswer::wait;
    if (request.event != SchemeEvent::result || request.pc != 0) return;
    REQUIRE(request.stands == stands);
    request.path = {2, 0xff, kernel::no_pc};
    request.from = 15;
    request.answer = SchemeAnswer::run;
  };
  // The scheme may not select another path for a warp that it holds.
  if (!stands) bench.warp().path.stop = 1;
  bench.run(10);
  REQUIRE(bench.cycles_issued() == Cycles{0});
  const WritebackRequest result{0, {}, 0, all_lanes, 30, 10};
  if (!stands) {
    REQUIRE_THROWS_AS(bench.scheduler.write_back(result), std::logic_error);
    return;
  }
  bench.scheduler.write_back(result);
  REQUIRE(bench.scheduler.next_event() == 15);
  bench.run(16);
  REQUIRE(bench.cycles_issued() == Cycles{0, 15});
  REQUIRE(bench.collector.seen.back().decoded == &bench.image.decoded(2));
  REQUIRE(bench.collector.seen.back().lanes == 0xff);
}

TEST_CASE("scheduler: a scheme may not select another path at a result that is known at issue") {
  SchedulerBench bench(additions, SchedulerBench::one_dispatch(), {0}, 0, {.results = true});
  bench.scheme.serve = [](SchemeRequest& request) {
    if (request.event == SchemeEvent::result) request.answer = SchemeAnswer::run;
  };
  REQUIRE_THROWS_AS(bench.run(1), std::logic_error);
}

TEST_CASE("scheduler: a scheme holds warps only for causes of its block file") {
  const bool own = GENERATE(true, false);
  SchedulerBench bench("rdctrl.b32 %r1, {%r2};\nadd.u32 %r1, %r1, %r2;");
  const auto hold_for_second = [](SchemeRequest& request) {
    if (request.event != SchemeEvent::ask && request.event != SchemeEvent::stop) return;
    request.answer = SchemeAnswer::wait;
    request.cause = 1;
  };
  (own ? bench.scheme : bench.beside).serve = hold_for_second;
  bench.warp().path.stop = 1;
  REQUIRE_THROWS_WITH(bench.run(1), "a scheme holds a warp for a cause that its block file lacks");
  REQUIRE_THROWS_AS(bench.scheduler.stand(bench.warp(), 1, own ? 0 : 1, 1), std::logic_error);
  REQUIRE_THROWS_AS(bench.scheduler.retry_scheme(own ? 0 : 1, 1, 2), std::logic_error);
}

TEST_CASE("scheduler: a warp that has waited for its scheme still waits for its registers") {
  SchedulerBench bench(additions);
  const Cycle there = GENERATE(Cycle{5}, Cycle{20});
  bench.scoreboard.serve = [&](ScoreboardRequest& request) {
    // The result of the first instruction, which the path that the scheme selects needs.
    request.ready = request.next == &bench.image.decoded(2) ? there : 0;
  };
  bench.scheme.serve = [](SchemeRequest& request) {
    if (request.event != SchemeEvent::stop) return;
    request.path = {2, 0xf, kernel::no_pc};
    request.answer = SchemeAnswer::wait;
    request.until = 7;
  };
  bench.warp().path.stop = 1;
  bench.run(7);
  REQUIRE(bench.warp().held_by_scheme);
  bench.run(21);
  REQUIRE_FALSE(bench.warp().held_by_scheme);
  REQUIRE(bench.issued[1].second == std::max<Cycle>(7, there));
  REQUIRE(bench.slots(SchedulerBench::held_by_scheme) == 6);
}

TEST_CASE("scheduler: a warp that its scheme holds for a number of cycles continues without a resume") {
  SchedulerBench bench(additions, SchedulerBench::one_dispatch(), {1, 0});
  bench.scheduler.stand(bench.warp(0), 0, 0, 0, 3);
  bench.scheduler.stand(bench.warp(1), 0, 0, 0, 9);
  bench.run(5);
  REQUIRE(bench.slots_issued() == std::vector<std::uint32_t>{0});
  REQUIRE(bench.cycles_issued() == Cycles{3});
  REQUIRE(bench.slots(SchedulerBench::held_by_scheme) == 3);
  // A resume may end the hold earlier.
  bench.scheduler.resume(bench.warp(1), 5, 6);
  bench.run(7);
  REQUIRE(bench.issued.back() == std::pair<std::uint32_t, Cycle>{1, 6});
}

TEST_CASE("scheduler: a scheme may hold a warp after an extension instruction, whose result is recorded") {
  SchedulerBench bench("rdctrl.b32 %r1, {%r2};\nadd.u32 %r1, %r1, %r2;");
  bench.beside.serve = [](SchemeRequest& request) {
    if (request.event != SchemeEvent::issued) return;
    ++request.path.pc;
    request.answer = SchemeAnswer::wait;
    request.until = 9;
  };
  bench.run(10);
  REQUIRE(bench.cycles_issued() == Cycles{0, 9});
  REQUIRE(bench.slots(SchedulerBench::held_by_beside) == 8);
  const auto noted = std::ranges::find_if(bench.scoreboard.seen, [&](const ScoreboardRequest& request) {
    return request.issued == &bench.image.decoded(0);
  });
  REQUIRE(noted != bench.scoreboard.seen.end());
  REQUIRE(noted->result == SchedulerBench::latency);
}

}  // namespace reconverge

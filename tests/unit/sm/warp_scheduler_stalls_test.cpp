// SPDX-License-Identifier: Apache-2.0
// A warp scheduler through its sockets: schemes that are notified of stalls and results and may select another path.

#include "tests/unit/sm/warp_scheduler_bench.hpp"

namespace reconverge {
namespace {

using tests::SchedulerBench;
using Cause = WarpSchedulerSlots;
using Cycles = std::vector<Cycle>;

constexpr const char* additions = "add.u32 %r1, %r1, 3;\nadd.u32 %r1, %r1, 3;\nadd.u32 %r1, %r1, 3;";

}  // namespace

TEST_CASE("scheduler: a scheme that is notified of stalls may select another path") {
  const bool names_another = GENERATE(true, false);
  SchedulerBench bench(additions, SchedulerBench::one_dispatch(), {0, 1}, 0, {.stalls = true});
  bench.scheme.serve = [&](SchemeRequest& request) {
    if (request.event != SchemeEvent::stall || !names_another || request.path.pc != 1) return;
    request.path = {2, 0xff, kernel::no_pc};
    request.from = 2;
    request.answer = SchemeAnswer::run;
  };
  bench.run(3);
  // Slot 0 issued in cycle 0, in which slot 1 was ready. Slot 1 issued in cycle 1, in which slot 0 was stalled.
  const auto& seen = bench.scheme.seen;
  REQUIRE(seen.size() >= 2);
  CHECK(seen[0].event == SchemeEvent::stall);
  CHECK(seen[0].slot == 0);
  CHECK(seen[0].path == Path{1, all_lanes, kernel::no_pc});
  CHECK(seen[0].ready == SchedulerBench::latency);
  CHECK_FALSE(seen[0].from_memory);
  CHECK(seen[0].stalled == 1);
  CHECK(seen[0].resident == 2);
  CHECK(seen[1].slot == 1);
  CHECK(seen[1].stalled == 2);
  CHECK(bench.cycles_issued() == (names_another ? Cycles{0, 1, 2} : Cycles{0, 1}));
  if (!names_another) return;
  CHECK(bench.collector.seen.back().decoded == &bench.image.decoded(2));
  CHECK(bench.collector.seen.back().lanes == 0xff);
  // The scheduler asks the scoreboard when the registers of the selected path are ready, and records no second issue.
  const auto& query = bench.scoreboard.seen[3];
  CHECK(query.issued == nullptr);
  CHECK(query.next == &bench.image.decoded(2));
  CHECK(query.next_lanes == 0xff);
}

TEST_CASE("scheduler: the end of a stall for memory is unknown") {
  SchedulerBench bench("ld.global.u32 %r1, [%rd1];\nadd.u32 %r2, %r1, %r1;", SchedulerBench::one_dispatch(), {0}, 0,
                       {.stalls = true});
  bench.run(10);
  REQUIRE(bench.scheme.seen.size() == 1);
  CHECK(bench.scheme.seen[0].ready == never);
  CHECK(bench.scheme.seen[0].from_memory);
  CHECK(bench.slots(Cause::memory) == 9);
}

TEST_CASE("scheduler: cycles that wait for a load are load stalls, but waits for a unit are not") {
  const bool for_unit = GENERATE(true, false);
  SchedulerBench bench("ld.global.u32 %r1, [%rd1];\nadd.u32 %r2, %r1, %r1;");
  const auto answer = bench.scoreboard.serve;
  bench.scoreboard.serve = [&, answer](ScoreboardRequest& request) {
    answer(request);
    request.waits_for_unit = for_unit;
  };
  bench.run(10);
  CHECK(bench.slots(Cause::memory) == 9);
  CHECK(bench.scheduler.statistics().load_stalls[WarpSchedulerLoadStalls::exposed] == (for_unit ? 0 : 9));
}

TEST_CASE("scheduler: a scheme that observes results is notified when each result's time is known") {
  SchedulerBench bench("add.u32 %r1, %r1, 3;\nld.global.u32 %r1, [%rd1];\nadd.u32 %r2, %r1, %r1;",
                       SchedulerBench::one_dispatch(), {0}, 0, {.results = true});
  bench.run(20);
  const auto& seen = bench.scheme.seen;
  REQUIRE(seen.size() == 1);
  CHECK(seen[0].event == SchemeEvent::result);
  CHECK(seen[0].pc == 0);
  CHECK(seen[0].lanes == all_lanes);
  CHECK(seen[0].result == SchedulerBench::latency);
  CHECK_FALSE(seen[0].from_memory);
  bench.scheduler.write_back({0, {}, 1, 0xff, 30, 20});
  REQUIRE(seen.size() == 2);
  CHECK(seen[1].pc == 1);
  CHECK(seen[1].lanes == 0xff);
  CHECK(seen[1].result == 30);
  CHECK(seen[1].from_memory);
  bench.run(31);
  CHECK(bench.cycles_issued() == Cycles{0, 4, 30});
}

TEST_CASE("scheduler: after a result the scheme may select the path of a stalled warp that waited for the result") {
  SchedulerBench bench(
      "ld.global.u32 %r1, [%rd1];\nadd.u32 %r2, %r1, %r1;\nld.global.u32 %r3, [%rd1];\n"
      "add.u32 %r3, %r3, %r3;",
      SchedulerBench::one_dispatch(), {0}, 0, {.stalls = true, .results = true});
  const Path other{2, 0x0f, kernel::no_pc};
  const Path first{1, 0xf0, kernel::no_pc};
  bench.scheme.serve = [&](SchemeRequest& request) {
    if (request.event == SchemeEvent::stall && request.path.pc == 1 && request.now == 0) {
      request.path = other;
      request.answer = SchemeAnswer::run;
    }
    if (request.event == SchemeEvent::result && request.pc == 0) {
      request.path = first;
      request.answer = SchemeAnswer::run;
    }
  };
  // Each addition waits for the previous load.
  Cycle loaded = never;
  bench.scoreboard.serve = [&](ScoreboardRequest& request) {
    if (request.written_back) loaded = request.result;
    const bool addition = request.next != nullptr && !request.next->memory;
    request.ready = addition ? (request.next == &bench.image.decoded(1) ? loaded : never) : 0;
    request.waits_for_memory = addition;
  };
  bench.run(20);
  REQUIRE(bench.cycles_issued() == Cycles{0, 1});
  REQUIRE(bench.collector.seen.back().lanes == 0x0f);
  bench.scheduler.write_back({0, {}, 0, all_lanes, 30, 20});
  bench.run(31);
  REQUIRE(bench.cycles_issued() == Cycles{0, 1, 30});
  CHECK(bench.collector.seen.back().decoded == &bench.image.decoded(1));
  CHECK(bench.collector.seen.back().lanes == 0xf0);
}

TEST_CASE("scheduler: a load of moved threads is looked up again in their new lanes") {
  SchedulerBench bench("ld.global.u32 %r1, [%rd1];\nadd.u32 %r2, %r1, %r1;");
  bench.run(20);
  REQUIRE(bench.scheduler.next_event() == never);
  bench.warp().homes.moved = true;
  bench.warp().homes.slot.fill(3);
  // The threads that loaded had other homes, so the result does not end this warp's wait.
  bench.scheduler.write_back({0, {}, 0, all_lanes, 30, 20});
  const auto& written = bench.scoreboard.seen.back();
  CHECK(written.next == nullptr);
  CHECK(written.written_back);
  CHECK(bench.scheduler.next_event() == never);
  bench.scoreboard.serve = [](ScoreboardRequest& request) { request.ready = 35; };
  bench.scheduler.look_again(bench.warp());
  const auto& query = bench.scoreboard.seen.back();
  CHECK(query.issued == nullptr);
  CHECK(query.homes == &bench.warp().homes);
  CHECK(query.next == &bench.image.decoded(1));
  CHECK(query.next_lanes == all_lanes);
  bench.run(36);
  CHECK(bench.cycles_issued() == Cycles{0, 35});
}

}  // namespace reconverge

// A scheduler of warps by its sockets: lanes on their own, warps that meet, rows of rays.

#include <array>

#include "tests/unit/sm/warp_scheduler_bench.hpp"

namespace reconverge {
namespace {

using tests::SchedulerBench;
using Cause = WarpSchedulerSlots;
using Cycles = std::vector<Cycle>;

constexpr const char* additions = "add.u32 %r1, %r1, 3;\nadd.u32 %r1, %r1, 3;\nadd.u32 %r1, %r1, 3;";

}  // namespace

TEST_CASE("scheduler: lanes on their own fill a slot from several warps, the oldest first") {
  SchedulerBench bench(additions, SchedulerBench::one_dispatch(), {1, 0}, 0, true);
  // By slot: the lanes that can issue, each once.
  std::array<LaneMask, 2> can{0xffffff00, 0x0000ffff};
  bench.divergence.serve = [&](DivergenceRequest& request) {
    if (request.event != DivergenceEvent::select) return;
    LaneMask& lanes = can[request.warp->slot];
    request.warp->active = lanes & request.lanes;
    lanes &= ~request.warp->active;
    request.ready = lanes != 0 ? request.now + 1 : 9;
  };
  bench.run(5);
  // Slot 1 is the older; of slot 0 the lanes that it left, and the others in the next cycle.
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
  // The scheme hears when what a path did is there, and moves it on.
  const auto& moved = bench.divergence.seen[1];
  REQUIRE(moved.event == DivergenceEvent::advance);
  REQUIRE(moved.lanes == 0x0000ffff);
  REQUIRE(moved.result == SchedulerBench::latency);
  REQUIRE(bench.scheduler.next_event() == 9);
}

TEST_CASE("scheduler: the scheme hears of results of lanes on their own, and says who can issue then") {
  SchedulerBench bench(additions, SchedulerBench::one_dispatch(), {0}, 0, true);
  bench.divergence.serve = [](DivergenceRequest& request) {
    if (request.event == DivergenceEvent::select) {
      request.warp->active = 0;
      request.ready = never;
      request.waits_for_memory = true;
    }
    if (request.event == DivergenceEvent::answer) request.ready = request.result + 1;
  };
  bench.run(10);
  REQUIRE(bench.slots(Cause::memory) == 10);
  bench.scheduler.write_back({&bench.warp(), 0, 0xf, 30, 10});
  const auto& answer = bench.divergence.seen.back();
  REQUIRE(answer.event == DivergenceEvent::answer);
  REQUIRE(answer.lanes == 0xf);
  REQUIRE(answer.pc == 0);
  REQUIRE(answer.result == 30);
  REQUIRE(bench.scheduler.next_event() == 31);
}

TEST_CASE("scheduler: a warp at a meeting point waits for all of its results, and arrives") {
  SchedulerBench bench(additions);
  bench.divergence.serve = [](DivergenceRequest& request) {
    if (request.event == DivergenceEvent::reconverge) request.warp->at_meeting = true;
  };
  bench.warp().reconvergence = 1;
  bench.run(20);
  REQUIRE(bench.cycles_issued() == Cycles{0});
  REQUIRE(bench.scoreboard.seen.back().all);
  const auto& arrived = bench.divergence.seen.back();
  REQUIRE(arrived.event == DivergenceEvent::arrive);
  REQUIRE(arrived.warp == &bench.warp());
  REQUIRE(arrived.now == SchedulerBench::latency);
  REQUIRE(bench.slots(Cause::compaction) == 20 - SchedulerBench::latency);
  // It stands until it is resumed.
  bench.warp().at_meeting = false;
  bench.scheduler.resume(bench.warp(), 20, 22);
  bench.run(23);
  REQUIRE(bench.cycles_issued() == Cycles{0, 22});
  bench.scheduler.stand(bench.warp(), 23);
  REQUIRE(bench.scheduler.next_event() == never);
}

TEST_CASE("scheduler: rdctrl issues when dynamic ray shuffling has an answer") {
  SchedulerBench bench("rdctrl.b32 %r1, {%r2};\nadd.u32 %r1, %r1, %r2;");
  const Cycle retry = GENERATE(Cycle{6}, never);
  bench.rays.serve = [&](RayRequest& request) {
    request.refused = request.now < 6;
    request.retry = retry;
  };
  bench.run(6);
  REQUIRE(bench.issued.empty());
  REQUIRE(bench.rays.seen.size() == 1);
  REQUIRE_FALSE(bench.rays.seen[0].report);
  REQUIRE(bench.slots(Cause::shuffling) == 6);
  if (retry == never) bench.scheduler.retry_control(6);
  // It has its answer, though its pipe is busy: it does not ask again.
  bench.treat = [](IssueRequest& request) {
    if (request.now >= 8) return;
    request.refusal = Refusal::pipe;
    request.retry = 8;
  };
  bench.run(9);
  REQUIRE(bench.cycles_issued() == Cycles{8});
  REQUIRE(bench.rays.seen.size() == 2);
}

}  // namespace reconverge

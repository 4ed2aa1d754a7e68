// SPDX-License-Identifier: Apache-2.0
// A warp scheduler through its sockets: which warp issues when, and the cause of each empty issue slot.

#include "tests/unit/sm/warp_scheduler_bench.hpp"

namespace reconverge {
namespace {

using tests::SchedulerBench;
using Cause = WarpSchedulerSlots;
using Slots = std::vector<std::uint32_t>;
using Cycles = std::vector<Cycle>;

std::string additions(unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += "add.u32 %r1, %r1, 3;\n";
  return text;
}

}  // namespace

TEST_CASE("scheduler: a warp issues when its registers are ready, and each empty slot has a cause") {
  auto parameters = SchedulerBench::one_dispatch();
  parameters.dispatch = 2;
  SchedulerBench bench(additions(9), parameters);
  SECTION("dependent instructions") {
    bench.run(10);
    REQUIRE(bench.cycles_issued() == Cycles{0, 4, 8});
    REQUIRE(bench.slots(Cause::issued) == 3);
    REQUIRE(bench.slots(Cause::dual_issue) == 3);  // the second slot of those cycles
    REQUIRE(bench.slots(Cause::dependency) == 7 * 2);
    REQUIRE(bench.scheduler.next_event() == 12);
  }
  SECTION("independent instructions, two a cycle") {
    bench.dependent = false;
    bench.run(3);
    REQUIRE(bench.cycles_issued() == Cycles{0, 0, 1, 1, 2, 2});
    REQUIRE(bench.slots(Cause::issued) == 6);
    REQUIRE(bench.slots(Cause::dual_issue) == 0);
  }
  REQUIRE(bench.collector.seen[0].lanes == all_lanes);
  REQUIRE(bench.collector.seen[0].decoded == &bench.image.decoded(0));
  REQUIRE(bench.collector.seen[1].decoded == &bench.image.decoded(1));
  REQUIRE(bench.scheduler.statistics().active_lanes[32] == bench.issued.size());
}

TEST_CASE("scheduler: the policy chooses among warps that can issue") {
  auto parameters = SchedulerBench::one_dispatch();
  const std::vector<std::uint64_t> ages{2, 0, 1};
  const auto order = [&](WarpSchedulerPolicy policy, bool dependent) {
    parameters.policy = policy;
    SchedulerBench bench(additions(9), parameters, ages);
    bench.dependent = dependent;
    bench.treat = [](IssueRequest& request) { request.result = request.now + 2; };
    bench.run(6);
    return bench.slots_issued();
  };
  SECTION("oldest first: the oldest") {
    REQUIRE(order(WarpSchedulerPolicy::oldest_first, false) == Slots{1, 1, 1, 1, 1, 1});
    REQUIRE(order(WarpSchedulerPolicy::oldest_first, true) == Slots{1, 2, 1, 2, 1, 2});
  }
  SECTION("greedy then oldest: the warp that issued last, otherwise the oldest") {
    REQUIRE(order(WarpSchedulerPolicy::greedy_then_oldest, false) == Slots{0, 0, 0, 0, 0, 0});
    REQUIRE(order(WarpSchedulerPolicy::greedy_then_oldest, true) == Slots{0, 1, 2, 1, 2, 1});
  }
  SECTION("greedy then youngest: the warp that issued last, otherwise the youngest") {
    REQUIRE(order(WarpSchedulerPolicy::greedy_then_youngest, false) == Slots{0, 0, 0, 0, 0, 0});
    REQUIRE(order(WarpSchedulerPolicy::greedy_then_youngest, true) == Slots{0, 2, 0, 2, 0, 2});
  }
  SECTION("loose round robin: the next in the order of slots") {
    REQUIRE(order(WarpSchedulerPolicy::loose_round_robin, false) == Slots{1, 2, 0, 1, 2, 0});
  }
  SECTION("two level: the next of two active warps") {
    parameters.active_warps = 2;
    REQUIRE(order(WarpSchedulerPolicy::two_level, false) == Slots{1, 2, 1, 2, 1, 2});
  }
}

TEST_CASE("scheduler: two level: another warp becomes active when an active warp waits for memory") {
  auto parameters = SchedulerBench::one_dispatch();
  parameters.policy = WarpSchedulerPolicy::two_level;
  parameters.active_warps = 1;
  SchedulerBench bench(additions(9), parameters, {0, 1});
  bench.dependent = false;
  bench.treat = [](IssueRequest& request) {
    request.from_memory = request.warp->slot == 0 && request.now == 2;
    if (request.from_memory) request.result = never;
  };
  bench.run(5);
  REQUIRE(bench.slots_issued() == Slots{0, 0, 0, 1, 1});
}

TEST_CASE("scheduler: two level: a warp that waits for memory is also replaced after its fetch") {
  auto parameters = SchedulerBench::one_dispatch();
  parameters.policy = WarpSchedulerPolicy::two_level;
  parameters.active_warps = 1;
  SchedulerBench bench(additions(9), parameters, {0, 1}, 2);
  bench.dependent = false;
  bench.fetch.serve = [](FetchRequest& request) {
    request.ready = request.slot == 0 && !request.begins ? never : request.now;
  };
  bench.treat = [](IssueRequest& request) {
    request.from_memory = request.warp->slot == 0 && request.now == 1;
    if (request.from_memory) request.result = 20;
  };
  bench.run(5);
  REQUIRE(bench.slots_issued() == Slots{0, 0});
  REQUIRE(bench.scheduler.next_event() >= 20);
  bench.scheduler.fetched(bench.warp(), 7);
  bench.run(7);
  REQUIRE(bench.cycles_issued() == Cycles{0, 1, 5, 6});
  REQUIRE(bench.slots_issued() == Slots{0, 0, 1, 1});
}

TEST_CASE("scheduler: a refused instruction is offered again when it may be accepted") {
  const bool pipe = GENERATE(true, false);
  SchedulerBench bench(additions(9));
  const Cycle retry = pipe ? GENERATE(Cycle{5}, never) : 5;
  bench.treat = [&](IssueRequest& request) {
    if (request.now >= 5) return;
    request.refusal = pipe ? Refusal::pipe : Refusal::collector;
    request.retry = retry;
  };
  bench.run(5);
  REQUIRE(bench.issued.empty());
  REQUIRE(bench.collector.seen.size() == 1);
  REQUIRE(bench.slots(pipe ? Cause::pipe : Cause::collector) == 5);
  REQUIRE(bench.warp().path.pc == 0);
  REQUIRE(bench.scheduler.next_event() == retry);
  if (retry == never) bench.scheduler.retry_pipes(5);
  bench.run(6);
  REQUIRE(bench.cycles_issued() == Cycles{5});
}

TEST_CASE("scheduler: after a refusal for all warps, no warp offers an instruction before the retry") {
  SchedulerBench bench(additions(9), SchedulerBench::one_dispatch(), {0, 1});
  const Cycle retry = GENERATE(Cycle{5}, never);
  bench.treat = [&](IssueRequest& request) {
    if (request.now >= 5) return;
    request.refusal = Refusal::pipe;
    request.refused = Refused::all;
    request.retry = retry;
  };
  bench.run(5);
  REQUIRE(bench.collector.seen.size() == 1);
  REQUIRE(bench.slots(Cause::pipe) == 5);
  REQUIRE(bench.scheduler.next_event() == retry);
  if (retry == never) bench.scheduler.retry_pipes(5);
  bench.run(7);
  REQUIRE(bench.slots_issued() == Slots{0, 1});
  REQUIRE(bench.cycles_issued() == Cycles{5, 6});
}

TEST_CASE("scheduler: after a refusal by the load/store unit no other memory instruction is offered") {
  SchedulerBench bench("ld.global.u32 %r1, [%rd1];\nadd.u32 %r2, %r2, %r2;", SchedulerBench::one_dispatch(), {0, 1, 2});
  bench.warp(2).path.pc = 1;
  bench.scheduler.resume(bench.warp(2), 0, 0);
  bench.treat = [](IssueRequest& request) {
    if (!request.decoded->memory || request.now >= 3) return;
    request.refusal = Refusal::pipe;
    request.refused = Refused::memory;
    request.retry = 3;
  };
  bench.run(3);
  REQUIRE(bench.slots_issued() == Slots{2});
  REQUIRE(bench.collector.seen.size() == 2);
  bench.run(5);
  REQUIRE(bench.slots_issued() == Slots{2, 0, 1});
  REQUIRE(bench.cycles_issued() == Cycles{0, 3, 4});
}

TEST_CASE("scheduler: a load/store unit that announces the retry is not asked before") {
  SchedulerBench bench("ld.global.u32 %r1, [%rd1];\nadd.u32 %r2, %r2, %r2;", SchedulerBench::one_dispatch(), {0, 1, 2});
  bench.treat = [](IssueRequest& request) {
    if (!request.decoded->memory || request.now >= 6) return;
    request.refusal = Refusal::pipe;
    request.refused = Refused::memory;
    request.retry = never;
  };
  bench.scheduler.resume(bench.warp(2), 0, 3);
  bench.run(5);
  // The warp that starts later waits with the others.
  REQUIRE(bench.collector.seen.size() == 1);
  REQUIRE(bench.slots(Cause::pipe) == 5);
  REQUIRE(bench.scheduler.next_event() == never);
  // The unit has no room yet.
  bench.scheduler.retry_pipes(5);
  bench.run(6);
  REQUIRE(bench.collector.seen.size() == 2);
  bench.scheduler.retry_pipes(6);
  bench.run(9);
  REQUIRE(bench.slots_issued() == Slots{0, 1, 2});
  REQUIRE(bench.cycles_issued() == Cycles{6, 7, 8});
}

TEST_CASE("scheduler: no memory instruction is sent before the load/store unit has room") {
  SchedulerBench bench("ld.global.u32 %r1, [%rd1];\nadd.u32 %r2, %r2, %r2;", SchedulerBench::one_dispatch(), {0, 1, 2});
  bench.warp(2).path.pc = 1;
  bench.scheduler.resume(bench.warp(2), 0, 0);
  SECTION("at a known time") {
    bench.sm.room = 3;
    bench.run(3);
  }
  SECTION("at a time that the SM reports") {
    bench.sm.room = never;
    bench.run(3);
    bench.sm.room = 3;
    bench.scheduler.retry_pipes(3);
  }
  REQUIRE(bench.slots_issued() == Slots{2});
  REQUIRE(bench.collector.seen.size() == 1);
  bench.run(5);
  REQUIRE(bench.slots_issued() == Slots{2, 0, 1});
  REQUIRE(bench.cycles_issued() == Cycles{0, 3, 4});
}

TEST_CASE("scheduler: another warp may issue in the cycle in which a warp begins") {
  SchedulerBench bench(additions(9), SchedulerBench::one_dispatch(), {0, 1});
  bench.dependent = false;
  bench.run(2);
  bench.scheduler.resume(bench.warp(1), 2, 9);
  bench.run(4);
  REQUIRE(bench.slots_issued() == Slots{0, 0, 0, 0});
  REQUIRE(bench.cycles_issued() == Cycles{0, 1, 2, 3});
}

TEST_CASE("scheduler: if one warp is refused, another issues in the same cycle") {
  SchedulerBench bench(additions(9), SchedulerBench::one_dispatch(), {0, 1});
  bench.treat = [](IssueRequest& request) {
    if (request.warp->slot != 0) return;
    request.refusal = Refusal::collector;
    request.retry = 9;
  };
  bench.run(2);
  REQUIRE(bench.slots_issued() == Slots{1});
  REQUIRE(bench.slots(Cause::issued) == 1);
  REQUIRE(bench.slots(Cause::collector) == 1);  // cycle 1, in which the other warp waits for its result
}

TEST_CASE("scheduler: a warp waits for a load with an unknown time until it is written back") {
  SchedulerBench bench("ld.global.u32 %r1, [%rd1];\nadd.u32 %r2, %r1, %r1;\nst.global.u32 [%rd1], %r2;");
  bench.results.serve = [](ResultRequest& request) { ++request.result; };  // a bank was busy
  bench.run(20);
  REQUIRE(bench.cycles_issued() == Cycles{0});
  REQUIRE(bench.slots(Cause::memory) == 19);
  REQUIRE(bench.scheduler.next_event() == never);
  bench.scheduler.write_back({0, {}, 0, all_lanes, 30, 20});
  REQUIRE(bench.results.seen.size() == 1);
  REQUIRE(bench.results.seen[0].result == 30);
  REQUIRE(bench.results.seen[0].decoded == &bench.image.decoded(0));
  const auto& query = bench.scoreboard.seen.back();
  REQUIRE(query.written_back);
  REQUIRE(query.result == 31);
  REQUIRE(query.issued == &bench.image.decoded(0));
  REQUIRE(query.next == &bench.image.decoded(1));
  bench.run(32);
  REQUIRE(bench.cycles_issued() == Cycles{0, 31});
}

TEST_CASE("scheduler: a warp requests instructions group by group, and waits for them") {
  SchedulerBench bench(additions(9), SchedulerBench::one_dispatch(), {0}, 2);
  bench.dependent = false;
  REQUIRE(bench.fetch.seen.size() == 1);
  REQUIRE(bench.fetch.seen[0].begins);
  REQUIRE(bench.fetch.seen[0].pc == 0);
  bench.fetch.serve = [](FetchRequest& request) { request.ready = never; };
  bench.run(6);
  // The first two instructions are available. The next group is requested after the second, in cycle 1.
  REQUIRE(bench.cycles_issued() == Cycles{0, 1});
  REQUIRE(bench.fetch.seen.size() == 2);
  REQUIRE_FALSE(bench.fetch.seen[1].begins);
  REQUIRE(bench.fetch.seen[1].pc == 2);
  REQUIRE(bench.fetch.seen[1].now == 1);
  REQUIRE(bench.slots(Cause::fetch) == 4);
  bench.scheduler.fetched(bench.warp(), 7);
  REQUIRE(bench.scheduler.next_event() == 7);
  bench.run(8);
  REQUIRE(bench.cycles_issued() == Cycles{0, 1, 7});
}

TEST_CASE("scheduler: a new warp has an empty buffer, regardless of the previous warp") {
  SchedulerBench bench("add.u32 %r1, %r1, 1;\nadd.u32 %r2, %r2, 1;", SchedulerBench::one_dispatch(), {0}, 2);
  bench.run(20);
  REQUIRE(bench.warp().live == 0);
  const std::size_t asked = bench.fetch.seen.size();
  bench.warp().live = all_lanes;
  bench.warp().age = 1;
  bench.warp().path = {0, all_lanes, kernel::no_pc};
  bench.scheduler.resume(bench.warp(), 20, 20);
  REQUIRE(bench.fetch.seen.size() == asked + 1);
  REQUIRE(bench.fetch.seen.back().begins);
  REQUIRE(bench.fetch.seen.back().pc == 0);
}

TEST_CASE("scheduler: a buffer that drains is filled after its last instruction or a jump") {
  // 0 to 3 in pairs; the branch at 3 ends a pair and jumps over 4 and 5; the branch at 6 starts one.
  SchedulerBench bench(
      "add.u32 %r1, %r1, 1;\nadd.u32 %r2, %r2, 1;\nadd.u32 %r1, %r1, 1;\nbra A;\nadd.u32 %r1, %r1, 1;\n"
      "add.u32 %r2, %r2, 1;\nA:\nbra B;\nadd.u32 %r1, %r1, 1;\nB:\nadd.u32 %r2, %r2, 1;",
      SchedulerBench::one_dispatch(), {0}, 2, {}, InstructionBuffer::drained);
  bench.dependent = false;
  bench.treat = [](IssueRequest& request) {
    if (request.decoded->flow == Flow::branch) request.result = request.now + 1;
  };
  bench.fetch.serve = [](FetchRequest& request) { request.ready = request.now + 2; };
  bench.scheme.serve = [](SchemeRequest& request) {
    if (request.event != SchemeEvent::branch) return;
    request.path.pc = request.instruction->target;
    request.answer = SchemeAnswer::run;
  };
  bench.run(12);
  const auto& seen = bench.fetch.seen;
  REQUIRE(seen.size() >= 4);
  REQUIRE(seen[0].pc == 0);
  REQUIRE(seen[1].pc == 2);
  REQUIRE(seen[1].past == kernel::no_pc);
  REQUIRE(seen[2].pc == 6);
  REQUIRE(seen[2].past == 4);  // fetched without being executed
  REQUIRE(seen[3].pc == 8);
  REQUIRE(seen[3].past == kernel::no_pc);  // 7 was in the buffer and is discarded
}

TEST_CASE("scheduler: the scheme is notified of branches, reconvergence and ended threads, the SM of ended threads") {
  SchedulerBench bench("setp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;\nadd.u32 %r1, %r1, 1;\nL:\nadd.u32 %r1, %r1, 1;");
  bench.dependent = false;
  const kernel::Instruction& branch = bench.image.instruction(1);
  REQUIRE(branch.opcode == kernel::Opcode::bra);
  bench.warps[0]->predicate(branch.guard) = 0xff;
  bench.warp().path.stop = 3;
  bench.run(20);
  const auto& seen = bench.scheme.seen;
  REQUIRE(seen.size() == 3);
  REQUIRE(seen[0].event == SchemeEvent::branch);
  REQUIRE(seen[0].lanes == 0xff);
  REQUIRE(seen[0].pc == 1);
  REQUIRE(seen[0].now == 1);
  REQUIRE(seen[1].event == SchemeEvent::stop);
  REQUIRE(seen[1].lanes == all_lanes);
  REQUIRE(seen[1].now == 5);
  REQUIRE(seen[2].event == SchemeEvent::exit);
  REQUIRE(bench.sm.ended.size() == 1);
  // The next instruction is known when the branch completes.
  REQUIRE(bench.cycles_issued() == Cycles{0, 1, 5, 6, 7});
  REQUIRE(bench.scheduler.statistics().active_lanes[32] == bench.issued.size());
}

TEST_CASE("scheduler: slots of a scheduler whose warps have ended are empty") {
  SchedulerBench bench("");
  bench.run(10);
  REQUIRE(bench.cycles_issued() == Cycles{0});
  REQUIRE(bench.sm.ended.size() == 1);
  REQUIRE(bench.sm.ended[0].warp == &bench.warp());
  REQUIRE(bench.sm.ended[0].lanes == all_lanes);
  REQUIRE(bench.sm.ended[0].now == 0);
  REQUIRE(bench.slots(Cause::empty) == 9);
  REQUIRE(bench.scheduler.next_event() == never);
  bench.warp().live = all_lanes;
  bench.warp().path = {0, all_lanes, kernel::no_pc};
  bench.warp().age = 1;
  bench.scheduler.resume(bench.warp(), 10, 12);
  bench.run(20);
  REQUIRE(bench.cycles_issued() == Cycles{0, 12});
}

TEST_CASE("scheduler: a warp waits at a barrier until the SM resumes it") {
  SchedulerBench bench("bar.sync 0;\nadd.u32 %r1, %r1, 3;");
  bench.run(10);
  REQUIRE(bench.cycles_issued() == Cycles{0});
  REQUIRE(bench.sm.at_barrier.size() == 1);
  REQUIRE(bench.sm.at_barrier[0].lanes == all_lanes);
  REQUIRE(bench.warp().at_barrier);
  REQUIRE(bench.slots(Cause::barrier) == 9);
  REQUIRE(bench.scheme.seen.back().event == SchemeEvent::wait);
  bench.warp().at_barrier = false;
  bench.scheduler.resume(bench.warp(), 10, 11);
  bench.run(12);
  REQUIRE(bench.cycles_issued() == Cycles{0, 11});
}

}  // namespace reconverge

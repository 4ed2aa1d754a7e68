// SPDX-License-Identifier: Apache-2.0
// The load/store unit through its sockets: its queue, lines that a cache holds, and later responses.

#include "tests/unit/sm/load_store_bench.hpp"

namespace reconverge {

using kernel::Space;
using tests::LoadStoreBench;
using Answer = tests::MemoryStandIn::Answer;

TEST_CASE("load/store: the unit holds a limited number of instructions and executes them in order") {
  LoadStoreBench bench;
  bench.access(Space::shared, 4, [](unsigned lane) { return DeviceAddress{16} * lane; });  // four cycles each
  REQUIRE(bench.issue(10).refusal == Refusal::none);                                       // until 14
  const auto second = bench.issue(11);
  REQUIRE(second.refusal == Refusal::none);
  REQUIRE(second.result == never);
  REQUIRE(bench.unit.next_event() == 14);
  auto ask = bench.request(11);
  ask.only_ask = true;
  for (const auto& request : {bench.issue(11), bench.collector.send(ask)}) {
    REQUIRE(request.refusal == Refusal::pipe);
    REQUIRE(request.retry == 14);
  }
  REQUIRE(bench.statistics().instructions[LoadStoreInstructions::shared] == 2);
  bench.unit.tick(14);
  REQUIRE(bench.writeback.seen.size() == 1);
  const auto& result = bench.writeback.seen[0];
  REQUIRE(result.result == 14 + 3 + LoadStoreBench::shared_latency);
  REQUIRE(result.slot == LoadStoreBench::slot);
  REQUIRE(result.pc == LoadStoreBench::pc);
  REQUIRE(result.lanes == LoadStoreBench::active);
  REQUIRE(bench.unit.next_event() == never);
  ask.now = 14;
  REQUIRE(bench.collector.send(ask).refusal == Refusal::none);
  REQUIRE(bench.unit.next_event() == never);  // the instruction that asks has not issued
  REQUIRE_FALSE(bench.unit.take_relief());
}

TEST_CASE("load/store: a shared pipeline issues nothing while the unit or an answer has the slot") {
  auto parameters = LoadStoreBench::simple();
  parameters.queue = 1;
  parameters.pipeline = LoadStorePipeline::shared;
  LoadStoreBench bench(parameters);
  bench.data.answer = Answer::later;
  bench.lines(3);
  REQUIRE(bench.issue(10).refusal == Refusal::none);
  // An instruction for another pipe asks, too, and then has the slot.
  const auto retry = [&](Cycle now) {
    auto ask = bench.request(now);
    ask.only_ask = true;
    const IssueRequest asked = bench.collector.send(ask);
    return asked.refusal == Refusal::pipe ? asked.retry : 0;
  };
  for (Cycle now = 11; now < 13; ++now) REQUIRE(retry(now) == 13);
  REQUIRE(retry(13) == 0);
  bench.data.respond(0, 20);
  bench.data.respond(1, 20);
  bench.data.respond(2, 13);
  REQUIRE(bench.writeback.seen.size() == 1);
  REQUIRE(bench.writeback.seen[0].result == 21);
  REQUIRE(retry(14) == 15);
  REQUIRE(retry(15) == 0);
  REQUIRE(retry(20) == 21);
  REQUIRE(retry(21) == 22);
  REQUIRE(retry(22) == 0);
  REQUIRE(bench.statistics().answer_slots == 3);
}

TEST_CASE("load/store: an instruction has its turn when it has its operands") {
  LoadStoreBench bench;
  auto late = bench.request(10);
  late.operands = 15;
  REQUIRE(bench.collector.send(late).result == 15 + LoadStoreBench::cache_latency);
  REQUIRE(bench.data.only().arrival == 15);
  REQUIRE(bench.issue(12).result == never);  // issued later, after it
  REQUIRE(bench.unit.next_event() == 16);
  bench.unit.tick(16);
  REQUIRE(bench.data.only().arrival == 16);
}

TEST_CASE("load/store: a result of unknown time is written back when all its lines have arrived") {
  LoadStoreBench bench;
  bench.data.answer = Answer::later;
  bench.lines(3);
  REQUIRE(bench.issue(10).result == never);
  bench.data.respond(2, 90);
  bench.data.respond(0, 70);
  REQUIRE(bench.writeback.seen.empty());
  bench.data.respond(1, 80);
  REQUIRE(bench.writeback.seen.size() == 1);
  REQUIRE(bench.writeback.seen[0].result == 90);
  REQUIRE(bench.writeback.seen[0].pc == LoadStoreBench::pc);
}

TEST_CASE("load/store: a line that the cache does not accept yet stalls all later lines") {
  LoadStoreBench bench;
  bench.lines(3);
  bench.data.answer = Answer::hold;
  REQUIRE(bench.issue(10).result == never);
  REQUIRE(bench.unit.held());
  REQUIRE(bench.data.seen().size() == 1);
  // The held instruction counts as one of the two that the unit holds.
  REQUIRE(bench.issue(11).refusal == Refusal::none);
  const auto refused = bench.issue(12);
  REQUIRE(refused.refusal == Refusal::pipe);
  REQUIRE(refused.retry == never);
  REQUIRE_FALSE(bench.unit.take_relief());
  REQUIRE(bench.unit.next_event() == never);
  // The other two lines follow in the cycles after the one in which it is accepted.
  bench.data.answer = Answer::at_once;
  bench.data.take(0, 30);
  REQUIRE_FALSE(bench.unit.held());
  REQUIRE(bench.unit.take_relief());
  REQUIRE_FALSE(bench.unit.take_relief());
  REQUIRE(bench.data.seen().size() == 3);
  REQUIRE(bench.data.seen()[1].arrival == 31);
  REQUIRE(bench.data.seen()[2].arrival == 32);
  REQUIRE(bench.statistics().blocked_cycles == 20);
  REQUIRE(bench.writeback.seen.empty());
  bench.data.respond(0, 100);
  REQUIRE(bench.writeback.seen.size() == 1);
  REQUIRE(bench.writeback.seen[0].result == 100);
  // Then the waiting one has its turn.
  REQUIRE(bench.unit.next_event() == 33);
  bench.unit.tick(33);
  REQUIRE(bench.data.seen().at(3).arrival == 33);
  REQUIRE(bench.writeback.seen.at(1).result == 35 + LoadStoreBench::cache_latency);
}

TEST_CASE("load/store: a line held by one cache stalls lines of another") {
  LoadStoreBench bench;
  bench.constant.answer = Answer::hold;
  bench.access(Space::constant, 4, [](unsigned /*lane*/) { return 0; });
  bench.issue(10);
  bench.lines(1);
  bench.issue(11);
  REQUIRE(bench.data.seen().empty());
  bench.constant.take(0, 20);
  REQUIRE(bench.unit.next_event() == 21);
  bench.unit.tick(21);
  REQUIRE(bench.data.only().arrival == 21);
}

TEST_CASE("load/store: independent lanes have separate ports and are never refused") {
  auto parameters = LoadStoreBench::simple();
  parameters.queue = 1;
  LoadStoreBench bench(parameters);
  bench.lines(16);
  auto half = bench.request(10);
  half.queued = true;
  half.lanes = 0xffff;
  REQUIRE(bench.collector.send(half).result == 10 + LoadStoreBench::cache_latency);
  for (const auto& request : bench.data.seen()) REQUIRE(request.arrival == 10);
  // With the second half of a warp the unit has a cycle's work; the third waits for the next.
  REQUIRE(bench.collector.send(half).result == 10 + LoadStoreBench::cache_latency);
  REQUIRE(bench.collector.send(half).result == never);
  REQUIRE(bench.collector.send(half).refusal == Refusal::none);
  REQUIRE(bench.unit.next_event() == 11);
  bench.unit.tick(11);
  REQUIRE(bench.writeback.seen.size() == 2);
  REQUIRE(bench.writeback.seen[1].result == 11 + LoadStoreBench::cache_latency);
}

}  // namespace reconverge

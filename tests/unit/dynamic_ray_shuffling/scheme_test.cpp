// SPDX-License-Identifier: Apache-2.0
// Dynamic ray shuffling through its sockets: the answer to a warp's rdctrl, the registers that rdctrl reads and writes,
// and the accesses of background swaps to register banks.

#include "tests/unit/dynamic_ray_shuffling/shuffling_bench.hpp"

namespace reconverge::tests {
namespace {

using Bench = ShufflingBench<RayShuffler>;
using kernel::Bank;

}  // namespace

TEST_CASE("shuffling: the block accepts rdctrl and reports once it has started") {
  Bench bench;
  bench.scheme.begin({bench.launch, bench.image, 2});
  CHECK(bench.scheme.next_event() == 0);
  // One cycle for each row (two of the warps, one of backup rays, two empty) and one more.
  const Cycle start = bench.now;
  const Cycle started = start + 5 + 1;
  for (; bench.now < started; bench.end_cycle()) {
    for (const kernel::Pc pc : {rdctrl, set_state}) {
      const SchemeRequest answered = bench.ask(0, pc);
      CHECK(answered.answer == SchemeAnswer::wait);
      CHECK(answered.until == bench.now + 1);
    }
  }
  CHECK(bench.statistics().control_reads == 0);
  CHECK(bench.ask(0, set_state).answer == SchemeAnswer::keep);
  CHECK(bench.ask(0, rdctrl).answer == SchemeAnswer::wait);
  CHECK(bench.statistics().control_reads == 1);
}

TEST_CASE("shuffling: a warp gets its answer after the latency, and keeps it until it issues") {
  Bench bench;
  const Cycle asked = bench.now;
  const Cycle answered = asked + control_latency + 1;
  const auto first = bench.ask(0);
  CHECK(first.answer == SchemeAnswer::wait);
  CHECK(first.until == answered);
  CHECK(bench.scheme.next_event() == asked);
  // The block works on one rdctrl at a time: the other warp asks again.
  const auto second = bench.ask(1);
  CHECK(second.answer == SchemeAnswer::wait);
  CHECK(second.until == answered);
  while (bench.now + 1 < answered) bench.end_cycle();
  CHECK(bench.rows.seen.empty());
  CHECK(bench.ask(0).until == answered);
  bench.end_cycle();
  REQUIRE(bench.rows.seen.size() == 1);
  CHECK(bench.rows.seen[0].bank == Bank::special);
  CHECK(bench.rows.seen[0].row == state_row);
  CHECK(bench.rows.seen[0].write == all_lanes);
  CHECK(bench.rows.seen[0].words[31] == static_cast<std::uint32_t>(RayState::fetch));
  CHECK(bench.ask(0).answer == SchemeAnswer::keep);
  // The warp's pipe is busy, so the warp asks again.
  bench.end_cycle();
  CHECK(bench.ask(0).answer == SchemeAnswer::keep);
  CHECK(bench.statistics().control_reads == 1);
  CHECK(bench.rows.seen.size() == 1);
  bench.tell(SchemeEvent::issued, 0, all_lanes, bench.now);
  bench.end_cycle();
  CHECK(bench.ask(0).answer == SchemeAnswer::wait);
  CHECK(bench.statistics().control_reads == 2);
}

TEST_CASE("shuffling: a warp asks in every cycle while its answer is delayed") {
  Bench bench;
  // The rdctrl waits for the other warp's report, which the block accepted one cycle earlier.
  bench.report(1, all_lanes, RayState::fetch);
  const Cycle asked = bench.now;
  const Cycle late = report_latency - 2;
  bench.end_until(bench.ask(0).until);
  CHECK(bench.now == asked + control_latency + 1);
  for (; bench.now < asked + control_latency + 1 + late; bench.end_cycle()) {
    const auto answered = bench.ask(0);
    CHECK(answered.answer == SchemeAnswer::wait);
    CHECK(answered.until == bench.now + 1);
  }
  CHECK(bench.ask(0).answer == SchemeAnswer::keep);
}

TEST_CASE("shuffling: an ideal block answers at once") {
  ShufflingBench<IdealShuffler> bench;
  CHECK(bench.ask(0).answer == SchemeAnswer::keep);
  const auto second = bench.ask(1);
  CHECK(second.answer == SchemeAnswer::wait);
  CHECK(second.until == bench.now + 1);
  bench.end_cycle();
  CHECK(bench.ask(1).answer == SchemeAnswer::keep);
}

TEST_CASE("shuffling: the block works on one report at a time") {
  Bench bench;
  const Cycle reported = bench.now;
  bench.report(0, all_lanes, RayState::inner);
  for (; bench.now < reported + report_latency; bench.end_cycle()) {
    const auto second = bench.ask(1, set_state);
    CHECK(second.answer == SchemeAnswer::wait);
    CHECK(second.until == bench.now + 1);
  }
  CHECK(bench.ask(1, set_state).answer == SchemeAnswer::keep);
}

TEST_CASE("shuffling: a warp with rays in different states gets a new row and its registers") {
  Bench bench;
  bench.part_the_second();
  bench.ray_register(1, 0).fill(100);
  bench.ray_register(1, 1).fill(200);
  bench.rows.seen.clear();
  CHECK(bench.control(1) == SchemeAnswer::keep);
  // Five accesses: reads of the warp's two registers, writes of two registers of new rays, and a write of their states.
  REQUIRE(bench.rows.seen.size() == 5);
  CHECK(bench.rows.seen[0].write == 0);
  CHECK(bench.rows.seen[1].write == 0);
  CHECK(bench.rows.seen[4].bank == Bank::special);
  CHECK(bench.ray_register(1, 0)[0] == 0);
  CHECK(bench.ray_register(1, 1)[31] == 0);
  // Swaps then continue in the background, through free banks.
  CHECK(bench.scheme.next_event() == bench.now);
  bench.report(1, all_lanes, RayState::inner);
  bench.run_until_idle();
  REQUIRE_FALSE(bench.bank.seen.empty());
  CHECK(bench.bank.seen[0].row == bench.program.extension_registers[0]);
  CHECK(bench.statistics().swaps > 0);
}

TEST_CASE("shuffling: no ray moves while banks are busy") {
  Bench bench;
  bench.bank.serve = [](BankRequest& /*request*/) {};
  bench.part_the_second();
  bench.control(1);
  bench.report(1, all_lanes, RayState::inner);
  for (unsigned i = 0; i < 100; ++i) bench.end_cycle();
  CHECK(bench.statistics().swaps == 0);
  CHECK(bench.scheme.next_event() == bench.now);
  bench.bank.serve = [](BankRequest& request) { request.granted = true; };
  bench.run_until_idle();
  CHECK(bench.statistics().swaps > 0);
}

TEST_CASE("shuffling: a warp without a uniform row waits for one and retries") {
  Bench bench;
  bench.part_the_second();
  bench.control(1);
  bench.report(1, all_lanes, RayState::inner);
  bench.run_until_idle();
  bench.report(1, all_lanes >> 3U, RayState::leaf);
  bench.run_until_idle();
  bench.retries.seen.clear();
  const auto asked = bench.ask(1);
  CHECK(asked.until == bench.now + control_latency + 1);
  bench.end_until(asked.until);
  CHECK(bench.statistics().stalls == 1);
  const auto stalled = bench.ask(1);
  CHECK(stalled.answer == SchemeAnswer::wait);
  CHECK(stalled.until == never);
  CHECK(stalled.cause == 0);
  CHECK(bench.statistics().control_reads == bench.statistics().kept_rows + bench.statistics().renamings + 1);
  for (unsigned i = 0; i < 1000 && bench.retries.seen.empty(); ++i) bench.end_cycle();
  REQUIRE(bench.retries.seen.size() == 1);
  CHECK(bench.retries.seen[0].cause == 0);
  CHECK(bench.retries.seen[0].cycle == bench.now);
  CHECK(bench.control(1) == SchemeAnswer::keep);
}

TEST_CASE("shuffling: a launch begins without requests of the previous one") {
  Bench bench;
  bench.ask(0);
  bench.end_cycle();
  bench.scheme.begin({bench.launch, bench.image, 2});
  bench.run_until_idle();
  bench.rows.seen.clear();
  CHECK(bench.ask(1).until == bench.now + control_latency + 1);
  bench.end_until(bench.now + control_latency + 1);
  CHECK(bench.ask(1).answer == SchemeAnswer::keep);
  REQUIRE(bench.rows.seen.size() == 1);
  CHECK(bench.rows.seen[0].slot == 1);
}

TEST_CASE("shuffling: rdctrl in a warp that has lost a lane is an error at its line") {
  Bench bench;
  bench.paths[0].lanes = all_lanes & ~lane_bit(5);
  CHECK_THROWS_WITH(bench.ask(0),
                    "t.ptx:3: rdctrl without lane 5, which has ended or is elsewhere, in kernel 'k' (block 0, warp 0)");
}

TEST_CASE("shuffling: a kernel without rdctrl leaves all registers to its warps") {
  Bench bench;
  const std::uint64_t taken = RayShuffler::extra_registers(shuffling_parameters());
  CHECK(taken > 0);
  CHECK(bench.scheme.registers_taken(bench.program) == taken);
  CHECK(bench.scheme.registers_taken(kernel_of("add.u32 %r1, %r1, 3;")) == 0);
}

}  // namespace reconverge::tests

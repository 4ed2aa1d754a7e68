// SPDX-License-Identifier: Apache-2.0
// Dynamic ray shuffling through its sockets: the response to a warp's rdctrl, the registers that rdctrl reads and
// writes, and the use of register banks in the meantime.

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>

#include "models/core/error.hpp"
#include "models/schemes/dynamic_ray_shuffling/dynamic_ray_shuffling.hpp"
#include "tests/unit/sm/scheme_bench.hpp"

namespace reconverge::tests {
namespace {

using kernel::Bank;

constexpr kernel::Pc rdctrl = 0;
constexpr kernel::Pc set_state = 1;
constexpr auto state_row = static_cast<std::uint16_t>(kernel::SpecialRow::extension_1);
constexpr Cycle control_latency = RayShuffler::least_control_latency;
constexpr Cycle report_latency = RayShuffler::least_report_latency;
constexpr LaneMask three = 0b00101010;

DynamicRayShufflingParameters parameters(bool ideal = false) {
  DynamicRayShufflingParameters result;
  result.ray_registers = 2;
  result.ideal = ideal;
  return result;
}

/// Two warps that run rays of two registers, on a block that has started.
template <typename Shuffler>
struct BenchOf : SchemeBench<DynamicRayShufflingBy<Shuffler>> {
  using Base = SchemeBench<DynamicRayShufflingBy<Shuffler>>;
  using Base::at, Base::live, Base::paths, Base::scheme, Base::tell;
  using Words = std::array<std::uint32_t, warp_size>;

  BenchOf()
      : Base("rdctrl.b32 %r1, {%r2, %r3};\nmov.u32 %ray_state, %r1;\nadd.u32 %r2, %r2, %r3;",
             parameters(std::is_same_v<Shuffler, IdealShuffler>), std::size_t{2}) {
    for (const std::uint32_t slot : {0U, 1U}) paths[slot] = {0, live[slot] = all_lanes, kernel::no_pc};
    this->rows.serve = [this](RowRequest& request) {
      Words& words = registers[{request.slot, request.bank, request.row}];
      if (request.write == 0) request.words = words;
      for_each_lane(request.write, [&](unsigned lane) { words[lane] = request.words[lane]; });
    };
    this->bank.serve = [](BankRequest& request) { request.granted = true; };
    run_until_idle();
  }

  SchemeRequest ask(std::uint32_t slot, kernel::Pc pc = rdctrl) {
    at(slot, pc);
    return tell(SchemeEvent::ask, slot, all_lanes, now);
  }
  /// The warp asks at rdctrl when it is due, and issues it when allowed. Ends the cycle. Returns `wait` if the warp has
  /// no row.
  SchemeAnswer control(std::uint32_t slot) {
    for (unsigned asked = 0; asked < 100; ++asked) {
      const SchemeRequest answered = ask(slot);
      if (answered.answer == SchemeAnswer::keep) tell(SchemeEvent::issued, slot, all_lanes, now);
      end_cycle();
      if (answered.answer == SchemeAnswer::keep || answered.until == never) return answered.answer;
      end_until(answered.until);
    }
    FAIL("the warp asks for ever");
    return SchemeAnswer::wait;
  }
  /// Lanes of the warp report that their rays are in this state.
  void report(std::uint32_t slot, LaneMask lanes, RayState state) {
    for (unsigned cycle = 0; ask(slot, set_state).answer != SchemeAnswer::keep; ++cycle) {
      REQUIRE(cycle < 100);
      end_cycle();
    }
    registers[{slot, Bank::special, state_row}].fill(static_cast<std::uint32_t>(state));
    tell(SchemeEvent::issued, slot, lanes, now);
    end_cycle();
  }
  void end_cycle() { scheme.tick(now++); }
  void end_until(Cycle cycle) {
    while (now < cycle) end_cycle();
  }
  void run_until_idle() {
    for (unsigned cycle = 0; cycle < 1000 && scheme.next_event() < never; ++cycle) end_cycle();
    REQUIRE(scheme.next_event() == never);
  }
  /// The words of a ray register of a slot.
  Words& ray_register(std::uint32_t slot, std::size_t number) {
    return registers[{slot, Bank::reg, this->program.extension_registers[number]}];
  }
  /// Both warps run rays at inner nodes; then three rays of the second reach leaves.
  void part_the_second() {
    for (const std::uint32_t slot : {0U, 1U}) {
      REQUIRE(control(slot) == SchemeAnswer::keep);
      report(slot, all_lanes, RayState::inner);
    }
    report(1, three, RayState::leaf);
  }

  /// The rows of both warps are mixed. That of the second and a row of no warp have 31 inner, 23 leaf and 10 fetch
  /// rays: none of the states fills a row. The first warp has five leaf and 27 inner rays.
  void mix_all_rows() {
    part_the_second();
    REQUIRE(control(1) == SchemeAnswer::keep);
    report(1, 0b11, RayState::inner);
    report(1, (LaneMask{1} << 22U) - 4, RayState::leaf);
    report(0, 0b11111, RayState::leaf);
    run_until_idle();
  }
  DynamicRayShufflingStatistics statistics() const { return scheme.statistics(); }

  std::map<std::tuple<std::uint32_t, Bank, std::uint16_t>, Words> registers;
  Cycle now = 0;
};

using Bench = BenchOf<RayShuffler>;

/// When a warp's requests are taken, from its first stall to its answer.
struct Wait {
  std::optional<Cycle> first, last;
  bool over = false;

  /// The warp asks in this cycle, which does not end. Returns the cycle in which it is due again, unless told before.
  template <typename AnyBench>
  Cycle ask(AnyBench& bench, std::uint32_t slot) {
    const std::uint64_t taken = bench.statistics().control_reads;
    const SchemeRequest answered = bench.ask(slot);
    over = answered.answer == SchemeAnswer::keep;
    if (bench.statistics().control_reads != taken) {
      last = bench.now;
      if (!first) first = last;
    }
    return answered.until;
  }
  Cycle cycles() const { return *last - *first; }
};

/// The second warp stalls, and asks when it is told to or in every cycle. 100 cycles later, the first warp releases
/// its row, with which the second gets one.
template <typename AnyBench>
Wait wait_for_row(AnyBench& bench, bool in_every_cycle) {
  bench.mix_all_rows();
  const Cycle released = bench.now + 100;
  Cycle due = 0;
  Wait wait;
  for (unsigned cycle = 0; cycle < 1000 && !wait.over; ++cycle) {
    bench.retries.seen.clear();
    if (bench.now == released) {
      bench.ask(0);
    } else if (in_every_cycle || bench.now >= due) {
      due = wait.ask(bench, 1);
    }
    bench.end_cycle();
    if (!bench.retries.seen.empty()) due = std::min(due, bench.now);
  }
  REQUIRE(wait.over);
  CHECK(*wait.last > released);
  return wait;
}

}  // namespace

TEST_CASE("shuffling: the block takes rdctrl and reports when it has started") {
  Bench bench;
  bench.scheme.begin({bench.launch, bench.image, 2});
  CHECK(bench.scheme.next_event() == 0);
  // Two rows of the warps, one of backup rays and two empty ones, and another cycle.
  const Cycle start = bench.now;
  const Cycle started = start + 5 + 1;
  for (; bench.now < started; bench.end_cycle()) {
    for (const kernel::Pc pc : {rdctrl, set_state}) {
      const SchemeRequest answered = bench.ask(0, pc);
      CHECK(answered.answer == SchemeAnswer::wait);
      CHECK(answered.until > bench.now);
      CHECK(answered.until < never);
    }
  }
  CHECK(bench.statistics().control_reads == 0);
  CHECK(bench.ask(0, set_state).answer == SchemeAnswer::keep);
  CHECK(bench.ask(0, rdctrl).answer == SchemeAnswer::wait);
  CHECK(bench.statistics().control_reads == 1);
}

TEST_CASE("shuffling: a warp has its answer after the latency, and has it until it issues") {
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
  // Its pipe is busy, so it asks again.
  bench.end_cycle();
  CHECK(bench.ask(0).answer == SchemeAnswer::keep);
  CHECK(bench.statistics().control_reads == 1);
  CHECK(bench.rows.seen.size() == 1);
  bench.tell(SchemeEvent::issued, 0, all_lanes, bench.now);
  bench.end_cycle();
  CHECK(bench.ask(0).answer == SchemeAnswer::wait);
  CHECK(bench.statistics().control_reads == 2);
}

TEST_CASE("shuffling: a warp asks in every cycle while its answer is late") {
  Bench bench;
  // The rdctrl waits for the other warp's report, which was taken in the cycle before.
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
  BenchOf<IdealShuffler> bench;
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
  // Reads its two registers, writes two of rays that no warp has worked on, and the states of these.
  REQUIRE(bench.rows.seen.size() == 5);
  CHECK(bench.rows.seen[0].write == 0);
  CHECK(bench.rows.seen[1].write == 0);
  CHECK(bench.rows.seen[4].bank == Bank::special);
  CHECK(bench.ray_register(1, 0)[0] == 0);
  CHECK(bench.ray_register(1, 1)[31] == 0);
  // Then swaps continue in the background, through free banks.
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

TEST_CASE("shuffling: a warp that gets an answer without a stall has no waiting cycles") {
  Bench bench;
  bench.control(0);
  CHECK(bench.statistics().waiting_cycles == 0);
  // The other warp's rdctrl waits for the first to be answered, and is no request yet.
  bench.ask(0);
  REQUIRE(bench.ask(1).answer == SchemeAnswer::wait);
  bench.end_cycle();
  REQUIRE(bench.control(1) == SchemeAnswer::keep);
  CHECK(bench.statistics().control_reads == 3);
  CHECK(bench.statistics().waiting_cycles == 0);
}

TEST_CASE("shuffling: waiting cycles are the stalls of a warp that asks in every cycle") {
  std::array<Cycle, 2> waited{};
  for (const bool in_every_cycle : {false, true}) {
    BenchOf<IdealShuffler> bench;
    const Wait wait = wait_for_row(bench, in_every_cycle);
    waited.at(in_every_cycle ? 1 : 0) = wait.cycles();
    CHECK(bench.statistics().waiting_cycles == wait.cycles());
    // In one cycle, the first warp asks instead, and stalls, too.
    CHECK(bench.statistics().stalls == (in_every_cycle ? wait.cycles() : 2));
  }
  CHECK(waited[0] == waited[1]);
  CHECK(waited[0] > 100);
}

TEST_CASE("shuffling: waiting cycles run from the first stalled request to the one that is answered") {
  std::array<Cycle, 2> waited{};
  for (const bool in_every_cycle : {false, true}) {
    Bench bench;
    const Wait wait = wait_for_row(bench, in_every_cycle);
    waited.at(in_every_cycle ? 1 : 0) = wait.cycles();
    CHECK(bench.statistics().waiting_cycles == wait.cycles());
    // The block takes the request of a warp that stalled only when a row may be available.
    CHECK(bench.statistics().stalls == 2);
    // The wait has ended: the next answer adds nothing.
    bench.tell(SchemeEvent::issued, 1, all_lanes, bench.now);
    bench.end_cycle();
    REQUIRE(bench.control(1) == SchemeAnswer::keep);
    CHECK(bench.statistics().waiting_cycles == wait.cycles());
  }
  CHECK(waited[0] == waited[1]);
}

TEST_CASE("shuffling: the waiting cycles of warps that wait at the same time are added") {
  Bench bench;
  bench.mix_all_rows();
  // 37 leaf and 56 inner rays: one full row of each.
  bench.report(1, all_lanes >> 3U, RayState::leaf);
  std::array<Wait, 2> waits;
  for (unsigned turn = 0; turn < 1000 && !(waits[0].over && waits[1].over); ++turn) {
    const std::uint32_t slot = turn % 2;
    if (!waits.at(slot).over) waits.at(slot).ask(bench, slot);
    bench.end_cycle();
  }
  REQUIRE((waits[0].over && waits[1].over));
  REQUIRE(std::max(*waits[0].first, *waits[1].first) < std::min(*waits[0].last, *waits[1].last));
  CHECK(bench.statistics().waiting_cycles == waits[0].cycles() + waits[1].cycles());
}

TEST_CASE("shuffling: a wait that the end of a launch leaves without an answer does not count") {
  Bench bench;
  bench.mix_all_rows();
  REQUIRE(bench.control(1) == SchemeAnswer::wait);
  bench.end_cycle();
  CHECK(bench.statistics().waiting_cycles == 0);
  bench.scheme.begin({bench.launch, bench.image, 2});
  REQUIRE(bench.control(1) == SchemeAnswer::keep);
  CHECK(bench.statistics().waiting_cycles == 0);
}

TEST_CASE("shuffling: a launch begins without the requests of the last one") {
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
  const std::uint64_t taken = RayShuffler::extra_registers(parameters());
  CHECK(taken > 0);
  CHECK(bench.scheme.registers_taken(bench.program) == taken);
  CHECK(bench.scheme.registers_taken(kernel_of("add.u32 %r1, %r1, 3;")) == 0);
}

}  // namespace reconverge::tests

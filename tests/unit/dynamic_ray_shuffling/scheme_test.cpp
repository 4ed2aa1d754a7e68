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

DynamicRayShufflingParameters parameters() {
  DynamicRayShufflingParameters result;
  result.ray_registers = 2;
  return result;
}

/// Two warps that run rays of two registers.
struct Bench : SchemeBench<DynamicRayShufflingBy<RayShuffler>> {
  using Words = std::array<std::uint32_t, warp_size>;

  Bench()
      : SchemeBench("rdctrl.b32 %r1, {%r2, %r3};\nmov.u32 %ray_state, %r1;\nadd.u32 %r2, %r2, %r3;", parameters(),
                    std::size_t{2}) {
    for (const std::uint32_t slot : {0U, 1U}) paths[slot] = {0, live[slot] = all_lanes, kernel::no_pc};
    rows.serve = [this](RowRequest& request) {
      Words& words = registers[{request.slot, request.bank, request.row}];
      if (request.write == 0) request.words = words;
      for_each_lane(request.write, [&](unsigned lane) { words[lane] = request.words[lane]; });
    };
    bank.serve = [](BankRequest& request) { request.granted = true; };
  }

  /// The warp asks at rdctrl, and issues it when allowed; the cycle ends.
  SchemeAnswer control(std::uint32_t slot) {
    at(slot, rdctrl);
    const auto asked = tell(SchemeEvent::ask, slot, all_lanes, now);
    if (asked.answer == SchemeAnswer::keep) tell(SchemeEvent::issued, slot, all_lanes, now);
    end_cycle();
    return asked.answer;
  }
  /// Lanes of the warp report that their rays are in this state.
  void report(std::uint32_t slot, LaneMask lanes, RayState state) {
    registers[{slot, Bank::special, state_row}].fill(static_cast<std::uint32_t>(state));
    at(slot, set_state);
    tell(SchemeEvent::issued, slot, lanes, now);
    end_cycle();
  }
  void end_cycle() { scheme.tick(now++); }
  void run_until_idle() {
    for (unsigned cycle = 0; cycle < 1000 && scheme.next_event() < never; ++cycle) end_cycle();
    REQUIRE(scheme.next_event() == never);
  }
  /// The words of a ray register of a slot.
  Words& ray_register(std::uint32_t slot, std::size_t number) {
    return registers[{slot, Bank::reg, program.extension_registers[number]}];
  }
  /// Both warps run rays at inner nodes; then three rays of the second reach leaves.
  void part_the_second() {
    for (const std::uint32_t slot : {0U, 1U}) {
      REQUIRE(control(slot) == SchemeAnswer::keep);
      report(slot, all_lanes, RayState::inner);
    }
    report(1, three, RayState::leaf);
  }

  /// Both warps have rays at inner nodes and leaves, and no row holds a single state.
  void mix_all_rows() {
    part_the_second();
    REQUIRE(control(1) == SchemeAnswer::keep);
    report(1, all_lanes, RayState::inner);
    run_until_idle();
    report(1, all_lanes >> 3U, RayState::leaf);
    report(0, three, RayState::leaf);
  }
  /// The warp stalls and then asks when it is told to, or in every cycle. Returns the cycles that it waited.
  Cycle wait_for_row(std::uint32_t slot, bool in_every_cycle) {
    const Cycle first = now;
    retries.seen.clear();
    REQUIRE(control(slot) == SchemeAnswer::wait);
    for (unsigned cycle = 0; cycle < 1000; ++cycle) {
      const Cycle asked = now;
      if (!in_every_cycle && retries.seen.empty()) {
        end_cycle();
      } else if (control(slot) == SchemeAnswer::keep) {
        return asked - first;
      }
    }
    FAIL("no row in 1000 cycles");
    return 0;
  }
  std::uint64_t waiting_cycles() const { return scheme.statistics().waiting_cycles; }

  static constexpr LaneMask three = 0b00101010;
  std::map<std::tuple<std::uint32_t, Bank, std::uint16_t>, Words> registers;
  Cycle now = 0;
};

}  // namespace

TEST_CASE("shuffling: one warp a cycle has its answer, and has it until it issues") {
  Bench bench;
  CHECK(bench.tell(SchemeEvent::ask, 0, all_lanes, 3).answer == SchemeAnswer::keep);
  CHECK(bench.scheme.next_event() == 3);
  REQUIRE(bench.rows.seen.size() == 1);
  CHECK(bench.rows.seen[0].bank == Bank::special);
  CHECK(bench.rows.seen[0].row == state_row);
  CHECK(bench.rows.seen[0].write == all_lanes);
  CHECK(bench.rows.seen[0].words[31] == static_cast<std::uint32_t>(RayState::fetch));
  const auto second = bench.tell(SchemeEvent::ask, 1, all_lanes, 3);
  CHECK(second.answer == SchemeAnswer::wait);
  CHECK(second.until == 4);
  // Its pipe was busy, so it asks again.
  CHECK(bench.tell(SchemeEvent::ask, 0, all_lanes, 5).answer == SchemeAnswer::keep);
  CHECK(bench.rows.seen.size() == 1);
  bench.tell(SchemeEvent::issued, 0, all_lanes, 5);
  bench.tell(SchemeEvent::ask, 0, all_lanes, 6);
  CHECK(bench.rows.seen.size() == 2);
}

TEST_CASE("shuffling: one warp a cycle reports the states of its rays") {
  Bench bench;
  bench.control(0);
  bench.at(0, set_state);
  bench.at(1, set_state);
  bench.tell(SchemeEvent::issued, 0, all_lanes, 7);
  const auto second = bench.tell(SchemeEvent::ask, 1, all_lanes, 7);
  CHECK(second.answer == SchemeAnswer::wait);
  CHECK(second.until == 8);
  CHECK(bench.tell(SchemeEvent::ask, 1, all_lanes, 8).answer == SchemeAnswer::keep);
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
  CHECK(bench.scheme.statistics().swaps > 0);
}

TEST_CASE("shuffling: no ray moves while banks are busy") {
  Bench bench;
  bench.bank.serve = [](BankRequest& /*request*/) {};
  bench.part_the_second();
  bench.control(1);
  bench.report(1, all_lanes, RayState::inner);
  for (unsigned i = 0; i < 100; ++i) bench.end_cycle();
  CHECK(bench.scheme.statistics().swaps == 0);
  CHECK(bench.scheme.next_event() == bench.now);
  bench.bank.serve = [](BankRequest& request) { request.granted = true; };
  bench.run_until_idle();
  CHECK(bench.scheme.statistics().swaps > 0);
}

TEST_CASE("shuffling: a warp without a uniform row waits for one and retries") {
  Bench bench;
  bench.part_the_second();
  bench.control(1);
  bench.report(1, all_lanes, RayState::inner);
  bench.run_until_idle();
  bench.report(1, all_lanes >> 3U, RayState::leaf);
  bench.retries.seen.clear();
  bench.at(1, rdctrl);
  const auto asked = bench.tell(SchemeEvent::ask, 1, all_lanes, bench.now);
  CHECK(asked.answer == SchemeAnswer::wait);
  CHECK(asked.until == never);
  CHECK(asked.cause == 0);
  for (unsigned i = 0; i < 1000 && bench.retries.seen.empty(); ++i) bench.end_cycle();
  REQUIRE(bench.retries.seen.size() == 1);
  CHECK(bench.retries.seen[0].cause == 0);
  CHECK(bench.retries.seen[0].cycle == bench.now);
  CHECK(bench.control(1) == SchemeAnswer::keep);
}

TEST_CASE("shuffling: a warp that gets an answer at once has no waiting cycles") {
  Bench bench;
  bench.control(0);
  CHECK(bench.waiting_cycles() == 0);
  // The block accepts one rdctrl in a cycle; the other warp's waits, and is no request yet.
  bench.at(0, rdctrl);
  bench.at(1, rdctrl);
  bench.tell(SchemeEvent::ask, 0, all_lanes, bench.now);
  REQUIRE(bench.tell(SchemeEvent::ask, 1, all_lanes, bench.now).answer == SchemeAnswer::wait);
  bench.end_cycle();
  REQUIRE(bench.control(1) == SchemeAnswer::keep);
  CHECK(bench.scheme.statistics().control_reads == 3);
  CHECK(bench.waiting_cycles() == 0);
}

TEST_CASE("shuffling: waiting cycles are the stalls of a warp that asks in every cycle") {
  std::array<Cycle, 2> waited{};
  for (const bool in_every_cycle : {false, true}) {
    Bench bench;
    bench.mix_all_rows();
    const std::uint64_t stalled_before = bench.scheme.statistics().stalls;
    REQUIRE(stalled_before == 0);
    waited[in_every_cycle ? 1 : 0] = bench.wait_for_row(1, in_every_cycle);
    CHECK(bench.waiting_cycles() == waited[in_every_cycle ? 1 : 0]);
    CHECK(bench.scheme.statistics().stalls == (in_every_cycle ? waited[1] : 1));
    // The wait has ended: the next answer, which comes at once, adds nothing.
    REQUIRE(bench.control(1) == SchemeAnswer::keep);
    CHECK(bench.waiting_cycles() == waited[in_every_cycle ? 1 : 0]);
  }
  CHECK(waited[0] == waited[1]);
  // More than one swap of two registers takes.
  CHECK(waited[0] > 3);
}

TEST_CASE("shuffling: the waiting cycles of warps that wait at the same time are added") {
  Bench bench;
  bench.mix_all_rows();
  std::array<std::optional<Cycle>, 2> since;
  std::array<std::optional<Cycle>, 2> until;
  // In turns, as the block accepts one request in a cycle.
  for (unsigned turn = 0; turn < 1000 && !(until[0] && until[1]); ++turn) {
    const std::uint32_t slot = turn % 2;
    const Cycle asked = bench.now;
    if (until[slot]) {
      bench.end_cycle();
    } else if (bench.control(slot) == SchemeAnswer::keep) {
      until[slot] = asked;
    } else if (!since[slot]) {
      since[slot] = asked;
    }
  }
  REQUIRE((since[0] && since[1] && until[0] && until[1]));
  REQUIRE(std::max(*since[0], *since[1]) < std::min(*until[0], *until[1]));
  CHECK(bench.waiting_cycles() == (*until[0] - *since[0]) + (*until[1] - *since[1]));
}

TEST_CASE("shuffling: a wait that the end of a launch leaves without an answer does not count") {
  Bench bench;
  bench.mix_all_rows();
  REQUIRE(bench.control(1) == SchemeAnswer::wait);
  bench.end_cycle();
  CHECK(bench.waiting_cycles() == 0);
  bench.scheme.begin({bench.launch, bench.image, 2});
  REQUIRE(bench.control(1) == SchemeAnswer::keep);
  CHECK(bench.waiting_cycles() == 0);
}

TEST_CASE("shuffling: rdctrl in a warp that has lost a lane is an error at its line") {
  Bench bench;
  bench.paths[0].lanes = all_lanes & ~lane_bit(5);
  CHECK_THROWS_WITH(bench.tell(SchemeEvent::ask, 0, all_lanes),
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

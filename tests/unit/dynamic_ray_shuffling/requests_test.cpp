// SPDX-License-Identifier: Apache-2.0
// The pipeline of the block, cycle by cycle: when it takes and answers requests, and what waits for what.

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/unit/dynamic_ray_shuffling/driven.hpp"

using namespace reconverge;
using namespace reconverge::tests;

namespace {

using Answer = RayControl::Answer;

constexpr LaneMask all = 0xFF;
constexpr LaneMask three = 0b00101010;

// Cycles from an rdctrl to its stages, if nothing delays it.
constexpr int to_look_up = 1;
constexpr int to_decide = 3;
constexpr int to_read = 4;
constexpr int to_answer = 5;
// Cycles from a report to its read of the table, and to the next report.
constexpr int report_to_read = 2;
constexpr int report_to_next = 4;
// Cycles of a choice: without a swap; from its sample to its lock, its reads and its offer. The offer also takes a
// cycle for each of the three steps that pack eight lanes.
constexpr int failed_choice = 4;
constexpr int to_lock = 4;
constexpr int to_first_read = 5;
constexpr int to_second_read = 7;
constexpr int to_offer = 10 + 3;

/// Warps of eight lanes, whose block has started and is idle.
class Block : public Alone<RayShuffler> {
 public:
  explicit Block(std::size_t warps = 2, const DynamicRayShufflingParameters& parameters = {})
      : Alone(parameters, warps, 8) {
    run_until_idle(*this);
  }
};

DynamicRayShufflingParameters with_ports(std::uint64_t ports) {
  DynamicRayShufflingParameters parameters;
  parameters.table_reads = ports;
  return parameters;
}

DynamicRayShufflingParameters with_registers(std::uint64_t registers) {
  DynamicRayShufflingParameters parameters;
  parameters.ray_registers = registers;
  return parameters;
}

/// The warp executes rdctrl in this cycle; the answer comes `cycles` later.
void check_answer(Block& block, std::size_t warp, Answer expected, Cycle cycles) {
  REQUIRE(block.takes_control());
  block.control(warp);
  for (Cycle cycle = 0; cycle < cycles; ++cycle) {
    CAPTURE(cycle);
    CHECK_FALSE(block.answer());
    CHECK_FALSE(block.takes_control());
    end_cycle(block);
  }
  REQUIRE(block.answer());
  CHECK(block.answer()->answer == expected);
  CHECK_FALSE(block.takes_control());
  end_cycle(block);
  CHECK_FALSE(block.answer());
  CHECK(block.takes_control());
  run_until_idle(block);
}

/// Three fetch rays of row 0 reach inner nodes, and warp 0 gets the backup row. Returns in the cycle in which it
/// releases row 0: the choice for leaf rays follows, and finds nothing; then that for fetch rays, which moves five to
/// the first empty row.
void release_row_0(Block& block) {
  report(block, 0, three, RayState::inner);
  run_until_idle(block);
  block.control(0);
  for (int cycle = 0; cycle < to_decide; ++cycle) end_cycle(block);
  REQUIRE(block.control_stage() == RayShuffler::ControlStage::decide);
}

/// Cycles from the release to the sample of the choice for fetch rays.
constexpr int to_fetch_sample = 1 + failed_choice;
constexpr int to_fetch_offer = to_fetch_sample + to_offer;

}  // namespace

TEST_CASE("At the start of a launch, the block takes requests after a cycle for each row and another one") {
  for (const std::size_t warps : {1U, 2U, 58U}) {
    CAPTURE(warps);
    Alone<RayShuffler> shuffler({}, warps);
    // In the first launch, and in one that interrupts the first.
    for (int launch = 0; launch < 2; ++launch) {
      for (std::size_t cycle = 0; cycle < shuffler.rows() + 1; ++cycle) {
        CHECK_FALSE(shuffler.takes_control());
        CHECK_FALSE(shuffler.takes_report());
        CHECK_FALSE(shuffler.has_answer());
        CHECK_FALSE(shuffler.idle());
        CHECK_FALSE(shuffler.answer());
        CHECK_FALSE(shuffler.read());
        CHECK_FALSE(shuffler.write());
        end_cycle(shuffler);
      }
      CHECK(shuffler.takes_control());
      CHECK(shuffler.takes_report());
      report(shuffler, 0, 0b1, RayState::leaf);
      REQUIRE(execute_rdctrl(shuffler, 0).row == warps);
      run_until(shuffler, [&] { return shuffler.read() && shuffler.write(); });
      shuffler.report(0, 0b10, uniform_row(RayState::inner));
      shuffler.control(0);
      end_cycle(shuffler);
      shuffler.begin(warps);
    }
  }
}

TEST_CASE("rdctrl is answered after its latency, in one cycle") {
  for (const Cycle latency : {RayShuffler::least_control_latency, Cycle{6}, Cycle{40}}) {
    CAPTURE(latency);
    DynamicRayShufflingParameters parameters;
    parameters.control_latency = latency;
    {
      Block block(2, parameters);
      check_answer(block, 1, Answer::row, latency);
      CHECK(block.statistics().kept_rows == 1);
      report(block, 0, all, RayState::none);
      check_answer(block, 0, Answer::row, latency);
      CHECK(block.statistics().renamings == 1);
      // An answer without a row needs no read of the table.
      report(block, 0, all, RayState::none);
      check_answer(block, 0, Answer::exit, latency - 1);
    }
    {
      Block block(2, parameters);
      report(block, 0, all, RayState::inner);
      REQUIRE(execute_rdctrl(block, 0).row == 0);
      report(block, 1, three, RayState::leaf);
      REQUIRE(execute_rdctrl(block, 1).row == 2);
      report(block, 1, three, RayState::inner);
      check_answer(block, 1, Answer::stall, latency - 1);
    }
  }
  CHECK(RayShuffler::least_control_latency == to_answer);
}

TEST_CASE("A report has its latency, and shows a cycle later") {
  for (const Cycle latency : {RayShuffler::least_report_latency, Cycle{5}, Cycle{40}}) {
    CAPTURE(latency);
    DynamicRayShufflingParameters parameters;
    parameters.report_latency = latency;
    Block block(2, parameters);
    block.report(1, three, uniform_row(RayState::leaf));
    for (Cycle cycle = 0; cycle < latency; ++cycle) {
      CHECK_FALSE(block.takes_report());
      end_cycle(block);
    }
    CHECK(block.takes_report());
    CHECK(block.table().lanes(1, RayState::fetch) == all);
    end_cycle(block);
    CHECK(block.table().lanes(1, RayState::leaf) == three);
    CHECK(block.table().lanes(1, RayState::fetch) == (all & ~three));
  }
  CHECK(RayShuffler::least_report_latency == report_to_next);
}

TEST_CASE("An rdctrl waits for a report in progress, and its read for that of a later report") {
  for (const std::uint64_t ports : {1U, 2U}) {
    // The report of another warp, in cycles from the rdctrl.
    for (int reported = -6; reported <= 6; ++reported) {
      CAPTURE(ports, reported);
      Block block(2, with_ports(ports));
      const int look_up = reported <= 0 ? std::max(to_look_up, reported + report_to_next) : to_look_up;
      int expected = look_up + to_answer - to_look_up;
      const bool meets = reported + report_to_read == look_up + to_read - to_look_up;
      if (ports == 1 && meets) ++expected;
      for (int cycle = -6; cycle <= expected; ++cycle) {
        if (cycle == reported) block.report(1, all, uniform_row(RayState::fetch));
        if (cycle == 0) block.control(0);
        CHECK(block.answer().has_value() == (cycle == expected));
        end_cycle(block);
      }
    }
  }
}

TEST_CASE("A warp's rdctrl sees its own report, however early it comes") {
  for (int later = 1; later <= 8; ++later) {
    CAPTURE(later);
    Block block;
    block.report(1, three, uniform_row(RayState::leaf));
    for (int cycle = 0; cycle < later; ++cycle) end_cycle(block);
    block.control(1);
    run_until(block, [&] { return block.answer().has_value(); });
    CHECK(block.answer()->row == 2);
    CHECK(block.answer()->states.lanes(RayState::fetch) == all);
  }
}

TEST_CASE("The decision of an rdctrl waits while a choice locks its rows") {
  // The rdctrl of warp 1, in cycles from the release of row 0.
  for (int asked = 3; asked <= 12; ++asked) {
    CAPTURE(asked);
    Block block;
    release_row_0(block);
    const bool meets = asked + to_decide == to_fetch_sample + to_lock;
    const int expected = asked + to_answer + (meets ? 1 : 0);
    for (int cycle = 0; cycle <= expected; ++cycle) {
      if (cycle == asked) {
        REQUIRE(block.takes_control());
        block.control(1);
      }
      if (cycle > asked) CHECK(block.answer().has_value() == (cycle == expected));
      end_cycle(block);
    }
    CHECK(block.statistics().kept_rows == 1);
  }
}

TEST_CASE("The reads of a choice wait for those of reports and of rdctrl") {
  for (const std::uint64_t ports : {1U, 3U}) {
    for (const bool reports : {true, false}) {
      // The request of warp 1, in cycles from the release of row 0.
      for (int asked = 3; asked <= 14; ++asked) {
        CAPTURE(ports, reports, asked);
        Block block(2, with_ports(ports));
        release_row_0(block);
        const bool locked = !reports && asked + to_decide == to_fetch_sample + to_lock;
        const int read = asked + (reports ? report_to_read : to_read + (locked ? 1 : 0));
        const bool meets = read == to_fetch_sample + to_first_read || read == to_fetch_sample + to_second_read;
        const int expected = to_fetch_offer + (ports == 1 && meets ? 1 : 0);
        for (int cycle = 0; cycle <= expected; ++cycle) {
          if (cycle == asked && reports) block.report(1, all, uniform_row(RayState::fetch));
          if (cycle == asked && !reports) block.control(1);
          CHECK((block.shuffle_control().offered() != nullptr) == (cycle == expected));
          end_cycle(block);
        }
        CHECK(block.swap() == RaySwap{0, 3, all & ~three, 0b11111, false});
      }
    }
  }
}

TEST_CASE("A choice overlaps the swap in progress") {
  Block block(3);
  // Warp 0 releases a row with three leaf rays, and warp 1 soon after it a row with five fetch rays.
  for (const std::size_t warp : {0U, 1U}) report(block, warp, warp == 0 ? all : three, RayState::inner);
  report(block, 0, three, RayState::leaf);
  run_until_idle(block);
  block.control(0);
  for (int cycle = 0; cycle < to_decide; ++cycle) end_cycle(block);
  // The first choice samples in the next cycle. The buffers take its swap in the cycle of the offer. Each of 17
  // registers is read in a cycle of its own, and written a cycle later. The swap ends in the cycle after that.
  constexpr int registers = 17;
  constexpr int offer = 1 + to_offer;
  constexpr int first_read = offer + 1;
  constexpr int ends = first_read + registers + 1;
  // The next choice samples in the cycle of the first offer.
  constexpr int next_offer = offer + to_offer;
  STATIC_REQUIRE(next_offer < ends);
  for (int cycle = 0; cycle <= ends; ++cycle) {
    CAPTURE(cycle);
    if (cycle == to_answer - to_decide + 1) block.control(1);
    CHECK((block.shuffle_control().offered() != nullptr) == (cycle == offer || cycle >= next_offer));
    CHECK(block.read().has_value() == (cycle >= first_read && cycle < first_read + registers));
    CHECK(block.write().has_value() == (cycle > first_read && cycle < ends));
    end_cycle(block);
  }
  // The next swap begins in the cycle in which the last one ends.
  CHECK(block.read() == RegisterAccess{1, 0, all & ~three});
  CHECK(block.swap() == RaySwap{1, 5, all & ~three, 0b11111, false});
}

TEST_CASE("A swap ends when its transfers are done and the table shows it") {
  for (const int registers : {1, 2, 3, 17}) {
    // The report of warp 1, whose read delays the first update of the table by a cycle.
    for (const bool reports : {false, true}) {
      CAPTURE(registers, reports);
      Block block(2, with_registers(static_cast<std::uint64_t>(registers)));
      release_row_0(block);
      const int transferred = to_fetch_offer + 1 + registers + 1;
      // Read, write, read, write.
      const int updated = to_fetch_offer + 4 + (reports ? 1 : 0);
      const int expected = std::max(transferred, updated);
      for (int cycle = 0; cycle <= expected; ++cycle) {
        CAPTURE(cycle);
        if (reports && cycle == to_fetch_offer - report_to_read) block.report(1, all, uniform_row(RayState::fetch));
        CHECK((cycle <= to_fetch_sample + to_lock) != block.shuffle_control().swapping().holds(3));
        CHECK(block.step(grants_for(block)).size() == (cycle == expected ? 1 : 0));
      }
      CHECK_FALSE(block.shuffle_control().swapping().holds(3));
      CHECK(block.table().lanes(3, RayState::fetch) == 0b11111);
      CHECK(block.table().lanes(0, RayState::none) == (all & ~three));
      CHECK(block.statistics().swap_cycles == static_cast<std::uint64_t>(registers) + 1);
    }
  }
}

TEST_CASE("A row that a swap has filled is offered three cycles later") {
  Block block;
  report(block, 1, all, RayState::inner);
  report(block, 1, three, RayState::leaf);
  REQUIRE(execute_rdctrl(block, 1).row == 2);
  report(block, 1, all, RayState::inner);
  report(block, 1, 0b11111, RayState::leaf);
  run_until_idle(block);
  REQUIRE(execute_rdctrl(block, 1).answer == Answer::stall);
  // The last choice with a swap was for leaf rays, so one for inner rays comes first: its row is full.
  const RaySwap filling{1, 2, all & ~three, 0b11111, true};
  for (bool filled = false; !filled;) {
    REQUIRE_FALSE(block.has_answer());
    REQUIRE_FALSE(block.idle());
    const auto ended = block.step(grants_for(block));
    filled = !ended.empty() && ended.front() == filling;
  }
  // The cycle of the candidates, and that of the next row.
  CHECK_FALSE(block.has_answer());
  end_cycle(block);
  CHECK_FALSE(block.has_answer());
  end_cycle(block);
  CHECK(block.has_answer());
  CHECK(execute_rdctrl(block, 1).row == 2);
}

TEST_CASE("No row with empty lanes is offered while a swap is in progress") {
  DynamicRayShufflingParameters parameters;
  parameters.backup_rows = 3;
  Block block(2, parameters);
  // Row 1 keeps five inner rays; three leaf rays go to the first empty row, 5. Then nothing is left to fetch.
  report(block, 1, all, RayState::inner);
  report(block, 1, three, RayState::leaf);
  REQUIRE(execute_rdctrl(block, 1).row == 2);
  report(block, 1, all, RayState::none);
  REQUIRE(execute_rdctrl(block, 1).row == 3);
  run_until_idle(block);
  REQUIRE(block.has_answer());
  // The fetch rays of row 3 move to row 2, which the warp left without rays. The warp has the last full row.
  report(block, 1, 0b1, RayState::leaf);
  REQUIRE(execute_rdctrl(block, 1).row == 4);
  for (int cycle = 0; cycle < 200; ++cycle) block.step({});
  CHECK(block.swap() == RaySwap{3, 2, 0b1111'1110, 0b0111'1111, false});
  CHECK(block.shuffle_control().rests());
  CHECK(block.table().summary().uniform().holds(1));
  CHECK_FALSE(block.has_answer());
  run_until_idle(block);
  CHECK(block.has_answer());
  report(block, 0, 0b1, RayState::leaf);
  CHECK(execute_rdctrl(block, 0).row == 1);
}

TEST_CASE("The block is idle two cycles after the last change, and not before") {
  const auto until_idle = [](Block& block) {
    int cycles = 0;
    for (end_cycle(block), ++cycles; !block.idle(); ++cycles) end_cycle(block);
    return cycles;
  };
  Block block;
  block.control(1);
  CHECK(until_idle(block) == to_answer + 1 + 2);
  block.report(1, all, uniform_row(RayState::inner));
  CHECK(until_idle(block) == report_to_next + 1 + 2);
  // A warp without a row gets one: no row is released, so no choice follows.
  REQUIRE(block.row_of(0) == 0U);
  report(block, 0, all, RayState::none);
  REQUIRE(execute_rdctrl(block, 0).row == 2);
  report(block, 0, three, RayState::leaf);
  REQUIRE(execute_rdctrl(block, 0).answer == Answer::stall);
  run_until_idle(block);
  REQUIRE(block.has_answer());
  block.control(0);
  CHECK(until_idle(block) == to_answer + 1 + 2);
  REQUIRE(block.row_of(0));
}

TEST_CASE("The block is not idle while a swap is denied its accesses") {
  Block block;
  report(block, 0, three, RayState::leaf);
  REQUIRE(execute_rdctrl(block, 0).row == 2);
  for (int cycle = 0; cycle < 500; ++cycle) {
    block.step({});
    REQUIRE_FALSE(block.idle());
  }
  CHECK(block.statistics().swaps == 0);
  run_until_idle(block);
  CHECK(block.statistics().swaps == 1);
}

TEST_CASE("A move counts its accesses, its rays, and its cycles with those in which accesses are denied") {
  for (const unsigned denied : {0U, 5U}) {
    Block block;
    release_row_0(block);
    run_until(block, [&] { return block.read().has_value(); });
    for (unsigned cycle = 0; cycle < denied; ++cycle) block.step({});
    run_until_idle(block);
    const DynamicRayShufflingStatistics& counted = block.statistics();
    CHECK(counted.swaps == 1);
    CHECK(counted.rays_moved == 5);
    CHECK(counted.register_reads == 17);
    CHECK(counted.register_writes == 17);
    CHECK(counted.swap_cycles == 17 + 1 + denied);
  }
}

TEST_CASE("An exchange counts its accesses and rays in both directions") {
  Block block(3);
  for (const std::size_t warp : {0U, 1U, 2U}) {
    report(block, warp, all, RayState::inner);
    report(block, warp, three, RayState::leaf);
  }
  // The rows of all warps are mixed. While the leaf rays of the first wait for the buffers, all are released.
  for (const std::size_t warp : {0U, 1U, 2U}) {
    block.control(warp);
    for (int cycle = 0; cycle < 20; ++cycle) block.step({});
  }
  for (int cycle = 0; cycle < 100; ++cycle) block.step({});
  CHECK(block.swap() == RaySwap{0, 4, three, 0b111, false});
  REQUIRE(block.shuffle_control().offered() != nullptr);
  CHECK(*block.shuffle_control().offered() == RaySwap{1, 2, 0b10101, three, true});
  const DynamicRayShufflingStatistics before = block.statistics();
  CHECK(before.swaps == 0);
  CHECK(before.register_reads == 0);
  run_until(block, [&] { return block.shuffle_control().offered() == nullptr; });
  run_until(block, [&] { return block.transfers().finished; });
  const DynamicRayShufflingStatistics& counted = block.statistics();
  CHECK(counted.swaps == 2);
  CHECK(counted.rays_moved == 3 + 2 * 3);
  CHECK(counted.register_reads == 17 + 2 * 17);
  CHECK(counted.register_writes == 17 + 2 * 17);
  // The second transfer of a register is read before the first is written.
  CHECK(counted.swap_cycles - before.swap_cycles == (17 + 1) + (2 * 17 + 2));
}

// SPDX-License-Identifier: Apache-2.0
// Swaps of the block, cycle by cycle, and their statistics.

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/unit/dynamic_ray_shuffling/block_bench.hpp"

using namespace reconverge;
using namespace reconverge::tests;

namespace {

using Answer = RayControl::Answer;

DynamicRayShufflingParameters with_registers(std::uint64_t registers) {
  DynamicRayShufflingParameters parameters;
  parameters.ray_registers = registers;
  return parameters;
}

}  // namespace

TEST_CASE("A choice overlaps the swap in progress") {
  Block block(3);
  // Warp 0 releases a row with three leaf rays. Soon after, warp 1 releases a row with five fetch rays.
  for (const std::size_t warp : {0U, 1U}) report(block, warp, warp == 0 ? all : three, RayState::inner);
  report(block, 0, three, RayState::leaf);
  run_until_idle(block);
  block.control(0);
  for (int cycle = 0; cycle < to_decide; ++cycle) end_cycle(block);
  // The first choice samples in the next cycle. The buffers take its swap in the cycle of the offer. Each cycle reads
  // one of 17 registers and writes it a cycle later. The swap ends one cycle after the last write.
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
    // If warp 1 reports, its read delays the first update of the table by a cycle.
    for (const bool reports : {false, true}) {
      CAPTURE(registers, reports);
      Block block(2, with_registers(static_cast<std::uint64_t>(registers)));
      release_row_0(block);
      const int transferred = to_fetch_offer + 1 + registers + 1;
      const int updated = to_fetch_offer + to_update + (reports ? 1 : 0);
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
      CHECK(block.statistics().swaps == 1);
    }
  }
}

TEST_CASE("A row is offered three cycles after a swap has filled it") {
  Block block;
  report(block, 1, all, RayState::inner);
  report(block, 1, three, RayState::leaf);
  REQUIRE(execute_rdctrl(block, 1).row == 2);
  report(block, 1, all, RayState::inner);
  report(block, 1, 0b11111, RayState::leaf);
  run_until_idle(block);
  REQUIRE(execute_rdctrl(block, 1).answer == Answer::stall);
  // The last choice with a swap was for leaf rays, so a choice for inner rays is the next with one. It fills row 2.
  const RaySwap filling{1, 2, all & ~three, 0b11111, true};
  for (bool filled = false; !filled;) {
    REQUIRE_FALSE(block.has_answer());
    REQUIRE_FALSE(block.idle());
    const auto ended = block.step(grants_for(block));
    filled = !ended.empty() && ended.front() == filling;
  }
  // One cycle selects the candidates, and one the next row.
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
  // Row 1 keeps five inner rays, and its three leaf rays move to the first empty row, row 5. Then no rays are left to
  // fetch.
  report(block, 1, all, RayState::inner);
  report(block, 1, three, RayState::leaf);
  REQUIRE(execute_rdctrl(block, 1).row == 2);
  report(block, 1, all, RayState::none);
  REQUIRE(execute_rdctrl(block, 1).row == 3);
  run_until_idle(block);
  REQUIRE(block.has_answer());
  // The fetch rays of row 3 move to row 2, which the warp left without rays. The warp gets the last full row.
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

TEST_CASE("The block is not idle while the accesses of a swap are denied") {
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

TEST_CASE("A move counts its accesses, its rays, and its cycles, including cycles with denied accesses") {
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
  // The rows of all warps are mixed. All are released while the leaf rays of the first wait for the buffers.
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
  // Both transfers of a register are read before the first is written.
  CHECK(counted.swap_cycles - before.swap_cycles == (17 + 1) + (2 * 17 + 2));
}

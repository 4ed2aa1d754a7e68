// SPDX-License-Identifier: Apache-2.0
// The requests of warps, cycle by cycle: when the block accepts and answers them, and how they delay each other.

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/unit/dynamic_ray_shuffling/block_bench.hpp"

using namespace reconverge;
using namespace reconverge::tests;

namespace {

using Answer = RayControl::Answer;

DynamicRayShufflingParameters with_ports(std::uint64_t ports) {
  DynamicRayShufflingParameters parameters;
  parameters.table_reads = ports;
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

}  // namespace

TEST_CASE("At the start of a launch, the block accepts requests after one cycle for each row and one more") {
  for (const std::size_t warps : {1U, 2U, 58U}) {
    CAPTURE(warps);
    Alone<RayShuffler> shuffler({}, warps);
    // The second launch interrupts the first.
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

TEST_CASE("A launch offers no answer before it has a row, even if all warps of the previous launch have ended") {
  Block block(1);
  report(block, 0, all, RayState::none);
  REQUIRE(execute_rdctrl(block, 0).row == 1);
  report(block, 0, all, RayState::none);
  REQUIRE(execute_rdctrl(block, 0).answer == Answer::exit);
  REQUIRE(block.has_answer());
  block.begin(1, 8);
  run_until(block, [&] { return block.takes_control(); });
  // One cycle selects the candidates, and one the next row, which is the backup row.
  CHECK_FALSE(block.has_answer());
  end_cycle(block);
  CHECK_FALSE(block.has_answer());
  end_cycle(block);
  CHECK(block.has_answer());
}

TEST_CASE("The block answers rdctrl after its latency, for one cycle") {
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
      // An answer without a row does not read the table.
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

TEST_CASE("The table shows a report one cycle after its latency") {
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

TEST_CASE("An rdctrl waits for a report in progress, and its read waits for the read of a later report") {
  for (const std::uint64_t ports : {1U, 2U}) {
    // The cycle of another warp's report, counted from the rdctrl.
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

TEST_CASE("A warp's rdctrl sees the warp's own report, however soon it follows") {
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
  // The cycle of warp 1's rdctrl, counted from the release of row 0.
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

TEST_CASE("The reads of a choice wait for the reads of reports and of rdctrl") {
  for (const std::uint64_t ports : {1U, 3U}) {
    for (const bool reports : {true, false}) {
      // The cycle of warp 1's request, counted from the release of row 0.
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
  // A warp without a row gets one. This releases no row, so no choice follows.
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

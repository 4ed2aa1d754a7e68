// SPDX-License-Identifier: Apache-2.0
// The barriers of a block, step by step: which warps wait, which continue, and the results of bar.red.

#include "models/execution/block_barriers.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <deque>

#include "models/core/error.hpp"
#include "tests/unit/sm/test_warp.hpp"

namespace reconverge {
namespace {

using tests::kernel_of;
using tests::TestWarp;

/// A block of `count` warps at the barriers of a program. Instruction i is the i-th of the program's body.
struct Block {
  Block(std::string_view body, std::uint32_t count) : program(kernel_of(body)) {
    std::vector<Warp*> pointers;
    for (std::uint32_t i = 0; i < count; ++i) pointers.push_back(&warps.emplace_back(program, i).warp);
    barriers.begin(pointers);
  }

  /// The warps that continue when `lanes` of warp `index` reach instruction `pc`, as `0:ffffffff 1:0000000f`.
  std::string arrive(std::uint32_t index, kernel::Pc pc = 0, LaneMask lanes = all_lanes) {
    return text_of(barriers.arrive(warps[index].warp, program.instructions[pc], lanes));
  }
  std::string threads_ended() { return text_of(barriers.threads_ended()); }

  std::string failure(std::uint32_t index, kernel::Pc pc = 0) {
    try {
      arrive(index, pc);
    } catch (const ExecutionError& error) {
      return error.what();
    }
    return "no failure";
  }

  static std::string text_of(const std::vector<BlockBarriers::Released>& released) {
    std::string text;
    for (const auto& one : released) {
      text += fmt::format("{}{}:{:08x}", text.empty() ? "" : " ", one.warp->context.position.warp, one.lanes);
    }
    return text;
  }

  kernel::Program program;
  std::deque<TestWarp> warps;
  BlockBarriers barriers;
};

}  // namespace

TEST_CASE("all warps wait until the last one arrives") {
  Block block("bar.sync 0;", 3);
  CHECK(block.arrive(1).empty());
  CHECK(block.arrive(0).empty());
  CHECK(block.barriers.completed() == 0);
  CHECK(block.arrive(2) == "1:ffffffff 0:ffffffff 2:ffffffff");
  CHECK(block.barriers.completed() == 1);
  CHECK(block.arrive(0).empty());  // the barrier has been reset
}

TEST_CASE("a barrier does not wait for ended threads") {
  Block block("bar.sync 0;", 2);
  block.warps[1].warp.live = 0x00ff;
  CHECK(block.arrive(0).empty());
  CHECK(block.arrive(1, 0, 0x000f).empty());
  CHECK(block.threads_ended().empty());
  block.warps[1].warp.live = 0x000f;
  CHECK(block.threads_ended() == "0:ffffffff 1:0000000f");
  CHECK(block.arrive(0).empty());
  block.warps[1].warp.live = 0;
  CHECK(block.threads_ended() == "0:ffffffff");
}

TEST_CASE("a barrier with a thread count waits for as many warps as have these threads") {
  Block block("bar.sync 1, 64;", 3);
  CHECK(block.arrive(2).empty());
  CHECK(block.arrive(0) == "2:ffffffff 0:ffffffff");
  CHECK(block.arrive(1).empty());
  CHECK(block.barriers.describe_waiting() ==
        "\n  block 7 warp 1 lanes 0xffffffff at t.ptx:3, a barrier that not all threads reach");
}

TEST_CASE("threads that only arrive do not wait") {
  Block block("bar.arrive 1, 64;\nbar.sync 1, 64;", 2);
  CHECK_FALSE(BlockBarriers::waits(block.program.instructions[0]));
  CHECK(BlockBarriers::waits(block.program.instructions[1]));
  CHECK(block.arrive(0, 0).empty());
  CHECK(block.barriers.describe_waiting().empty());
  CHECK(block.arrive(1, 1) == "1:ffffffff");
  CHECK(block.arrive(1, 1).empty());
  CHECK(block.arrive(0, 0) == "1:ffffffff");
  CHECK(block.barriers.completed() == 2);
}

TEST_CASE("barriers with different numbers are independent") {
  Block block("bar.sync 0;\nbar.sync 15;", 2);
  CHECK(block.arrive(0, 0).empty());
  CHECK(block.arrive(1, 1).empty());
  CHECK(block.arrive(1, 0) == "0:ffffffff 1:ffffffff");
  CHECK(block.arrive(0, 1) == "1:ffffffff 0:ffffffff");
}

TEST_CASE("bar.red counts the predicates of all threads, and every thread gets the result") {
  Block block("bar.red.popc.u32 %r1, 0, %p1;\nbar.red.and.pred %p2, 0, %p1;\nbar.red.or.pred %p3, 0, !%p1;", 2);
  const auto& popc = block.program.instructions[0];
  const auto& all = block.program.instructions[1];
  const auto& any = block.program.instructions[2];
  block.warps[0].predicate(popc.source[2]) = 0x0000ffff;
  block.warps[1].predicate(popc.source[2]) = 0x00000001;
  block.arrive(0, 0);
  block.arrive(1, 0);
  for (TestWarp& warp : block.warps) {
    CHECK(warp.word(popc.destination[0], 0) == 17);
    CHECK(warp.word(popc.destination[0], 31) == 17);
  }
  block.arrive(0, 1);
  block.arrive(1, 1);
  CHECK(block.warps[0].predicate(all.destination[0]) == 0);
  CHECK(block.warps[1].predicate(all.destination[0]) == 0);
  block.arrive(0, 2);
  block.arrive(1, 2);
  CHECK(block.warps[0].predicate(any.destination[0]) == all_lanes);
  CHECK(block.warps[1].predicate(any.destination[0]) == all_lanes);
}

TEST_CASE("bar.red.and includes threads that arrived, but not threads that ended") {
  Block block("bar.red.and.pred %p2, 0, %p1;", 2);
  const auto& all = block.program.instructions[0];
  block.warps[0].predicate(all.source[2]) = all_lanes;
  block.warps[1].predicate(all.source[2]) = 0x0000000f;
  block.warps[1].warp.live = 0x0000000f;
  block.arrive(0);
  CHECK(block.arrive(1, 0, 0x0000000f) == "0:ffffffff 1:0000000f");
  CHECK(block.warps[0].predicate(all.destination[0]) == all_lanes);
  CHECK(block.warps[1].predicate(all.destination[0]) == 0x0000000f);
}

TEST_CASE("a barrier number in a register may differ between lanes") {
  Block block("bar.sync %r1;", 1);
  const kernel::Operand number = block.program.instructions[0].source[0];
  for (unsigned lane = 16; lane < warp_size; ++lane) block.warps[0].word(number, lane) = 3;
  CHECK(block.arrive(0).empty());
  block.warps[0].warp.live = 0xffff0000;
  CHECK(block.threads_ended() == "0:ffff0000");
}

TEST_CASE("invalid barriers and thread counts are errors at their line") {
  Block block("bar.sync %r1;\nbar.sync 1, %r2;\nbar.sync 2, 64;\nbar.sync 2, 32;", 2);
  block.warps[1].fill(block.program.instructions[0].source[0], 16);
  CHECK(block.failure(1, 0) == "t.ptx:3: barrier 16 does not exist: there are 0 to 15 in kernel 'k' (block 7, warp 1)");
  CHECK(block.failure(0, 1) ==
        "t.ptx:4: a barrier of 0 threads: it takes a multiple of 32 in kernel 'k' (block 7, warp 0)");
  block.warps[0].fill(block.program.instructions[1].source[1], 33);
  CHECK_THAT(block.failure(0, 1), Catch::Contains("a barrier of 33 threads"));
  CHECK(block.arrive(0, 2).empty());
  CHECK(block.failure(1, 3) ==
        "t.ptx:6: threads give this barrier different thread counts in kernel 'k' (block 7, warp 1)");
}

TEST_CASE("a warp whose lanes run together arrives as a whole") {
  Block block("bar.sync 0;", 1);
  Warp& warp = block.warps[0].warp;
  warp.live = 0xff;
  CHECK_NOTHROW(require_whole_warp(warp, block.program.instructions[0], 0xff));
  CHECK_THROWS_WITH(require_whole_warp(warp, block.program.instructions[0], 0x0f),
                    "t.ptx:3: a barrier that not all threads of the warp reach together (lane 4 is elsewhere) in "
                    "kernel 'k' (block 7, warp 0)");
}

TEST_CASE("bar.warp.sync is not a block barrier") {
  const auto program = kernel_of("bar.warp.sync -1;\nbar.sync 0;");
  CHECK_FALSE(BlockBarriers::is_block_barrier(program.instructions[0]));
  CHECK(BlockBarriers::is_block_barrier(program.instructions[1]));
}

}  // namespace reconverge

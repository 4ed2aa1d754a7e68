// SPDX-License-Identifier: Apache-2.0
// The reconvergence stack of a block, step by step: the path that runs, its warps, and the reconvergence points.

#include "models/schemes/thread_block_compaction/block_stack.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/thread_block_compaction/thread_rows.hpp"

namespace reconverge::tests {
namespace {

using kernel::Pc;

constexpr unsigned lanes = 4;

kernel::Instruction branch_to(Pc meeting) {
  kernel::Instruction branch;
  branch.opcode = kernel::Opcode::bra;
  branch.reconvergence = meeting;
  return branch;
}

/// For each row, the targets of its lanes; 0: the lane continues at the next instruction.
using Targets = std::vector<std::vector<Pc>>;

std::vector<BlockStack::Departure> departures_of(const Targets& rows) {
  std::vector<BlockStack::Departure> departures(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (unsigned lane = 0; lane < rows[row].size(); ++lane) {
      if (rows[row][lane] == 0) continue;
      departures[row].taken |= lane_bit(lane);
      departures[row].target[lane] = rows[row][lane];
    }
  }
  return departures;
}

BlockStack two_warps() {
  BlockStack stack;
  stack.start(0);
  stack.add_warp(0b1111);
  stack.add_warp(0b1111);
  return stack;
}

void check(const BlockStack& stack, Pc pc, const Texts& rows) {
  REQUIRE_FALSE(stack.empty());
  CHECK(stack.current().pc == pc);
  CHECK(texts_of(stack.current().rows, lanes) == rows);
}

}  // namespace

TEST_CASE("two warps with complementary threads: each path of the branch is one warp") {
  BlockStack stack = two_warps();
  const auto parted = stack.branch(branch_to(20), 2, departures_of({{10, 10, 0, 0}, {0, 0, 10, 10}}));
  CHECK(parted.sides == 2);
  CHECK(parted.rows == 2);
  CHECK(parted.threads == 8);
  CHECK(stack.depth() == 2);
  check(stack, 10, {"aabb"});
  stack.reconverge();
  check(stack, 3, {"bbaa"});
  CHECK_FALSE(stack.at_home());
  stack.reconverge();
  check(stack, 20, {"aaaa", "bbbb"});
  CHECK(stack.at_home());
  CHECK(stack.depth() == 0);
}

TEST_CASE("two warps with threads in the same lanes: the fullest lane determines a path's number of warps") {
  BlockStack stack = two_warps();
  CHECK(stack.branch(branch_to(20), 2, departures_of({{10, 10, 0, 0}, {0, 10, 10, 0}})).rows == 4);
  check(stack, 10, {"aab.", ".b.."});
  stack.reconverge();
  check(stack, 3, {"b.aa", "...b"});
  stack.reconverge();
  check(stack, 20, {"aaaa", "bbbb"});
}

TEST_CASE("a branch that all threads of the block take leaves the warps as they are") {
  BlockStack stack = two_warps();
  CHECK(stack.branch(branch_to(20), 2, departures_of({{10, 10, 10, 10}, {10, 10, 10, 10}})).rows == 0);
  check(stack, 10, {"aaaa", "bbbb"});
  CHECK(stack.branch(branch_to(20), 10, departures_of({{}, {}})).rows == 0);
  check(stack, 11, {"aaaa", "bbbb"});
  CHECK(stack.depth() == 0);
}

TEST_CASE("warps on different paths split the block, even if no warp diverges") {
  BlockStack stack = two_warps();
  stack.branch(branch_to(20), 2, departures_of({{10, 10, 10, 10}, {}}));
  check(stack, 10, {"aaaa"});
  CHECK(stack.at_home());
  stack.reconverge();
  check(stack, 3, {"bbbb"});
}

TEST_CASE("a path that starts at the reconvergence point is empty") {
  BlockStack stack = two_warps();
  stack.branch(branch_to(10), 2, departures_of({{10, 10, 0, 0}, {10, 0, 10, 10}}));
  check(stack, 3, {".baa"});
  stack.reconverge();
  check(stack, 10, {"aaaa", "bbbb"});
}

TEST_CASE("the warps of a path diverge and are restored when they reconverge") {
  BlockStack stack = two_warps();
  stack.branch(branch_to(20), 2, departures_of({{10, 10, 0, 0}, {0, 10, 10, 0}}));
  check(stack, 10, {"aab.", ".b.."});
  stack.branch(branch_to(15), 10, departures_of({{12, 0, 0, 0}, {0, 12, 0, 0}}));
  check(stack, 12, {"ab.."});
  stack.reconverge();
  check(stack, 11, {".ab."});
  stack.reconverge();
  check(stack, 15, {"aab.", ".b.."});
}

TEST_CASE("the stack does not grow with the iterations of a loop, and a path loses warps as threads leave") {
  BlockStack stack = two_warps();
  // do { ... } while (...): pc 5 branches back to 1, and all threads reconverge at 6. More threads leave in each
  // iteration.
  const auto round = [&](const Targets& targets) { return stack.branch(branch_to(6), 5, departures_of(targets)); };
  round({{0, 1, 1, 1}, {1, 0, 1, 1}});
  check(stack, 1, {"baaa", "..bb"});
  CHECK(stack.depth() == 1);
  round({{1, 1, 0, 0}, {0, 0, 1, 1}});
  check(stack, 1, {"babb"});
  CHECK(stack.depth() == 1);
  round({{0, 0, 0, 0}});
  check(stack, 6, {"aaaa", "bbbb"});
  CHECK(stack.depth() == 0);
}

TEST_CASE("a jump table: one path for each target, first the first thread's path, last the next instruction") {
  BlockStack stack = two_warps();
  const auto parted = stack.branch(branch_to(50), 2, departures_of({{30, 20, 30, 0}, {20, 40, 0, 30}}));
  CHECK(parted.sides == 4);
  check(stack, 30, {"a.ab"});
  stack.reconverge();
  check(stack, 20, {"ba.."});
  stack.reconverge();
  check(stack, 40, {".b.."});
  stack.reconverge();
  check(stack, 3, {"..ba"});
  stack.reconverge();
  check(stack, 50, {"aaaa", "bbbb"});
}

TEST_CASE("ended threads are removed from every path, and an empty warp does not continue") {
  BlockStack stack = two_warps();
  stack.branch(branch_to(20), 2, departures_of({{10, 10, 10, 10}, {0, 10, 10, 0}}));
  check(stack, 10, {"aaaa", ".bb."});
  stack.exit(0, 0b1111);
  stack.exit(1, 0b0010);
  check(stack, 10, {"....", "..b."});
  stack.reconverge();
  check(stack, 3, {"b..b"});
  stack.reconverge();
  check(stack, 20, {"b.bb"});
}

TEST_CASE("two rows stay separate even if their remaining threads started in one warp") {
  BlockStack stack = two_warps();
  stack.branch(branch_to(20), 2, departures_of({{10, 10, 0, 0}, {0, 10, 10, 0}}));
  check(stack, 10, {"aab.", ".b.."});
  stack.exit(0, 0b0011);
  check(stack, 10, {"..b.", ".b.."});
  CHECK_FALSE(stack.at_home());
  stack.gather(11);
  check(stack, 11, {".bb."});
  CHECK(stack.at_home());
}

TEST_CASE("a path has at most as many warps as its threads started in, even if threads have ended") {
  BlockStack stack = two_warps();
  stack.branch(branch_to(20), 2, departures_of({{10, 10, 0, 0}, {0, 10, 10, 0}}));
  check(stack, 10, {"aab.", ".b.."});
  stack.exit(0, 0b0011);
  stack.branch(branch_to(20), 12, departures_of({{}, {}}));
  check(stack, 13, {".bb."});
}

TEST_CASE("the next path continues when all threads of a path have ended") {
  BlockStack stack = two_warps();
  stack.branch(branch_to(kernel::no_pc), 2, departures_of({{10, 10, 0, 0}, {10, 0, 0, 0}}));
  check(stack, 10, {"aa..", "b..."});
  stack.exit(0, 0b0011);
  stack.exit(1, 0b0001);
  stack.drop();
  check(stack, 3, {".baa", "..bb"});
  stack.exit(0, 0b1110);
  stack.exit(1, 0b1100);
  stack.drop();
  CHECK(stack.empty());
}

TEST_CASE("a call: calling threads run the function, and all threads reconverge after it") {
  BlockStack stack = two_warps();
  stack.call(4, departures_of({{100, 100, 0, 0}, {0, 0, 100, 0}}));
  check(stack, 100, {"aab."});
  // Two threads return on one path of a branch in the function, and the third returns after the branch.
  stack.branch(branch_to(110), 101, departures_of({{105, 105, 0, 0}}));
  check(stack, 105, {"aa.."});
  stack.leave(0, 0b0011);
  stack.drop();
  check(stack, 102, {"..b."});
  stack.reconverge();
  check(stack, 110, {"..b."});
  stack.leave(0, 0b0100);
  stack.drop();
  check(stack, 5, {"aaaa", "bbbb"});
}

TEST_CASE("a call by all threads keeps the warps and a call by pointer runs function after function") {
  BlockStack stack = two_warps();
  CHECK(stack.call(4, departures_of({{100, 100, 100, 100}, {100, 100, 100, 100}})).rows == 0);
  check(stack, 100, {"aaaa", "bbbb"});
  stack.leave(0, 0b1111);
  stack.leave(1, 0b1111);
  stack.drop();
  check(stack, 5, {"aaaa", "bbbb"});
  CHECK(stack.call(6, departures_of({{200, 100, 100, 100}, {200, 200, 100, 200}})).rows == 4);
  check(stack, 200, {"ab.b", "b..."});
  stack.leave(0, 0b1011);
  stack.leave(1, 0b0001);
  stack.drop();
  check(stack, 100, {".aaa", "..b."});
}

TEST_CASE("threads of a path that gather are in their original warps again") {
  BlockStack stack = two_warps();
  stack.branch(branch_to(20), 2, departures_of({{10, 10, 0, 0}, {0, 10, 10, 0}}));
  check(stack, 10, {"aab.", ".b.."});
  stack.gather(12);
  check(stack, 12, {"aa..", ".bb."});
  CHECK(stack.at_home());
  CHECK(stack.current().reconvergence == 20);
  stack.reconverge();
  check(stack, 3, {"b.aa", "...b"});
}

TEST_CASE("a path that waits at a barrier lets another path of its branch run") {
  BlockStack stack = two_warps();
  stack.branch(branch_to(20), 2, departures_of({{10, 10, 10, 10}, {}}));
  check(stack, 10, {"aaaa"});
  const auto none_waits = [](const BlockStack::Path& /*path*/) { return false; };
  const auto all_wait = [](const BlockStack::Path& /*path*/) { return true; };
  CHECK_FALSE(stack.step_aside(12, all_wait));
  check(stack, 12, {"aaaa"});
  REQUIRE(stack.step_aside(12, none_waits));
  check(stack, 3, {"bbbb"});
  stack.reconverge();
  check(stack, 12, {"aaaa"});
  // The next stack entry is the reconvergence point, at which the same threads continue, so no other path can run.
  CHECK_FALSE(stack.step_aside(12, none_waits));
  stack.reconverge();
  check(stack, 20, {"aaaa", "bbbb"});
}

}  // namespace reconverge::tests

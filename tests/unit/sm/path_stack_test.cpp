// The reconvergence stack by hand: who runs where, and where lanes meet.

#include "models/reconvergence_stack/path_stack.hpp"

#include <catch2/catch.hpp>

namespace reconverge {
namespace {

kernel::Instruction branch_to(kernel::Pc target, kernel::Pc meeting) {
  kernel::Instruction branch;
  branch.opcode = kernel::Opcode::bra;
  branch.target = target;
  branch.reconvergence = meeting;
  return branch;
}

}  // namespace

TEST_CASE("if/else: the taken side, then the other, then all together") {
  Warp warp;
  PathStack stack;
  stack.start(warp, 0xf, 0);
  warp.pc = 2;
  REQUIRE(stack.branch(warp, branch_to(10, 20), 0x3));
  REQUIRE(warp.pc == 10);
  REQUIRE(warp.active == 0x3);
  REQUIRE(warp.reconvergence == 20);
  warp.pc = 20;
  stack.reconverge(warp);
  REQUIRE(warp.pc == 3);
  REQUIRE(warp.active == 0xc);
  warp.pc = 20;
  stack.reconverge(warp);
  REQUIRE(warp.pc == 20);
  REQUIRE(warp.active == 0xf);
  REQUIRE(stack.depth() == 0);
}

TEST_CASE("a uniform branch leaves the stack alone") {
  Warp warp;
  PathStack stack;
  stack.start(warp, 0xff, 0);
  warp.pc = 4;
  REQUIRE_FALSE(stack.branch(warp, branch_to(9, 12), 0xff));
  REQUIRE(warp.pc == 9);
  warp.pc = 4;
  REQUIRE_FALSE(stack.branch(warp, branch_to(9, 12), 0));
  REQUIRE(warp.pc == 5);
  REQUIRE(stack.depth() == 0);
}

TEST_CASE("lanes that leave a loop one by one wait at its end, in a stack that does not grow") {
  Warp warp;
  PathStack stack;
  stack.start(warp, all_lanes, 0);
  LaneMask looping = all_lanes;
  // The loop is pc 1..5, its latch at 5, its end 6.
  for (unsigned lane = 0; lane + 1 < warp_size; ++lane) {
    looping &= ~lane_bit(lane);
    warp.pc = 5;
    REQUIRE(stack.branch(warp, branch_to(1, 6), looping));
    REQUIRE(warp.pc == 1);
    REQUIRE(warp.active == looping);
    REQUIRE(stack.depth() == 1);
  }
  warp.pc = 5;
  REQUIRE_FALSE(stack.branch(warp, branch_to(1, 6), 0));
  REQUIRE(warp.pc == 6);
  REQUIRE(warp.active == all_lanes);
}

TEST_CASE("lanes that exit on one side do not come back at the meeting point") {
  Warp warp;
  PathStack stack;
  stack.start(warp, 0xff, 0);
  warp.pc = 1;
  REQUIRE(stack.branch(warp, branch_to(10, 20), 0x0f));
  warp.pc = 12;
  stack.exit(warp, 0x0f);
  REQUIRE(warp.live == 0xf0);
  REQUIRE(warp.pc == 2);
  REQUIRE(warp.active == 0xf0);
  warp.pc = 20;
  stack.reconverge(warp);
  REQUIRE(warp.active == 0xf0);
  stack.exit(warp, 0xf0);
  REQUIRE(warp.live == 0);
}

TEST_CASE("sides that meet only at exit run one after the other") {
  Warp warp;
  PathStack stack;
  stack.start(warp, 0xff, 0);
  REQUIRE(stack.branch(warp, branch_to(10, kernel::no_pc), 0x01));
  REQUIRE(warp.active == 0x01);
  stack.exit(warp, 0x01);
  REQUIRE(warp.active == 0xfe);
  REQUIRE(warp.pc == 1);
  stack.exit(warp, 0xfe);
  REQUIRE(warp.live == 0);
  REQUIRE(warp.active == 0);
}

}  // namespace reconverge

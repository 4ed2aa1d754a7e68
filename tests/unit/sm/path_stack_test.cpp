// The reconvergence stack by hand: who runs where, and where lanes meet.

#include "models/reconvergence_stack/path_stack.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <initializer_list>

namespace reconverge {
namespace {

kernel::Instruction branch_to(kernel::Pc target, kernel::Pc meeting) {
  kernel::Instruction branch;
  branch.opcode = kernel::Opcode::bra;
  branch.target = target;
  branch.reconvergence = meeting;
  return branch;
}

constexpr kernel::Pc function = 100;
constexpr kernel::Pc other_function = 200;

kernel::Instruction call_of(kernel::Pc target) {
  kernel::Instruction call;
  call.opcode = kernel::Opcode::call;
  call.target = target;
  return call;
}

/// A branch by table or a call by pointer: lane i goes to `targets[i]`.
kernel::Instruction to_each(Warp& warp, kernel::Opcode opcode, std::initializer_list<kernel::Pc> targets) {
  std::copy(targets.begin(), targets.end(), warp.context.targets.begin());
  kernel::Instruction instruction;
  instruction.opcode = opcode;
  return instruction;
}

void check(const Warp& warp, kernel::Pc pc, LaneMask active) {
  CHECK(warp.pc == pc);
  CHECK(warp.active == active);
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

TEST_CASE("callers wait behind a call that some lanes make") {
  Warp warp;
  PathStack stack;
  stack.start(warp, 0xf, 5);
  CHECK_FALSE(stack.call(warp, call_of(function), 0x3));
  check(warp, function, 0x3);
  CHECK(warp.reconvergence == kernel::no_pc);
  CHECK(stack.depth() == 1);
  warp.pc = 107;
  stack.leave(warp, 0x3);
  check(warp, 6, 0xf);
  CHECK(stack.depth() == 0);
}

TEST_CASE("a call that no lane makes is passed") {
  Warp warp;
  PathStack stack;
  stack.start(warp, 0xf, 5);
  CHECK_FALSE(stack.call(warp, call_of(function), 0));
  check(warp, 6, 0xf);
  CHECK(stack.depth() == 0);
}

TEST_CASE("recursion: the deepest calls end first, and each level goes on with the lanes that it had") {
  Warp warp;
  PathStack stack;
  stack.start(warp, 0xf, 5);
  stack.call(warp, call_of(function), 0xf);
  warp.pc = 101;
  stack.call(warp, call_of(function), 0x7);
  check(warp, function, 0x7);
  warp.pc = 101;
  stack.call(warp, call_of(function), 0x1);
  check(warp, function, 0x1);
  CHECK(stack.depth() == 3);
  stack.leave(warp, 0x1);
  check(warp, 102, 0x7);
  stack.leave(warp, 0x7);
  check(warp, 102, 0xf);
  stack.leave(warp, 0xf);
  check(warp, 6, 0xf);
}

TEST_CASE("lanes that return early do not meet the others in the function, but behind the call") {
  Warp warp;
  PathStack stack;
  stack.start(warp, 0xf, 5);
  stack.call(warp, call_of(function), 0xf);
  warp.pc = 101;
  REQUIRE(stack.branch(warp, branch_to(110, 120), 0x3));
  stack.leave(warp, 0x1);  // a guarded ret: lane 1 goes on
  check(warp, 111, 0x2);
  stack.leave(warp, 0x2);
  check(warp, 102, 0xc);
  CHECK(warp.reconvergence == 120);
  warp.pc = 120;
  stack.reconverge(warp);
  check(warp, 120, 0xc);
  stack.leave(warp, 0xc);
  check(warp, 6, 0xf);
}

TEST_CASE("threads that end in a function are gone in its callers") {
  Warp warp;
  PathStack stack;
  stack.start(warp, 0xf, 5);
  stack.call(warp, call_of(function), 0xe);
  stack.exit(warp, 0x6);
  check(warp, 101, 0x8);
  CHECK(warp.live == 0x9);
  stack.leave(warp, 0x8);
  check(warp, 6, 0x9);
}

TEST_CASE("functions by pointer run one after the other, that of the lowest lane first") {
  Warp warp;
  PathStack stack;
  stack.start(warp, 0xf, 5);
  const auto call = to_each(warp, kernel::Opcode::call, {function, other_function, function, other_function});
  REQUIRE(stack.call(warp, call, 0xf));
  check(warp, function, 0x5);
  stack.leave(warp, 0x5);
  check(warp, other_function, 0xa);
  stack.leave(warp, 0xa);
  check(warp, 6, 0xf);
  CHECK_FALSE(stack.call(warp, call, 0x5));  // one function, if by pointer
  check(warp, function, 0x5);
}

TEST_CASE("a call at the end of a side comes back to where the sides meet") {
  Warp warp;
  PathStack stack;
  stack.start(warp, 0xf, 2);
  REQUIRE(stack.branch(warp, branch_to(10, 20), 0x3));
  warp.pc = 19;
  stack.call(warp, call_of(function), 0x3);
  stack.leave(warp, 0x3);
  check(warp, 3, 0xc);
  warp.pc = 20;
  stack.reconverge(warp);
  check(warp, 20, 0xf);
  CHECK(stack.depth() == 0);
}

TEST_CASE("a jump table: a path for each target, none for the meeting point") {
  Warp warp;
  PathStack stack;
  stack.start(warp, 0x1f, 5);
  auto jump = to_each(warp, kernel::Opcode::brx, {20, 10, 20, 30});
  jump.reconvergence = 30;
  REQUIRE(stack.branch(warp, jump, 0xf));  // lane 4 falls through
  check(warp, 20, 0x5);
  CHECK(stack.depth() == 3);
  warp.pc = 30;
  stack.reconverge(warp);
  check(warp, 10, 0x2);
  warp.pc = 30;
  stack.reconverge(warp);
  check(warp, 6, 0x10);
  warp.pc = 30;
  stack.reconverge(warp);
  check(warp, 30, 0x1f);
  CHECK(stack.depth() == 0);
}

TEST_CASE("a jump table with one target for all is no split") {
  Warp warp;
  PathStack stack;
  stack.start(warp, 0x7, 5);
  auto jump = to_each(warp, kernel::Opcode::brx, {20, 20, 20});
  jump.reconvergence = 30;
  CHECK_FALSE(stack.branch(warp, jump, 0x7));
  check(warp, 20, 0x7);
  CHECK(stack.depth() == 0);
}

}  // namespace reconverge

// SPDX-License-Identifier: Apache-2.0
// The reconvergence stack, step by step: the path that runs, and the reconvergence points.

#include "models/execution/path_stack.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <initializer_list>

namespace reconverge {
namespace {

/// An instruction at which paths may diverge, and the targets of its lanes.
struct Turn {
  kernel::Instruction instruction;
  Targets targets;
};

Turn branch_to(kernel::Pc target, kernel::Pc meeting) {
  Turn turn;
  turn.instruction.opcode = kernel::Opcode::bra;
  turn.instruction.target = target;
  turn.instruction.reconvergence = meeting;
  turn.targets.common = target;
  return turn;
}

constexpr kernel::Pc function = 100;
constexpr kernel::Pc other_function = 200;

Turn call_of(kernel::Pc target) {
  Turn turn;
  turn.instruction.opcode = kernel::Opcode::call;
  turn.instruction.target = target;
  turn.targets.common = target;
  return turn;
}

/// A branch through a table or a call by pointer: the target of lane i is `targets[i]`.
Turn to_each(kernel::Opcode opcode, std::initializer_list<kernel::Pc> targets) {
  Turn turn;
  turn.instruction.opcode = opcode;
  turn.targets.each = {};
  std::copy(targets.begin(), targets.end(), turn.targets.each.begin());
  return turn;
}

bool branch(PathStack& stack, Path& path, const Turn& turn, LaneMask taken) {
  return stack.branch(path, turn.instruction, taken, turn.targets);
}

bool call(PathStack& stack, Path& path, const Turn& turn, LaneMask lanes) {
  return stack.call(path, lanes, turn.targets);
}

void check(const Path& path, kernel::Pc pc, LaneMask lanes) {
  CHECK(path.pc == pc);
  CHECK(path.lanes == lanes);
}

}  // namespace

TEST_CASE("if/else: the taken path runs first, then the other path, then all lanes") {
  Path path;
  PathStack stack;
  path = stack.start(0xf, 0);
  path.pc = 2;
  REQUIRE(branch(stack, path, branch_to(10, 20), 0x3));
  REQUIRE(path.pc == 10);
  REQUIRE(path.lanes == 0x3);
  REQUIRE(path.stop == 20);
  path.pc = 20;
  stack.reconverge(path);
  REQUIRE(path.pc == 3);
  REQUIRE(path.lanes == 0xc);
  path.pc = 20;
  stack.reconverge(path);
  REQUIRE(path.pc == 20);
  REQUIRE(path.lanes == 0xf);
  REQUIRE(stack.depth() == 0);
}

TEST_CASE("a uniform branch does not change the stack") {
  Path path;
  PathStack stack;
  path = stack.start(0xff, 0);
  path.pc = 4;
  REQUIRE_FALSE(branch(stack, path, branch_to(9, 12), 0xff));
  REQUIRE(path.pc == 9);
  path.pc = 4;
  REQUIRE_FALSE(branch(stack, path, branch_to(9, 12), 0));
  REQUIRE(path.pc == 5);
  REQUIRE(stack.depth() == 0);
}

TEST_CASE("lanes that leave a loop one by one wait at its end, and the stack does not grow") {
  Path path;
  PathStack stack;
  path = stack.start(all_lanes, 0);
  LaneMask looping = all_lanes;
  // The loop has pcs 1 to 5, with the latch at 5. It ends at 6.
  for (unsigned lane = 0; lane + 1 < warp_size; ++lane) {
    looping &= ~lane_bit(lane);
    path.pc = 5;
    REQUIRE(branch(stack, path, branch_to(1, 6), looping));
    REQUIRE(path.pc == 1);
    REQUIRE(path.lanes == looping);
    REQUIRE(stack.depth() == 1);
  }
  path.pc = 5;
  REQUIRE_FALSE(branch(stack, path, branch_to(1, 6), 0));
  REQUIRE(path.pc == 6);
  REQUIRE(path.lanes == all_lanes);
}

TEST_CASE("lanes that exit on one path are not active at the reconvergence point") {
  Path path;
  PathStack stack;
  path = stack.start(0xff, 0);
  path.pc = 1;
  REQUIRE(branch(stack, path, branch_to(10, 20), 0x0f));
  path.pc = 12;
  stack.exit(path, 0x0f);
  REQUIRE(path.pc == 2);
  REQUIRE(path.lanes == 0xf0);
  path.pc = 20;
  stack.reconverge(path);
  REQUIRE(path.lanes == 0xf0);
  stack.exit(path, 0xf0);
}

TEST_CASE("paths that reconverge only at exit run one after the other") {
  Path path;
  PathStack stack;
  path = stack.start(0xff, 0);
  REQUIRE(branch(stack, path, branch_to(10, kernel::no_pc), 0x01));
  REQUIRE(path.lanes == 0x01);
  stack.exit(path, 0x01);
  REQUIRE(path.lanes == 0xfe);
  REQUIRE(path.pc == 1);
  stack.exit(path, 0xfe);
  REQUIRE(path.lanes == 0);
}

TEST_CASE("lanes that do not make a call wait after it") {
  Path path;
  PathStack stack;
  path = stack.start(0xf, 5);
  CHECK_FALSE(call(stack, path, call_of(function), 0x3));
  check(path, function, 0x3);
  CHECK(path.stop == kernel::no_pc);
  CHECK(stack.depth() == 1);
  path.pc = 107;
  stack.leave(path, 0x3);
  check(path, 6, 0xf);
  CHECK(stack.depth() == 0);
}

TEST_CASE("a call that no lane makes has no effect") {
  Path path;
  PathStack stack;
  path = stack.start(0xf, 5);
  CHECK_FALSE(call(stack, path, call_of(function), 0));
  check(path, 6, 0xf);
  CHECK(stack.depth() == 0);
}

TEST_CASE("recursion: the deepest calls end first, and each level continues with its lanes") {
  Path path;
  PathStack stack;
  path = stack.start(0xf, 5);
  call(stack, path, call_of(function), 0xf);
  path.pc = 101;
  call(stack, path, call_of(function), 0x7);
  check(path, function, 0x7);
  path.pc = 101;
  call(stack, path, call_of(function), 0x1);
  check(path, function, 0x1);
  CHECK(stack.depth() == 3);
  stack.leave(path, 0x1);
  check(path, 102, 0x7);
  stack.leave(path, 0x7);
  check(path, 102, 0xf);
  stack.leave(path, 0xf);
  check(path, 6, 0xf);
}

TEST_CASE("lanes that return early reconverge after the call, not in the function") {
  Path path;
  PathStack stack;
  path = stack.start(0xf, 5);
  call(stack, path, call_of(function), 0xf);
  path.pc = 101;
  REQUIRE(branch(stack, path, branch_to(110, 120), 0x3));
  stack.leave(path, 0x1);  // a guarded ret: lane 1 continues
  check(path, 111, 0x2);
  stack.leave(path, 0x2);
  check(path, 102, 0xc);
  CHECK(path.stop == 120);
  path.pc = 120;
  stack.reconverge(path);
  check(path, 120, 0xc);
  stack.leave(path, 0xc);
  check(path, 6, 0xf);
}

TEST_CASE("threads that exit in a function do not return to its caller") {
  Path path;
  PathStack stack;
  path = stack.start(0xf, 5);
  call(stack, path, call_of(function), 0xe);
  stack.exit(path, 0x6);
  check(path, 101, 0x8);
  stack.leave(path, 0x8);
  check(path, 6, 0x9);
}

TEST_CASE("functions called by pointer run one after the other, first the function of the lowest lane") {
  Path path;
  PathStack stack;
  path = stack.start(0xf, 5);
  const auto of_each = to_each(kernel::Opcode::call, {function, other_function, function, other_function});
  REQUIRE(call(stack, path, of_each, 0xf));
  check(path, function, 0x5);
  stack.leave(path, 0x5);
  check(path, other_function, 0xa);
  stack.leave(path, 0xa);
  check(path, 6, 0xf);
  CHECK_FALSE(call(stack, path, of_each, 0x5));  // all lanes call the same function
  check(path, function, 0x5);
}

TEST_CASE("a call at the end of a path returns to the reconvergence point") {
  Path path;
  PathStack stack;
  path = stack.start(0xf, 2);
  REQUIRE(branch(stack, path, branch_to(10, 20), 0x3));
  path.pc = 19;
  call(stack, path, call_of(function), 0x3);
  stack.leave(path, 0x3);
  check(path, 3, 0xc);
  path.pc = 20;
  stack.reconverge(path);
  check(path, 20, 0xf);
  CHECK(stack.depth() == 0);
}

TEST_CASE("a jump table creates a path for each target except the reconvergence point") {
  Path path;
  PathStack stack;
  path = stack.start(0x1f, 5);
  auto jump = to_each(kernel::Opcode::brx, {20, 10, 20, 30});
  jump.instruction.reconvergence = 30;
  REQUIRE(branch(stack, path, jump, 0xf));  // lane 4 falls through
  check(path, 20, 0x5);
  CHECK(stack.depth() == 3);
  path.pc = 30;
  stack.reconverge(path);
  check(path, 10, 0x2);
  path.pc = 30;
  stack.reconverge(path);
  check(path, 6, 0x10);
  path.pc = 30;
  stack.reconverge(path);
  check(path, 30, 0x1f);
  CHECK(stack.depth() == 0);
}

TEST_CASE("a jump table with one target for all lanes does not diverge") {
  Path path;
  PathStack stack;
  path = stack.start(0x7, 5);
  auto jump = to_each(kernel::Opcode::brx, {20, 20, 20});
  jump.instruction.reconvergence = 30;
  CHECK_FALSE(branch(stack, path, jump, 0x7));
  check(path, 20, 0x7);
  CHECK(stack.depth() == 0);
}

}  // namespace reconverge

// SPDX-License-Identifier: Apache-2.0
// The members of exchanges between lanes, and the effect of absent members.

#include "models/execution/operations/members.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "models/core/error.hpp"
#include "tests/unit/sm/test_warp.hpp"

namespace reconverge {
namespace {

using tests::kernel_of;
using tests::TestWarp;

constexpr const char* naming[] = {
    "vote.sync.ballot.b32 %r1, %p1, %r2;",
    "shfl.sync.idx.b32 %r1, %r3, 0, 31, %r2;",
    "match.any.sync.b32 %r1, %r3, %r2;",
    "redux.sync.add.u32 %r1, %r3, %r2;",
    "elect.sync %r1|%p1, %r2;",
    "bar.warp.sync %r2;",
};

constexpr const char* without[] = {
    "vote.ballot.b32 %r1, %p1;",
    "shfl.idx.b32 %r1, %r3, 0, 31;",
    "activemask.b32 %r1;",
};

std::string failure(const kernel::Instruction& instruction, const ExecutionContext& context, LaneMask lanes) {
  try {
    require_members(instruction, context, lanes);
  } catch (const ExecutionError& error) {
    return error.what();
  }
  return "no failure";
}

/// The register that is %r2 of `naming`: the only row besides %r3 that the instruction reads.
kernel::Operand members_of_text(const kernel::Instruction& instruction, const std::string& text) {
  if (text.starts_with("elect") || text.starts_with("bar")) return instruction.source[0];
  return instruction.source[text.starts_with("shfl") ? 3 : 1];
}

}  // namespace

TEST_CASE("the .sync forms name their members, lane by lane") {
  for (const char* text : naming) {
    INFO(text);
    const auto program = kernel_of(text);
    const auto& instruction = program.instructions[0];
    TestWarp warp(program);
    const auto members = members_of_text(instruction, text);
    warp.fill(members, 0x0f);
    warp.word(members, 31) = 0x80000000;
    CHECK(is_exchange(instruction));
    REQUIRE(names_members(instruction));
    CHECK(members_of(instruction, warp.warp.context, 0) == 0x0f);
    CHECK(members_of(instruction, warp.warp.context, 31) == 0x80000000);
  }
}

TEST_CASE("exchanges without named members apply to the lanes present") {
  for (const char* text : without) {
    INFO(text);
    const auto program = kernel_of(text);
    const auto& instruction = program.instructions[0];
    TestWarp warp(program);
    CHECK(is_exchange(instruction));
    CHECK_FALSE(names_members(instruction));
    CHECK(members_of(instruction, warp.warp.context, 3) == all_lanes);
    CHECK(failure(instruction, warp.warp.context, 0x1) == "no failure");
  }
  for (const char* text : {"add.u32 %r1, %r2, %r3;", "bar.sync 0;"}) {
    INFO(text);
    CHECK_FALSE(is_exchange(kernel_of(text).instructions[0]));
    CHECK_FALSE(names_members(kernel_of(text).instructions[0]));
  }
}

TEST_CASE("live members have to be present, but ended members do not") {
  const auto program = kernel_of("redux.sync.add.u32 %r1, %r3, %r2;");
  const auto& instruction = program.instructions[0];
  TestWarp warp(program);
  warp.fill(instruction.source[1], 0xff);
  CHECK(failure(instruction, warp.warp.context, 0xff) == "no failure");
  CHECK(failure(instruction, warp.warp.context, 0xfff) == "no failure");
  const std::string message = failure(instruction, warp.warp.context, 0xcf);
  CHECK_THAT(message, Catch::StartsWith("t.ptx:3: 'redux' waits for lane 4, which is not here, in kernel 'k' (block 7, "
                                        "warp 0, lane 0)"));
  warp.warp.context.live = 0xffffffcf;
  CHECK(failure(instruction, warp.warp.context, 0xcf) == "no failure");
  // It is enough if one lane names an absent member.
  warp.word(instruction.source[1], 2) = 0x1ff;
  CHECK_THAT(failure(instruction, warp.warp.context, 0xcf), Catch::Contains("lane 8") && Catch::Contains("lane 2)"));
}

}  // namespace reconverge

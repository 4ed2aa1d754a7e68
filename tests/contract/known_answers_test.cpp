// SPDX-License-Identifier: Apache-2.0
// Counts calculated by hand: how many warp instructions a scheme issues for small kernels, and with how many lanes. All
// kernels are written out in full, so that every instruction is visible.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <catch2/catch.hpp>

#include "blocks/mimd.hpp"
#include "blocks/reconvergence_stack.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "testbenches/contract/kernels.hpp"
#include "testbenches/contract/machines.hpp"

namespace reconverge::contract {
namespace {

/// One warp of 32 threads runs `body`, whose first instruction writes the lane number to %l.
Case one_warp(std::string_view body, Dim3 grid = {1}, Dim3 block = {32}) {
  Case result;
  result.name = "known answer";
  const std::string text = fmt::format(R"(
.version 6.0
.target sm_60
.address_size 64
.visible .entry kernel(.param .u64 input, .param .u64 output, .param .u64 sums)
{{
  .reg .u32 %l, %r<8>;
  .reg .pred %p<4>;
  mov.u32 %l, %tid.x;
{}
}}
)",
                                       body);
  result.program = kernel::load_program_text(text, result.name, "kernel");
  result.grid = grid;
  result.block = block;
  result.output_bytes = 4;
  return result;
}

Statistics totals_of(const Case& test_case, std::string_view scheme) {
  GpuParameters parameters;
  parameters.sms = 1;
  parameters.sm.scheme = {std::string(scheme)};
  return run_timed(test_case, parameters).totals;
}

ByLanes stack_counts(const Case& test_case) { return by_lanes(totals_of(test_case, "reconvergence_stack")); }

/// As switch_text, for the lowest bits of the lane.
std::string switch_of(unsigned ways, unsigned length) {
  return fmt::format("  and.b32 %r0, %l, {};\n{}  ret;\n", ways - 1, switch_text("%r0", "%r1", ways, length));
}

}  // namespace

TEST_CASE("stack: a straight line issues each instruction once", "[known]") {
  const Case test_case = one_warp("  add.u32 %r0, %l, 1;\n  add.u32 %r1, %r0, 1;\n  ret;");
  CHECK(fmt::format("{}", stack_counts(test_case)) == fmt::format("{}", ByLanes{{32, 4}}));
}

TEST_CASE("stack: both paths of a branch run one after the other", "[known]") {
  // mov, setp and ret with all lanes. The branch counts the 8 lanes that take it. The other 24 run 2 instructions and
  // the 8 run 1; the 24 take the jump over the else side.
  const Case test_case = one_warp(R"(
  setp.lt.u32 %p0, %l, 8;
  @%p0 bra ELSE;
  add.u32 %r0, %l, 1;
  add.u32 %r0, %r0, 1;
  bra JOIN;
ELSE:
  add.u32 %r0, %l, 2;
JOIN:
  ret;)");
  CHECK(fmt::format("{}", stack_counts(test_case)) == fmt::format("{}", ByLanes{{32, 4}, {8, 1}, {24, 3}}));
}

TEST_CASE("stack: a k-way switch runs each path separately", "[known]") {
  const unsigned ways = GENERATE(2U, 4U, 8U, 16U, 32U);
  const unsigned length = GENERATE(1U, 5U);
  INFO(ways << " ways of " << length);
  const unsigned share = 32 / ways;
  // mov, and, ret with all lanes; test i and its branch are issued for the remaining lanes; each path runs `length`
  // instructions and its jump for its lanes.
  ByLanes expected;
  expected[32] += 3;
  for (unsigned i = 0; i + 1 < ways; ++i) expected[32 - i * share] += 2;
  expected[share] += ways * (length + 1);
  const Statistics totals = totals_of(one_warp(switch_of(ways, length)), "reconvergence_stack");
  CHECK(fmt::format("{}", by_lanes(totals)) == fmt::format("{}", expected));
  CHECK(totals.of<ReconvergenceStackStatistics>().divergent_branches == ways - 1);
  // Every test has a branch, and every path a jump.
  CHECK(totals.of<ReconvergenceStackStatistics>().branches == ways - 1 + ways);
}

TEST_CASE("stack: a loop runs as often as its longest lane, with fewer and fewer lanes", "[known]") {
  // Lane l runs l + 1 rounds of add, setp, bra. In round i (from 0) lanes i..31 are active; all of them but lane i
  // jump.
  const Case test_case = one_warp(R"(
  mov.u32 %r0, 0;
LOOP:
  add.u32 %r0, %r0, 1;
  setp.le.u32 %p0, %r0, %l;
  @%p0 bra LOOP;
  ret;)");
  ByLanes expected;
  expected[32] += 3;  // two moves and ret
  for (unsigned round = 0; round < 32; ++round) expected[32 - round] += 3;
  const Statistics totals = totals_of(test_case, "reconvergence_stack");
  CHECK(fmt::format("{}", by_lanes(totals)) == fmt::format("{}", expected));
  // In the last round no lane jumps, so it does not diverge; the stack holds the reconvergence point and never grows.
  CHECK(totals.of<ReconvergenceStackStatistics>().divergent_branches == 31);
  CHECK(totals.of<ReconvergenceStackStatistics>().depth[1] == 31);
}

TEST_CASE("stack: lanes that exit early never return", "[known]") {
  // 10 lanes leave by the guarded exit; the rest continue.
  const Case test_case = one_warp(R"(
  setp.lt.u32 %p0, %l, 10;
  @%p0 exit;
  add.u32 %r0, %l, 1;
  ret;)");
  CHECK(fmt::format("{}", stack_counts(test_case)) == fmt::format("{}", ByLanes{{32, 2}, {10, 1}, {22, 2}}));
}

TEST_CASE("stack: an instruction whose guard is false in all lanes takes a slot", "[known]") {
  const Case test_case = one_warp(R"(
  setp.gt.u32 %p0, %l, 99;
  @%p0 add.u32 %r0, %l, 1;
  @%p0 bra END;
  add.u32 %r1, %l, 1;
END:
  ret;)");
  CHECK(fmt::format("{}", stack_counts(test_case)) == fmt::format("{}", ByLanes{{32, 5}, {0, 1}}));
}

TEST_CASE("stack: the last warp of a block may be short", "[known]") {
  // Blocks of 40 threads: a warp of 32 and one of 8.
  const Case test_case = one_warp("  add.u32 %r0, %l, 1;\n  ret;", {3}, {40});
  CHECK(fmt::format("{}", stack_counts(test_case)) == fmt::format("{}", ByLanes{{32, 9}, {8, 9}}));
}

TEST_CASE("mimd: every slot is full while all lanes live", "[known]") {
  // Two paths of the same length: mov, and, setp, bra for all; then each slot holds one instruction of either path.
  const Case test_case = one_warp(R"(
  and.b32 %r0, %l, 1;
  setp.eq.u32 %p0, %r0, 0;
  @%p0 bra EVEN;
  add.u32 %r1, %l, 1;
  add.u32 %r1, %r1, 1;
  ret;
EVEN:
  mul.lo.u32 %r1, %l, 3;
  mul.lo.u32 %r1, %r1, 3;
  exit;)");
  const Statistics totals = totals_of(test_case, "mimd");
  CHECK(fmt::format("{}", by_lanes(totals)) == fmt::format("{}", ByLanes{{32, 4 + 3}}));
  CHECK(totals.of<MimdStatistics>().paths == 4 + 2 * 3);
  // The stack runs both paths one after the other.
  CHECK(fmt::format("{}", stack_counts(test_case)) == fmt::format("{}", ByLanes{{32, 4}, {16, 6}}));
}

TEST_CASE("mimd: threads that end make room, so lanes stay full", "[known]") {
  // Sixteen threads for each lane of the SM, each with a different number of rounds, and enough warps that all lanes of
  // a warp are ready whenever it issues. A lane whose thread ends gets the next thread at once. A thread issues 52.5
  // instructions on average; its last branch is not taken, which leaves 51.5 / 52.5 of the lanes. The end of the launch
  // costs a little more.
  const Case test_case = one_warp(R"(
  mov.u32 %r0, 0;
LOOP:
  add.u32 %r0, %r0, 1;
  setp.le.u32 %p0, %r0, %l;
  @%p0 bra LOOP;
  ret;)",
                                  {1024}, {32});
  GpuParameters parameters;
  parameters.sms = 1;
  parameters.sm.scheduler.count = 1;
  parameters.sm.scheduler.dispatch = 1;
  parameters.sm.scheduler.policy = WarpSchedulerPolicy::loose_round_robin;
  const auto efficiency = [&](std::string_view scheme) {
    parameters.sm.scheme = {std::string(scheme)};
    const TimedOutcome run = run_timed(test_case, parameters);
    return static_cast<double>(run.thread_instructions) /
           (32.0 * static_cast<double>(sum(run.totals.of<WarpSchedulerStatistics>().active_lanes)));
  };
  CHECK(efficiency("mimd") > 0.9);
  CHECK(efficiency("reconvergence_stack") < 0.6);
}

}  // namespace reconverge::contract

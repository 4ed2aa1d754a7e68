// SPDX-License-Identifier: Apache-2.0
// An SM whose schedulers share one instruction fetch and one operand collector, as in GPGPU-Sim 3.2.1: the time from
// the issue of an instruction to the issue of a dependent one, and the number of instructions in flight.
//
// An instruction that issues in cycle t enters a collector unit in t + 1 and reads its n rows from t + 2 on, one a
// cycle. It waits one cycle for its latch and one for its pipe, and spends L + 2 cycles in the pipe. So a reader of its
// result issues L + n + 5 cycles after it. The instruction occupies a collector unit for n + 1 cycles, so six units
// serve six instructions in n + 1 cycles.

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/microbench/microbench.hpp"

namespace reconverge::tests {
namespace {

GpuParameters shared_front_end() {
  GpuParameters parameters = plain_machine();
  SmParameters& sm = parameters.sm;
  sm.scheduler.count = 4;
  sm.scheduler.dispatch = 1;
  sm.scheduler.policy = WarpSchedulerPolicy::loose_round_robin;
  sm.fetch.model = InstructionFetchModel::cached;
  sm.fetch.sharing = InstructionFetchSharing::sm;
  sm.fetch.refill = InstructionFetchRefill::empty;
  sm.fetch.group = 2;
  sm.fetch.latency = 2;
  sm.operand_collector.sharing = OperandCollectorSharing::sm;
  sm.operand_collector.units = 6;
  sm.operand_collector.special_units = 8;
  sm.operand_collector.memory_units = 2;
  sm.operand_collector.unit_reads = 1;
  sm.operand_collector.latches = 2;
  sm.operand_collector.banks = 64;
  sm.operand_collector.result_bus = 2;
  sm.lanes.grouping = LanesGrouping::opcodes;
  sm.lanes.alu_units = 2;
  sm.lanes.alu_interval = 1;
  sm.lanes.alu_latency = 1;
  sm.lanes.branch_decided = LanesBranchDecided::issue;
  sm.lanes.branch_latency = 1;
  sm.lanes.writeback = 2;
  return parameters;
}

constexpr unsigned registers = 16;

/// A loop of the instructions in `body`. They may use %f0 to %f15 and %f100; the kernel reads %f0 to %f15 after the
/// loop.
Microbench loop(const std::string& body, unsigned warps = 1) {
  Microbench bench{"front_end", "front_end", 1, warps * 32};
  std::string reads;
  for (unsigned i = 0; i < registers; ++i) reads += fmt::format("st.global.f32 [%b+{}], %f{};\n", 4 * i, i);
  bench.text = fmt::format(
      ".version 6.0\n.target sm_60\n.address_size 64\n"
      ".visible .entry front_end(.param .u64 buffer, .param .u32 count, .param .u32 size)\n"
      "{{\n.reg .pred %p;\n.reg .u32 %n;\n.reg .u64 %b;\n.reg .f32 %f<101>;\n"
      "ld.param.u32 %n, [count];\nld.param.u64 %b, [buffer];\n"
      "LOOP:\n{}sub.u32 %n, %n, 1;\nsetp.ne.u32 %p, %n, 0;\n@%p bra LOOP;\n{}ret;\n}}\n",
      body, reads);
  return bench;
}

/// `count` independent instructions, such as "fma.rn.f32 {}, %f100, %f100, %f100;".
std::string independent(std::string_view instruction, unsigned count) {
  std::string body;
  for (unsigned i = 0; i < count; ++i) {
    body += fmt::format(fmt::runtime(instruction), fmt::format("%f{}", i % registers)) + "\n";
  }
  return body;
}

}  // namespace

TEST_CASE("a dependent instruction issues latency + rows + 5 cycles after its producer") {
  struct Row {
    const char* instruction;
    Cycle latency;
    Cycle rows;
  };
  const Row row = GENERATE(Row{"add.rn.f32 %f1, %f1, 0f3F800000;", 4, 1}, Row{"add.rn.f32 %f1, %f1, %f1;", 4, 2},
                           Row{"max.f32 %f1, %f1, %f2;", 13, 2}, Row{"fma.rn.f32 %f1, %f1, %f2, %f3;", 1, 3},
                           Row{"sqrt.approx.f32 %f1, %f1;", 8, 1}, Row{"div.full.f32 %f1, %f1, %f2;", 39, 2});
  std::string body;
  for (unsigned i = 0; i < 16; ++i) body += std::string(row.instruction) + "\n";
  const Cycle each = row.latency + row.rows + 5;
  // After the chain follow the loop counter (4 + 1 + 5 cycles), the comparison (1 + 1 + 5 cycles), and the branch. The
  // loop has 19 instructions, so the branch ends a buffer of two, and two fetches of two cycles follow each other.
  const Cycle counter = 4 + 1 + 5 + 1 + 1 + 5;
  const Growth growth = tests::growth(loop(body), 10, 30, shared_front_end());
  CAPTURE(row.instruction, growth.cycles / 20, each);
  CHECK(growth.cycles >= 20 * 16 * each);
  CHECK(growth.cycles <= 20 * std::max(16 * each, 15 * each + counter + 6));
}

TEST_CASE("all schedulers together fetch two instructions a cycle") {
  GpuParameters parameters = shared_front_end();
  parameters.sm.operand_collector.units = 0;
  parameters.sm.lanes.alu_units = 8;
  const unsigned length = 125;  // plus three instructions of the loop
  const unsigned warps = 32;
  const std::string body = independent("mov.f32 {}, 0f3F800000;", length);
  CHECK(within(growth(loop(body, warps), 10, 30, parameters).cycles_each(), warps * 128 / 2, 2));
  parameters.sm.fetch.sharing = InstructionFetchSharing::sub_core;
  CHECK(within(growth(loop(body, warps), 10, 30, parameters).cycles_each(), warps * 128 / 4, 3));
}

TEST_CASE("each collector unit accepts an instruction of n rows every n + 1 cycles") {
  const unsigned rows = GENERATE(2U, 3U);
  const unsigned units = GENERATE(2U, 3U, 6U);
  GpuParameters parameters = shared_front_end();
  parameters.sm.operand_collector.units = units;
  const char* const instruction = rows == 2 ? "add.rn.f32 {}, %f100, %f100;" : "fma.rn.f32 {}, %f100, %f100, %f100;";
  const unsigned length = 125;
  const unsigned warps = 32;
  const double expected = std::max(warps * length * (rows + 1.0) / units, warps * 128 / 2.0);
  const double measured = growth(loop(independent(instruction, length), warps), 10, 30, parameters).cycles_each();
  CAPTURE(rows, units, measured, expected);
  CHECK(measured >= expected * 0.99);
  CHECK(measured <= expected * 1.12);  // allows for bank conflicts between instructions
}

TEST_CASE("an instruction occupies its pipe for the interval of its opcode") {
  const unsigned warps = 32;
  const unsigned length = 125;
  const GpuParameters parameters = shared_front_end();
  // Two pipes with an interval of two cycles accept one instruction a cycle.
  const std::string maxima = independent("max.f32 {}, %f100, 0f3F800000;", length);
  CHECK(within(growth(loop(maxima, warps), 10, 30, parameters).cycles_each(), warps * length, 4));
  // One special-function pipe has an interval of eight cycles.
  const std::string roots = independent("sqrt.approx.f32 {}, %f100;", length);
  CHECK(within(growth(loop(roots, warps), 10, 30, parameters).cycles_each(), 8 * warps * length, 2));
}

TEST_CASE("a taken branch takes three cycles within a buffer and four at its end") {
  // A single warp waits for the result of the comparison, so its fetches are complete before the branch issues.
  GpuParameters parameters = shared_front_end();
  const auto cycles = [&](unsigned length) {
    return growth(loop(independent("mov.f32 {}, 0f3F800000;", length)), 10, 30, parameters).cycles / 20;
  };
  // A pair of instructions takes two cycles to issue and two to fetch. The first cycle of the fetch overlaps the issue
  // of the second instruction, so each pair takes three cycles.
  const Cycle even = cycles(16);
  const Cycle odd = cycles(17);
  CHECK(cycles(18) == even + 3);
  CHECK(cycles(19) == odd + 3);
  CAPTURE(even, odd);
  CHECK(odd != even);
}

}  // namespace reconverge::tests

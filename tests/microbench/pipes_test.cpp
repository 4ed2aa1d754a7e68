// SPDX-License-Identifier: Apache-2.0
// Latency and rate of every operation class, dual issue, register banks, and the result bus.

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/microbench/microbench.hpp"

namespace reconverge::tests {
namespace {

/// A class of operations: its kernel in chains.ptx and pipes.ptx, its parameters, and its counter.
struct OperationKind {
  const char* entry;
  std::uint64_t LanesParameters::*latency;
  std::uint64_t LanesParameters::*units;
  std::uint64_t LanesParameters::*interval;
  LanesInstructions counter;
  unsigned operations;  ///< operations of the pipe in an iteration of pipes.ptx, with separate integer pipes
};

constexpr OperationKind kinds[] = {
    {"single", &LanesParameters::alu_latency, &LanesParameters::alu_units, &LanesParameters::alu_interval,
     LanesInstructions::alu, 9},  // includes the branch
    {"integer", &LanesParameters::integer_latency, &LanesParameters::integer_units, &LanesParameters::integer_interval,
     LanesInstructions::integer, 10},  // includes subtraction and comparison
    {"multiply", &LanesParameters::multiply_latency, &LanesParameters::multiply_units,
     &LanesParameters::multiply_interval, LanesInstructions::multiply, 8},
    {"special", &LanesParameters::special_latency, &LanesParameters::special_units, &LanesParameters::special_interval,
     LanesInstructions::special, 8},
    {"fp64", &LanesParameters::fp64_latency, &LanesParameters::fp64_units, &LanesParameters::fp64_interval,
     LanesInstructions::fp64, 8},
    {"matrix", &LanesParameters::matrix_latency, &LanesParameters::matrix_units, &LanesParameters::matrix_interval,
     LanesInstructions::matrix, 8},
};

/// A machine on which loop counters use the integer pipes.
GpuParameters machine_with_integer_pipes() {
  GpuParameters parameters = plain_machine();
  parameters.sm.lanes.integer_units = 4;
  parameters.sm.lanes.integer_latency = 5;
  parameters.sm.scheduler.policy = WarpSchedulerPolicy::loose_round_robin;
  return parameters;
}

/// Microbenchmarks of pipes.ptx, with sixteen warps for each of four schedulers.
constexpr unsigned many_warps = 64;
Microbench many(const OperationKind& kind) { return {"pipes", kind.entry, 2, many_warps / 2 * 32}; }

}  // namespace

TEST_CASE("a dependent operation waits for the latency of its class") {
  for (const OperationKind& kind : kinds) {
    for (const Cycle latency : {4U, 11U, 19U, 200U}) {
      for (const Cycle branch : {3U, 16U}) {
        GpuParameters parameters = machine_with_integer_pipes();
        parameters.sm.lanes.*kind.latency = latency;
        parameters.sm.lanes.matrix_interval = 1;
        parameters.sm.lanes.branch_latency = branch;
        const Cycle counter = parameters.sm.lanes.integer_latency;
        const Cycle expected = std::max(8 * latency, std::max(7 * latency, counter) + counter + branch);
        CAPTURE(kind.entry, latency, branch);
        const Growth growth = tests::growth({"chains", kind.entry}, 10, 30, parameters);
        CHECK(growth.cycles == 20 * expected);
        CHECK(growth.totals.of<LanesStatistics>().instructions[kind.counter] >= 20 * 8);
      }
    }
  }
}

TEST_CASE("integer instructions without separate pipes use the single-precision pipes") {
  GpuParameters parameters = plain_machine();
  parameters.sm.lanes.integer_latency = 500;
  const Cycle latency = parameters.sm.lanes.alu_latency;
  const Growth growth = tests::growth({"chains", "integer"}, 10, 30, parameters);
  CHECK(growth.cycles == 20 * (8 * latency + parameters.sm.lanes.branch_latency));
  CHECK(growth.totals.of<LanesStatistics>().instructions[LanesInstructions::integer] == 0);
}

TEST_CASE("each unit of a pipe accepts an instruction every interval") {
  for (const OperationKind& kind : kinds) {
    for (const Cycle interval : {4U, 8U, 17U}) {
      for (const std::uint64_t units : {1U, 2U, 3U}) {
        GpuParameters parameters = machine_with_integer_pipes();
        parameters.sm.lanes.*kind.interval = interval;
        parameters.sm.lanes.*kind.units = units;
        const double expected = double(many_warps * kind.operations * interval) / double(units);
        CAPTURE(kind.entry, interval, units);
        CHECK(within(growth(many(kind), 10, 40, parameters).cycles_each(), expected, 1));
      }
    }
  }
}

TEST_CASE("four schedulers with separate pipes have four times the throughput") {
  for (const OperationKind& kind : kinds) {
    GpuParameters parameters = machine_with_integer_pipes();
    parameters.sm.lanes.*kind.interval = 12;
    parameters.sm.lanes.*kind.units = 1;
    parameters.sm.lanes.sharing = LanesSharing::sub_core;
    CAPTURE(kind.entry);
    CHECK(within(growth(many(kind), 10, 40, parameters).cycles_each(), many_warps / 4 * kind.operations * 12, 1));
  }
}

TEST_CASE("four schedulers share only the double-precision pipes of the SM") {
  for (const OperationKind& kind : kinds) {
    GpuParameters parameters = machine_with_integer_pipes();
    parameters.sm.lanes.*kind.interval = 12;
    parameters.sm.lanes.*kind.units = 1;
    parameters.sm.lanes.sharing = LanesSharing::sub_core;
    parameters.sm.lanes.fp64_sharing = LanesFp64Sharing::sm;
    const bool shared = kind.counter == LanesInstructions::fp64;
    CAPTURE(kind.entry);
    const double expected = double((shared ? many_warps : many_warps / 4) * kind.operations * 12);
    CHECK(within(growth(many(kind), 10, 40, parameters).cycles_each(), expected, 1));
    parameters.sm.operand_collector.units = 8;
    if (shared) CHECK(within(growth(many(kind), 10, 40, parameters).cycles_each(), expected, 1));
  }
}

TEST_CASE("opcodes in the list have the latency and the interval of the list") {
  GpuParameters parameters = machine_with_integer_pipes();
  parameters.sm.lanes.special_units = 1;
  parameters.sm.lanes.fp64_units = 1;
  parameters.sm.lanes.opcodes = "add.f32 special 23 6, sqrt fp64 31 9, mul alu 14 1, sub alu 1 1";
  const Cycle loop = parameters.sm.lanes.integer_latency + parameters.sm.lanes.branch_latency;
  const auto chain = [&](const char* entry) { return growth({"chains", entry}, 10, 30, parameters).cycles; };
  CHECK(chain("single") == 20 * std::max<Cycle>(8 * 23, 7 * 23 + loop));
  CHECK(chain("special") == 20 * std::max<Cycle>(8 * 31, 7 * 31 + loop));
  CHECK(chain("multiply") == 20 * std::max<Cycle>(8 * 14, 7 * 14 + loop));
  const auto rate = [&](const OperationKind& kind) { return growth(many(kind), 10, 40, parameters).cycles_each(); };
  CHECK(within(rate(kinds[0]), many_warps * 8 * 6, 1));
  CHECK(within(rate(kinds[3]), many_warps * 8 * 9, 1));
}

TEST_CASE("a second dispatch unit doubles the rate of independent chains") {
  GpuParameters parameters = plain_machine();
  parameters.sm.lanes.alu_latency = 1;
  parameters.sm.lanes.branch_latency = GENERATE(1U, 11U);
  parameters.sm.scheduler.dispatch = GENERATE(1U, 2U);
  const Cycle steps = 16 / parameters.sm.scheduler.dispatch;
  const Growth growth = tests::growth({"dual_issue", "pair"}, 10, 30, parameters);
  CHECK(growth.cycles == 20 * (steps + 2 + parameters.sm.lanes.branch_latency));
}

TEST_CASE("a register bank reads and writes one row a cycle") {
  struct Rows {
    const char* entry;
    Cycle read;
    Cycle written;
  };
  for (const Rows rows : {Rows{"two", 2, 1}, Rows{"three", 3, 1}, Rows{"pairs", 4, 2}}) {
    for (const Cycle latency : {13U, 24U}) {
      GpuParameters parameters = machine_with_integer_pipes();
      parameters.sm.operand_collector.units = 8;
      parameters.sm.operand_collector.result_bus = 4;
      parameters.sm.lanes.alu_latency = latency;
      parameters.sm.lanes.fp64_latency = latency;
      const Cycle counter = parameters.sm.lanes.integer_latency;
      const auto expected = [&](Cycle read, Cycle written) {
        const Cycle share = latency + read - 1 + written - 1;
        return 7 * share + std::max(share, read + counter + parameters.sm.lanes.branch_latency);
      };
      CAPTURE(rows.entry, latency);
      parameters.sm.operand_collector.banks = 1;
      CHECK(growth({"register_banks", rows.entry}, 10, 30, parameters).cycles ==
            20 * expected(rows.read, rows.written));
      parameters.sm.operand_collector.banks = 64;
      CHECK(growth({"register_banks", rows.entry}, 10, 30, parameters).cycles ==
            20 * (7 * latency + std::max(latency, counter + parameters.sm.lanes.branch_latency)));
    }
  }
}

/// A machine with one scheduler of two dispatch units; all registers of a warp are in different banks.
GpuParameters machine_with_collector() {
  GpuParameters parameters = machine_with_integer_pipes();
  parameters.sm.scheduler.count = 1;
  parameters.sm.operand_collector.units = 16;
  parameters.sm.operand_collector.banks = 64;
  parameters.sm.operand_collector.result_bus = 4;
  return parameters;
}

TEST_CASE("one collector unit limits issue to one instruction a cycle, even with two dispatch units") {
  GpuParameters parameters = machine_with_collector();
  parameters.sm.operand_collector.units = GENERATE(1U, 16U);
  // A warp issues its eleven instructions in five pairs and one single, or one by one.
  const unsigned cycles = parameters.sm.operand_collector.units == 1 ? 11 : 6;
  CHECK(within(growth(many(kinds[0]), 10, 40, parameters).cycles_each(), many_warps * cycles, 2));
}

TEST_CASE("a result bus carries one result a cycle") {
  GpuParameters parameters = machine_with_collector();
  parameters.sm.operand_collector.result_bus = GENERATE(1U, 2U);
  // An iteration has eight results of additions and one of the counter. At most two instructions issue in a cycle.
  const double results = many_warps * 9.0 / static_cast<double>(parameters.sm.operand_collector.result_bus);
  const double issue = many_warps * 6;
  CHECK(within(growth(many(kinds[0]), 10, 40, parameters).cycles_each(), std::max(results, issue), 2));
}

}  // namespace reconverge::tests

// SPDX-License-Identifier: Apache-2.0
// The lanes through their socket: pipes, the instructions that they accept, how long these occupy them, and refusals.

#include "tests/unit/sm/lanes_bench.hpp"

namespace reconverge {
namespace {

using kernel::OperationClass;
using tests::of_class;
using tests::one_of_each;
using Bench = tests::LanesBench;

}  // namespace

TEST_CASE("lanes: each class of operations has its pipe, latency and interval") {
  struct Row {
    OperationClass operation_class;
    LanesBusyCycles pipe;
    LanesInstructions counter;
    Cycle latency;
    Cycle interval;
  };
  const Row row = GENERATE(Row{OperationClass::alu, LanesBusyCycles::alu, LanesInstructions::alu, 11, 2},
                           Row{OperationClass::barrier, LanesBusyCycles::alu, LanesInstructions::alu, 11, 2},
                           Row{OperationClass::control, LanesBusyCycles::alu, LanesInstructions::alu, 9, 2},
                           Row{OperationClass::multiply, LanesBusyCycles::multiply, LanesInstructions::multiply, 13, 3},
                           Row{OperationClass::warp, LanesBusyCycles::multiply, LanesInstructions::warp, 13, 3},
                           Row{OperationClass::special, LanesBusyCycles::special, LanesInstructions::special, 20, 8},
                           Row{OperationClass::fp64, LanesBusyCycles::fp64, LanesInstructions::fp64, 24, 16},
                           Row{OperationClass::matrix, LanesBusyCycles::matrix, LanesInstructions::matrix, 21, 10});
  Bench bench;
  const auto decoded = of_class(row.operation_class);
  const auto first = bench.issue(decoded, 100);
  REQUIRE(first.start == 100);
  REQUIRE(first.result == 100 + row.latency);
  REQUIRE_FALSE(first.from_memory);
  REQUIRE(bench.statistics().instructions[row.counter] == 1);
  REQUIRE(bench.statistics().busy_cycles[row.pipe] == row.interval);
  const auto refused = bench.issue(decoded, 100 + row.interval - 1);
  REQUIRE(refused.refusal == Refusal::pipe);
  REQUIRE(refused.retry == 100 + row.interval);
  REQUIRE(bench.statistics().instructions[row.counter] == 1);
  REQUIRE(bench.issue(decoded, 100 + row.interval).start == 100 + row.interval);
}

TEST_CASE("lanes: matrix steps of 8 rows take half the cycles, and double precision takes four times the cycles") {
  const auto busy = [](unsigned kind) {
    Bench bench;
    auto decoded = of_class(OperationClass::matrix);
    decoded.kind = static_cast<std::uint8_t>(kind);
    REQUIRE(bench.issue(decoded, 0).result == 21);
    return bench.statistics().busy_cycles[LanesBusyCycles::matrix];
  };
  REQUIRE(busy(0) == 10);
  REQUIRE(busy(1) == 5);
  REQUIRE(busy(2) == 40);
}

TEST_CASE("lanes: pipes of different kinds accept instructions in the same cycle") {
  Bench bench;
  for (const auto one : {OperationClass::alu, OperationClass::multiply, OperationClass::special, OperationClass::fp64,
                         OperationClass::matrix})
    REQUIRE(bench.issue(of_class(one), 0).refusal == Refusal::none);
}

TEST_CASE("lanes: only lanes that pass the guard execute, and an instruction without lanes occupies its pipe") {
  Bench bench;
  const auto decoded = of_class(OperationClass::alu);
  auto some = bench.request(decoded, 0);
  some.lanes = 0xf0;
  bench.source.send(some);
  REQUIRE(bench.warp.context.active == 0xf0);
  REQUIRE(bench.issue(decoded, 1).refusal == Refusal::pipe);
  REQUIRE(bench.warp.context.active == 0xf0);  // a refused instruction has no effect
  auto none = bench.request(decoded, 2);
  none.lanes = 0;
  REQUIRE(bench.source.send(none).result == 13);
  REQUIRE(bench.warp.context.active == 0xf0);
  REQUIRE(bench.issue(decoded, 3).refusal == Refusal::pipe);
}

TEST_CASE("lanes: n units accept n instructions") {
  auto parameters = one_of_each();
  parameters.alu_units = 3;
  Bench bench(parameters);
  const auto decoded = of_class(OperationClass::alu);
  REQUIRE(bench.issue(decoded, 0).refusal == Refusal::none);
  for (unsigned i = 0; i < 2; ++i) REQUIRE(bench.issue(decoded, 1).refusal == Refusal::none);
  REQUIRE(bench.issue(decoded, 1).retry == 2);
  REQUIRE(bench.issue(decoded, 2).refusal == Refusal::none);
  REQUIRE(bench.issue(decoded, 2).retry == 3);
}

TEST_CASE("lanes: instructions in an operand collector wait for their pipe in order") {
  Bench bench;
  const auto decoded = of_class(OperationClass::alu);
  REQUIRE(bench.collected(decoded, 0, 3).start == 3);
  REQUIRE(bench.collected(decoded, 0, 0).start == 5);  // after the older one
  const auto third = bench.collected(decoded, 1, 9);
  REQUIRE(third.start == 9);
  REQUIRE(third.result == 9 + 11);
}

TEST_CASE("lanes: schedulers share the pipes of the SM, or have separate pipes") {
  auto parameters = one_of_each();
  parameters.sharing = GENERATE(LanesSharing::sm, LanesSharing::sub_core);
  Bench bench(parameters);
  const auto decoded = of_class(OperationClass::fp64);
  bench.issue(decoded, 0);
  auto other = bench.request(decoded, 0);
  other.scheduler = 1;
  REQUIRE((bench.source.send(other).refusal == Refusal::pipe) == (parameters.sharing == LanesSharing::sm));
}

TEST_CASE("lanes: schedulers with separate pipes can share the double-precision pipes of the SM") {
  auto parameters = one_of_each();
  parameters.sharing = LanesSharing::sub_core;
  parameters.fp64_sharing = LanesFp64Sharing::sm;
  parameters.fp64_units = GENERATE(1, 2);
  constexpr std::uint32_t schedulers = 4;
  Bench bench(parameters, schedulers);
  // Every scheduler offers an instruction in every cycle.
  const auto accepted = [&](OperationClass operation_class, Cycle from) {
    const auto decoded = of_class(operation_class);
    unsigned count = 0;
    for (Cycle now = from; now < from + 48; ++now) {
      for (std::uint32_t scheduler = 0; scheduler < schedulers; ++scheduler) {
        auto one = bench.request(decoded, now);
        one.scheduler = scheduler;
        const auto answer = bench.source.send(one);
        if (answer.refusal == Refusal::none) ++count;
        if (answer.refusal != Refusal::none) REQUIRE(answer.retry <= now + 16);
      }
    }
    return count;
  };
  REQUIRE(accepted(OperationClass::fp64, 0) == 48 / 16 * parameters.fp64_units);
  REQUIRE(accepted(OperationClass::alu, 100) == 48 / 2 * schedulers);
  REQUIRE(bench.statistics().busy_cycles[LanesBusyCycles::fp64] == 48 * parameters.fp64_units);
}

TEST_CASE("lanes: lists define cycles by opcode") {
  using kernel::DataType;
  using kernel::Opcode;
  struct Row {
    Opcode opcode;
    DataType type;
    LanesBusyCycles pipe;
    Cycle latency;
    Cycle interval;
  };
  constexpr auto alu = LanesBusyCycles::alu;
  constexpr auto special = LanesBusyCycles::special;
  const Row row =
      GENERATE(Row{Opcode::add, DataType::s32, alu, 31, 1}, Row{Opcode::sub, DataType::f32, alu, 36, 6},
               Row{Opcode::min, DataType::u32, alu, 32, 2}, Row{Opcode::max, DataType::f32, alu, 37, 7},
               Row{Opcode::mul, DataType::s32, special, 33, 3}, Row{Opcode::mul, DataType::f32, alu, 38, 8},
               Row{Opcode::mad, DataType::u32, special, 34, 4}, Row{Opcode::div, DataType::f32, special, 40, 10},
               Row{Opcode::add, DataType::f64, alu, 41, 11}, Row{Opcode::mul, DataType::f64, alu, 43, 13},
               Row{Opcode::rcp, DataType::f32, special, 43, 13}, Row{Opcode::ex2, DataType::f32, special, 43, 13},
               Row{Opcode::fma, DataType::f32, alu, 11, 2}, Row{Opcode::cvt, DataType::f32, alu, 11, 2},
               Row{Opcode::setp, DataType::f32, alu, 11, 2}, Row{Opcode::shl, DataType::b32, alu, 11, 2});
  auto parameters = one_of_each();
  parameters.grouping = LanesGrouping::opcodes;
  parameters.integer_opcode_latency = {31, 32, 33, 34, 35};
  parameters.integer_opcode_interval = {1, 2, 3, 4, 5};
  parameters.single_opcode_latency = {36, 37, 38, 39, 40};
  parameters.single_opcode_interval = {6, 7, 8, 9, 10};
  parameters.double_opcode_latency = {41, 42, 43, 44, 45};
  parameters.double_opcode_interval = {11, 12, 13, 14, 15};
  parameters.writeback = GENERATE(0, 2);
  Bench bench(parameters);
  kernel::Instruction instruction;
  instruction.opcode = row.opcode;
  instruction.type = row.type;
  auto decoded = of_class(OperationClass::alu);
  decoded.instruction = &instruction;
  const auto first = bench.collected(decoded, 100, 100);
  REQUIRE(first.result == 100 + row.latency + parameters.writeback);
  REQUIRE(bench.statistics().busy_cycles[row.pipe] == row.interval);
  REQUIRE(bench.collected(decoded, 100, 100).start == 100 + row.interval);
}

TEST_CASE("lanes: a list of cycles without exactly five numbers is refused") {
  auto parameters = one_of_each();
  parameters.grouping = LanesGrouping::opcodes;
  parameters.single_opcode_interval = {1, 2};
  REQUIRE_THROWS_WITH(PipeTable(parameters), Catch::Contains("sm.lanes.single_opcode_interval has 2 numbers"));
}

TEST_CASE("lanes: a multiplication uses the special pipe if the multiply pipe is full") {
  auto parameters = one_of_each();
  parameters.grouping = LanesGrouping::opcodes;
  Bench bench(parameters);
  kernel::Instruction product;
  product.opcode = kernel::Opcode::mul;
  product.type = kernel::DataType::f32;
  auto decoded = of_class(OperationClass::alu);
  decoded.instruction = &product;
  REQUIRE(bench.issue(decoded, 0).refusal == Refusal::none);
  REQUIRE(bench.issue(decoded, 0).refusal == Refusal::none);
  REQUIRE(bench.issue(decoded, 0).refusal == Refusal::pipe);
  REQUIRE(bench.statistics().busy_cycles[LanesBusyCycles::special] == 1);
}

TEST_CASE("lanes: a branch is resolved in its pipe or at issue") {
  auto parameters = one_of_each();
  parameters.branch_decided = GENERATE(LanesBranchDecided::pipe, LanesBranchDecided::issue);
  parameters.writeback = 2;
  Bench bench(parameters);
  const Cycle from = parameters.branch_decided == LanesBranchDecided::pipe ? 25 : 20;
  REQUIRE(bench.collected(of_class(OperationClass::control), 20, 25).result == from + 9);
}

TEST_CASE("lanes: integer pipes take only integer arithmetic") {
  auto parameters = one_of_each();
  parameters.integer_units = GENERATE(0, 1);
  Bench bench(parameters);
  const bool own = parameters.integer_units != 0;
  const auto integer = of_class(OperationClass::alu, true);
  REQUIRE(bench.issue(integer, 0).result == (own ? 12 : 11));
  REQUIRE(bench.issue(integer, 0).retry == (own ? 5 : 2));
  REQUIRE(bench.statistics().instructions[LanesInstructions::integer] == (own ? 1 : 0));
  REQUIRE((bench.issue(of_class(OperationClass::alu), 0).refusal == Refusal::none) == own);
  REQUIRE(bench.issue(of_class(OperationClass::multiply, true), 0).result == 13);
}

TEST_CASE("lanes: independent lanes wait for the pipe and occupy their part of it") {
  auto parameters = one_of_each();
  parameters.alu_interval = 1;
  Bench bench(parameters);
  const auto decoded = of_class(OperationClass::alu);
  const auto start = [&](LaneMask lanes, Cycle now) {
    auto one = bench.request(decoded, now);
    one.lanes = lanes;
    one.queued = true;
    const auto answer = bench.source.send(one);
    REQUIRE(answer.refusal == Refusal::none);
    REQUIRE(answer.result == answer.start + 11);
    return answer.start;
  };
  REQUIRE(start(0xffff, 0) == 0);
  REQUIRE(start(0xffff0000, 0) == 0);  // these lanes fill the unit
  REQUIRE(start(0x1, 0) == 1);
  REQUIRE(start(0xfffffffe, 1) == 1);
  REQUIRE(start(0x1, 1) == 2);
  REQUIRE(bench.statistics().instructions[LanesInstructions::alu] == 5);
}

}  // namespace reconverge

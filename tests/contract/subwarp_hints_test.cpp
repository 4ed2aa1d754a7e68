// SPDX-License-Identifier: Apache-2.0
// Hints of programs to schemes with convergence barriers: subwarp_yield and subwarp_first
// (models/schemes/thread_states/subwarp_instructions).

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "models/core/error.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "models/schemes/convergence_barrier/convergence_barrier.hpp"
#include "models/schemes/subwarp_interleaving/subwarp_interleaving.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "testbenches/contract/kernels.hpp"
#include "testbenches/contract/machines.hpp"

namespace reconverge::contract {
namespace {

const auto all_kinds = built_in_schemes();

/// One warp scheduler, instructions and operands always available, no L1 cache: each load takes 600 cycles.
GpuParameters machine(std::string_view scheme, std::uint64_t yield_after = 0) {
  GpuParameters parameters;
  parameters.sms = 1;
  parameters.sm.scheme = {std::string(scheme)};
  auto& own = parameters.sm.schemes.of<SubwarpInterleavingParameters>();
  own.yield_after = yield_after;
  own.trigger = SubwarpInterleavingTrigger::any;
  parameters.sm.scheduler.count = 1;
  parameters.sm.scheduler.dispatch = 1;
  parameters.sm.fetch.model = InstructionFetchModel::ideal;
  parameters.sm.operand_collector.units = 0;
  parameters.sm.l1.capacity = 0;
  parameters.memory = GpuMemory::fixed_latency;
  parameters.fixed_latency.latency = 600;
  return parameters;
}

Case with_hints(std::string_view body) {
  Case result;
  result.name = "hints";
  result.ptx = kernel_text(body);
  result.program = kernel::load_program_text(result.ptx, "hints.ptx", "kernel", extensions_of(all_kinds));
  result.grid = {1, 1, 1};
  result.block = {32, 1, 1};
  result.output_bytes = result.threads() * slice_words * 4;
  return result;
}

TimedOutcome run(const Case& test_case, const GpuParameters& parameters) {
  TimedOutcome outcome = run_timed(test_case, parameters);
  CHECK_THAT(difference(run_scalar(test_case).memory, outcome.memory), Catch::Equals(""));
  return outcome;
}

Cycle cycles(const TimedOutcome& outcome) { return outcome.totals.of<GpuStatistics>().cycles; }

/// Two sides, each with a load, work that does not need the load, and work that does; `between` follows each load.
Case loads_and_work(std::string_view before, std::string_view between) {
  std::string work;
  for (unsigned i = 0; i < 20; ++i) work += "  add.u32 %r1, %r1, 1;\n";
  return with_hints(fmt::format(R"(
  mov.u32 %r1, %lane;
  setp.lt.u32 %p0, %lane, 16;
  {0}
  @%p0 bra LEFT;
RIGHT:
  ld.global.u32 %r0, [%in];
  {1}
{2}
  add.u32 %r1, %r1, %r0;
  bra JOIN;
LEFT:
  ld.global.u32 %r0, [%in+128];
  {1}
{2}
  add.u32 %r1, %r1, %r0;
JOIN:
  st.global.u32 [%slice], %r1;
  ret;)",
                                before, between, work));
}

}  // namespace

TEST_CASE("hints: a yield instruction has the effect of a yield after a load", "[hints]") {
  const TimedOutcome by_load = run(loads_and_work("", ""), machine("subwarp_interleaving", 1));
  const TimedOutcome by_instruction = run(loads_and_work("", "subwarp_yield;"), machine("subwarp_interleaving"));
  const TimedOutcome without = run(loads_and_work("", ""), machine("subwarp_interleaving"));
  CHECK(by_instruction.totals.of<SubwarpInterleavingStatistics>().yields[SubwarpInterleavingYields::instruction] == 2);
  CHECK(cycles(without) - cycles(by_load) > 40);
  // The difference is the two instructions themselves.
  CHECK(cycles(by_instruction) >= cycles(by_load));
  CHECK(cycles(by_instruction) <= cycles(by_load) + 8);
}

TEST_CASE("hints: a yield without another subwarp or without lanes has no effect", "[hints]") {
  const std::string_view scheme = GENERATE("convergence_barrier", "subwarp_interleaving");
  const Case test_case = with_hints(R"(
  subwarp_yield;
  setp.lt.u32 %p0, %lane, 16;
  setp.gt.u32 %p1, %lane, 32;
  mov.u32 %r1, 3;
  @%p0 bra LEFT;
  @%p1 subwarp_yield;
  add.u32 %r1, %r1, 1;
LEFT:
  st.global.u32 [%slice], %r1;
  ret;)");
  const TimedOutcome outcome = run(test_case, machine(scheme));
  CHECK(outcome.totals.of<ConvergenceBarrierStatistics>().yields[ConvergenceBarrierYields::instruction] == 0);
  CHECK(outcome.totals.of<SubwarpInterleavingStatistics>().yields[SubwarpInterleavingYields::instruction] == 0);
}

TEST_CASE("hints: a subwarp that yields just before its barrier waits at the barrier instead", "[hints]") {
  const std::string_view scheme = GENERATE("convergence_barrier", "subwarp_interleaving");
  const Case test_case = with_hints(R"(
  setp.lt.u32 %p0, %lane, 16;
  mov.u32 %r1, 3;
  @%p0 bra LEFT;
  add.u32 %r1, %r1, 1;
  bra JOIN;
LEFT:
  add.u32 %r1, %r1, 2;
  subwarp_yield;
JOIN:
  st.global.u32 [%slice], %r1;
  ret;)");
  const TimedOutcome outcome = run(test_case, machine(scheme));
  CHECK(outcome.totals.of<ConvergenceBarrierStatistics>().yields[ConvergenceBarrierYields::instruction] == 0);
  CHECK(outcome.totals.of<SubwarpInterleavingStatistics>().yields[SubwarpInterleavingYields::instruction] == 0);
}

TEST_CASE("hints: a loop of yields lets every subwarp end", "[hints]") {
  const std::string_view scheme = GENERATE("convergence_barrier", "subwarp_interleaving");
  const Case test_case = with_hints(R"(
  mov.u32 %r1, 0;
  mov.u32 %r0, %lane;
AGAIN:
  add.u32 %r1, %r1, %r0;
  subwarp_yield;
  setp.eq.u32 %p0, %r0, 0;
  @%p0 bra DONE;
  sub.u32 %r0, %r0, 1;
  and.b32 %r2, %r0, 1;
  setp.eq.u32 %p1, %r2, 0;
  @%p1 subwarp_yield;
  bra AGAIN;
DONE:
  st.global.u32 [%slice], %r1;
  ret;)");
  run(test_case, machine(scheme));
}

TEST_CASE("hints: lanes that go to the label of a subwarp_first run first", "[hints]") {
  // The taken side works and never stalls, so the other side, with its load, should run first.
  std::string work;
  for (unsigned i = 0; i < 40; ++i) work += "  add.u32 %r1, %r1, 1;\n";
  const auto time = [&](std::string_view hint) {
    return cycles(run(with_hints(fmt::format(R"(
  mov.u32 %r1, 0;
  setp.lt.u32 %p0, %lane, 16;
  {}
  @%p0 bra WORK;
LOAD:
  ld.global.u32 %r0, [%in];
  add.u32 %r1, %r0, 1;
  bra JOIN;
WORK:
{}
JOIN:
  st.global.u32 [%slice], %r1;
  ret;)",
                                             hint, work)),
                      machine("subwarp_interleaving")));
  };
  CHECK(time("") - time("subwarp_first LOAD;") > 140);
  const Cycle told = time("subwarp_first WORK;");
  CHECK(told >= time(""));
  CHECK(told <= time("") + 4);
}

TEST_CASE("hints: a label that does not exist is refused with its line", "[hints]") {
  CHECK_THROWS_WITH(loads_and_work("subwarp_first NOWHERE;", ""),
                    Catch::Contains("hints.ptx:") && Catch::Contains("NOWHERE"));
}

TEST_CASE("hints: a machine without convergence barriers refuses them with their line", "[hints]") {
  const auto kinds = schemes_of(machine("reconvergence_stack").sm, all_kinds);
  CHECK_THROWS_WITH(
      check_program(kinds, loads_and_work("", "subwarp_yield;").program, machine("reconvergence_stack").sm),
      Catch::Contains("hints.ptx:") && Catch::Contains("convergence_barrier or subwarp_interleaving"));
}

}  // namespace reconverge::contract

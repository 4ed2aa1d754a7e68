// SPDX-License-Identifier: Apache-2.0
// Throw-away path schemes that use models/protocols/scheme.hpp: one that switches between the two sides of a branch on
// stalls, and one whose stacks are in memory. spawning_scheme.hpp has separate tests.

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "platforms/machines/gpu/gpu.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "testbenches/contract/kernels.hpp"
#include "testbenches/contract/suite.hpp"
#include "tests/contract/books.hpp"
#include "tests/contract/own_kinds.hpp"
#include "tests/contract/remembering_scheme.hpp"
#include "tests/contract/switching_scheme.hpp"
#include "tests/repetition.hpp"

namespace reconverge::contract {
namespace {

/// In the short form every second kernel runs, in one shape, in turn.
void check_cases(const SchemeKind& own) {
  std::size_t turn = 0;
  std::size_t kernel = 0;
  for (const Case& test_case : cases()) {
    if (tests::short_form() && kernel++ % 2 != 0) continue;
    const Outcome expected = run_scalar(test_case);
    const auto all = shapes();
    for (const Shape& shape : tests::short_form() ? all.subspan(turn++ % all.size(), 1) : all) {
      INFO(own.part.name << ", " << shape.name << ": " << test_case.name);
      CHECK_THAT(breaches(test_case, expected, shape, own.part.name, kinds_with(own)),
                 Catch::Equals(std::vector<std::string>{}));
    }
  }
}

/// One warp scheduler, instructions and operands always available, no L1 cache and one latency for memory.
GpuParameters plain_machine(Cycle latency) {
  GpuParameters parameters;
  parameters.sms = 1;
  parameters.sm.scheduler.count = 1;
  parameters.sm.scheduler.dispatch = 1;
  parameters.sm.fetch.model = InstructionFetchModel::ideal;
  parameters.sm.operand_collector.units = 0;
  parameters.sm.l1.capacity = 0;
  parameters.sm.constant_cache.capacity = 0;
  parameters.memory = GpuMemory::fixed_latency;
  parameters.fixed_latency.latency = latency;
  return parameters;
}

Cycle cycles(const TimedOutcome& run) { return run.totals.of<GpuStatistics>().cycles; }

}  // namespace

TEST_CASE("switching subwarps leave the same memory as the scalar interpreter", "[own]") {
  check_cases(switching_scheme(GENERATE(DependencyTracking::thread, DependencyTracking::counted)));
}

TEST_CASE("switching subwarps: the loads of two paths overlap", "[own]") {
  const Case test_case = make_case("two loads", R"(
  setp.lt.u32 %p0, %lane, 16;
  @%p0 bra LEFT;
  ld.global.u32 %r0, [%in];
  add.u32 %r1, %r0, 1;
  bra JOIN;
LEFT:
  ld.global.u32 %r0, [%in+128];
  add.u32 %r1, %r0, 2;
JOIN:
  add.u32 %r1, %r1, %r0;
  add.u32 %r1, %r1, %x;
  st.global.u32 [%slice], %r1;
  ret;)",
                                   {1}, {32});
  const auto on_stack = [&](Cycle latency) { return cycles(run_timed(test_case, plain_machine(latency))); };
  const SchemeKind own = switching_scheme(GENERATE(DependencyTracking::thread, DependencyTracking::counted));
  const auto switching = [&](Cycle latency) {
    const TimedOutcome run = run_own(test_case, plain_machine(latency), own);
    CHECK_THAT(difference(run_scalar(test_case).memory, run.memory), Catch::Equals(""));
    return cycles(run);
  };
  // The stack waits for one load after the other; subwarps wait for both at once.
  CHECK(on_stack(700) - on_stack(600) == 200);
  CHECK(switching(700) - switching(600) == 100);
  const Cycle first_level = plain_machine(600).sm.l1.hit_latency;
  CHECK(on_stack(600) - switching(600) == first_level + 600);
}

TEST_CASE("switching subwarps: the path whose load returns first works during the other path's load", "[own]") {
  const SchemeKind own = switching_scheme(GENERATE(DependencyTracking::thread, DependencyTracking::counted));
  GpuParameters parameters = plain_machine(600);
  parameters.sm.l1.capacity = GpuParameters{}.sm.l1.capacity;
  const auto with_work = [](unsigned additions) {
    // The left side, which starts, hits in the L1 cache; the other misses.
    std::string work;
    for (unsigned i = 0; i < additions; ++i) work += "  add.u32 %r1, %r1, 1;\n";
    return make_case("hit and miss",
                     fmt::format(R"(
  add.u32 %r1, %x, 0;
  setp.lt.u32 %p0, %lane, 16;
  @%p0 bra LEFT;
  ld.global.u32 %r2, [%in+1024];
  add.u32 %r1, %r1, %r2;
  bra JOIN;
LEFT:
  ld.global.u32 %r2, [%in];
  add.u32 %r1, %r1, %r2;
{}
JOIN:
  st.global.u32 [%slice], %r1;
  ret;)",
                                 work),
                     {1}, {32});
  };
  const Case little = with_work(10);
  const Case much = with_work(30);
  CHECK(cycles(run_timed(much, parameters)) - cycles(run_timed(little, parameters)) ==
        20 * parameters.sm.lanes.alu_latency);
  CHECK(cycles(run_own(much, parameters, own)) == cycles(run_own(little, parameters, own)));
}

TEST_CASE("stacks in memory leave the same memory as the scalar interpreter", "[own]") {
  check_cases(remembering_scheme());
}

TEST_CASE("stacks in memory: memory counts their requests and their waits are charged to them", "[own]") {
  // One branch diverges: the taken lanes are pushed, and so is the fall-through side. Both are popped, one after the
  // other.
  const Case test_case = make_case("one branch", R"(
  setp.lt.u32 %p0, %lane, 16;
  @%p0 bra LEFT;
  add.u32 %r1, %lane, 1;
  bra JOIN;
LEFT:
  add.u32 %r1, %lane, 2;
JOIN:
  st.global.u32 [%slice], %r1;
  ret;)",
                                   {1}, {32});
  const SchemeKind& own = remembering_scheme();
  const TimedOutcome stack = run_timed(test_case, plain_machine(600));
  const auto run_with = [&](Cycle latency) {
    const GpuParameters parameters = plain_machine(latency);
    TimedOutcome run = run_own(test_case, parameters, own);
    check_books(run, run_scalar(test_case), test_case, parameters);
    CHECK_THAT(difference(stack.memory, run.memory), Catch::Equals(""));
    const auto& memory = run.totals.of<FixedLatencyMemoryStatistics>();
    const auto& without = stack.totals.of<FixedLatencyMemoryStatistics>();
    const auto& counts = run.totals.of<RememberingCounts>();
    CHECK(counts.reads == 1 + 2);
    CHECK(counts.writes == 1);
    CHECK(memory.reads == without.reads + counts.reads);
    CHECK(memory.writes == without.writes + counts.writes);
    return run;
  };
  const TimedOutcome run = run_with(600);
  const TimedOutcome slower = run_with(700);
  // From the cycle in which the warp starts, and from the cycle after the last instruction of each side.
  CHECK(slots_of(run, own, 0) == 600);
  CHECK(slots_of(run, own, 1) == 2 * 599);
  CHECK(slots_of(slower, own, 0) == 700);
  CHECK(slots_of(slower, own, 1) == 2 * 699);
}

TEST_CASE("stacks in memory: warps resume when answers arrive late through crossbar and caches", "[own]") {
  for (const Case& test_case : control_flow_cases()) {
    INFO(test_case.name);
    GpuParameters parameters;
    parameters.sms = 2;
    const TimedOutcome run = run_own(test_case, parameters, remembering_scheme());
    check_books(run, run_scalar(test_case), test_case, parameters);
    CHECK(slots_of(run, remembering_scheme(), 0) > 0);
  }
}

TEST_CASE("stacks in memory: the report names the causes", "[own]") {
  const Statistics totals = gpu_statistics(kinds_with(remembering_scheme()));
  bool named = false;
  totals.view<WarpSchedulerStatistics>().visit([&](const StatisticDescription& statistic, const auto& /*values*/) {
    named = named || std::ranges::find(statistic.bin_names, "first_entry") != statistic.bin_names.end();
  });
  CHECK(named);
}

TEST_CASE("stacks in memory: a long loop with repeated waits is no livelock", "[own]") {
  const Case test_case = make_case("rounds", R"(
  mov.u32 %r0, 0;
AGAIN:
  add.u32 %r0, %r0, 1;
  and.b32 %r1, %lane, 1;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra EVEN;
  add.u32 %r2, %r0, 1;
EVEN:
  setp.lt.u32 %p0, %r0, 4000;
  @%p0 bra AGAIN;
  st.global.u32 [%slice], %r0;
  ret;)",
                                   {1}, {32});
  const TimedOutcome run = run_own(test_case, plain_machine(600), remembering_scheme());
  CHECK_THAT(difference(run_scalar(test_case).memory, run.memory), Catch::Equals(""));
  CHECK(cycles(run) > 2 * Gpu::patience);
}

}  // namespace reconverge::contract

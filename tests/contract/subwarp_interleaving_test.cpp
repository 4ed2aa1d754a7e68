// SPDX-License-Identifier: Apache-2.0
// Subwarp interleaving, calculated by hand: the walk-throughs of Figs. 9 and 10, step by step; what overlaps and what
// cannot; when a subwarp is selected, and which (models/schemes/subwarp_interleaving).

#include "models/schemes/subwarp_interleaving/subwarp_interleaving.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "models/core/error.hpp"
#include "models/core/simulation_context.hpp"
#include "testbenches/contract/kernels.hpp"
#include "testbenches/contract/machines.hpp"
#include "tests/repetition.hpp"

namespace reconverge::contract {
namespace {

using Own = SubwarpInterleavingParameters;
using Trigger = SubwarpInterleavingTrigger;

constexpr Cycle latency = 600;

/// One warp scheduler, instructions and operands always available, no L1 cache: each load takes its latency.
GpuParameters machine(const Own& own = {}, std::string_view scheme = "subwarp_interleaving") {
  GpuParameters parameters;
  parameters.sms = 1;
  parameters.sm.scheme = {std::string(scheme)};
  parameters.sm.schemes.of<SubwarpInterleavingParameters>() = own;
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

TimedOutcome run(const Case& test_case, const GpuParameters& parameters) {
  TimedOutcome outcome = run_timed(test_case, parameters);
  const Outcome expected = run_scalar(test_case);
  CHECK_THAT(difference(expected.memory, outcome.memory), Catch::Equals(""));
  CHECK(outcome.thread_instructions == expected.thread_instructions);
  return outcome;
}

Cycle cycles(const TimedOutcome& outcome) { return outcome.totals.of<GpuStatistics>().cycles; }

SubwarpInterleavingStatistics counts(const TimedOutcome& outcome) {
  return outcome.totals.of<SubwarpInterleavingStatistics>();
}

std::uint64_t stalls(const TimedOutcome& outcome, WarpSchedulerLoadStalls kind) {
  return outcome.totals.of<WarpSchedulerStatistics>().load_stalls[kind];
}

/// The program of Fig. 9 for `threads` threads. Lane 0 (t0) goes to ELSE; the side that the figure runs first is the
/// taken one here.
Case figure_9(unsigned threads) {
  return make_case("Fig. 9", R"(
  ld.global.u32 %r20, [%in+512];
  add.u32 %r20, %r20, 1;
  setp.ne.u32 %p0, %lane, 0;
  @%p0 bra THEN;
  ld.global.u32 %r1, [%in];
  add.u32 %r1, %r1, 3;
  bra SYNC;
THEN:
  ld.global.u32 %r2, [%in+128];
  mul.lo.u32 %r10, %lane, 5;
  mul.lo.u32 %r1, %r2, %r10;
  bra SYNC;
SYNC:
  add.u32 %r1, %r1, %r20;
  st.global.u32 [%slice], %r1;
  ret;)",
                   {1}, {threads});
}

/// The states of two threads, one letter each, at every change: t1, then t0, as in the columns of Fig. 10.
std::string steps(const Case& test_case, const Own& own) {
  static std::string seen;
  seen.clear();
  static SubwarpInterleavingParameters parameters;
  parameters = own;
  // The built-in scheme, instrumented to record states.
  SchemeKind kind = subwarp_interleaving_scheme();
  kind.make = [](const char* name, const SchemePlace& place) -> std::unique_ptr<Scheme> {
    auto scheme = std::make_unique<SubwarpInterleaving>(name, place, parameters);
    scheme->watch([&watched = *scheme](Cycle) {
      constexpr std::string_view letters = "IARBS";
      std::string now;
      for (const unsigned lane : {1U, 0U}) now += letters[static_cast<std::size_t>(watched.state_of(0, lane))];
      if (seen.size() < 2 || seen.substr(seen.size() - 2) != now) seen += (seen.empty() ? "" : " ") + now;
    });
    return scheme;
  };
  std::vector<const SchemeKind*> kinds;
  for (const SchemeKind* one : built_in_schemes()) {
    kinds.push_back(one->part.name == kind.part.name ? &kind : one);
  }
  const TimedOutcome outcome = run_timed(test_case, machine(own), kinds);
  CHECK_THAT(difference(run_scalar(test_case).memory, outcome.memory), Catch::Equals(""));
  return seen;
}

/// Two sides that each wait for a load.
Case two_loads(unsigned blocks = 1) {
  return make_case("two loads", R"(
  setp.lt.u32 %p0, %lane, 16;
  @%p0 bra LEFT;
  ld.global.u32 %r0, [%in];
  add.u32 %r1, %r0, 1;
  bra JOIN;
LEFT:
  ld.global.u32 %r0, [%in+128];
  add.u32 %r1, %r0, 2;
JOIN:
  st.global.u32 [%slice], %r1;
  ret;)",
                   {blocks}, {32});
}

}  // namespace

TEST_CASE("subwarps: the walk-through of Figs. 9 and 10a, without yield", "[subwarps]") {
  // Both threads run to the branch. Step 1: it diverges, and t1 stays ACTIVE. 2, 3: t1 issues its load, and what does
  // not need it. 4: it stalls, and 5: t0 is selected. 6: t0 issues its load, 7: and stalls; the figure wakes t1 here.
  // 8: t1 is ACTIVE again, 9: it reaches the BSYNC, 10: and is BLOCKED. Then t0 wakes, is selected and is the last to
  // reach the BSYNC.
  CHECK(steps(figure_9(2), {.trigger = Trigger::any, .yield_after = 0}) == "AA AR SR SA SS RS AS BS BR BA AA II");
}

TEST_CASE("subwarps: the walk-through of Figs. 9 and 10b with a yield after each load", "[subwarps]") {
  // Step 2: t1 issues its load and yields. 3: t0 is ACTIVE. 4: it issues its load, and yields to t1, which does what
  // does not need the load, and stalls.
  CHECK(steps(figure_9(2), {.trigger = Trigger::any, .yield_after = 1}) == "AA AR RA AR SR SA SS RS AS AR BA AA II");
}

TEST_CASE("subwarps: with yield the second load issues earlier", "[subwarps]") {
  // Work that does not need the load separates it from its use: without yield the other side's load waits for that
  // work.
  constexpr unsigned additions = 20;
  std::string work;
  for (unsigned i = 0; i < additions; ++i) work += "  add.u32 %r1, %r1, 1;\n";
  const Case test_case = make_case("work after loads",
                                   fmt::format(R"(
  mov.u32 %r1, %lane;
  setp.lt.u32 %p0, %lane, 16;
  @%p0 bra LEFT;
  ld.global.u32 %r0, [%in];
{0}
  add.u32 %r1, %r1, %r0;
  bra JOIN;
LEFT:
  ld.global.u32 %r0, [%in+128];
{0}
  add.u32 %r1, %r1, %r0;
JOIN:
  st.global.u32 [%slice], %r1;
  ret;)",
                                               work),
                                   {1}, {32});
  const auto time = [&](std::uint64_t yield_after) {
    return cycles(run(test_case, machine({.trigger = Trigger::any, .yield_after = yield_after})));
  };
  // All additions of one side overlap, less two more switches.
  const Cycle work_of_a_side = additions * machine().sm.lanes.alu_latency;
  CHECK(time(0) - time(1) > work_of_a_side - 40);
  CHECK(time(0) - time(1) < work_of_a_side + 40);
}

TEST_CASE("subwarps: the loads of two paths overlap", "[subwarps]") {
  const Case test_case = two_loads();
  GpuParameters longer = machine({.trigger = Trigger::any, .yield_after = 0});
  longer.fixed_latency.latency = latency + 100;
  GpuParameters baseline = machine({}, "convergence_barrier");
  GpuParameters longer_baseline = baseline;
  longer_baseline.fixed_latency.latency = latency + 100;
  const TimedOutcome interleaved = run(test_case, machine({.trigger = Trigger::any, .yield_after = 0}));
  const TimedOutcome serial = run(test_case, baseline);
  CHECK(cycles(run(test_case, longer_baseline)) - cycles(serial) == 300);  // one before the branch, for the input
  CHECK(cycles(run(test_case, longer)) - cycles(interleaved) == 200);
  CHECK(counts(interleaved).stalls == 2);
  CHECK(counts(interleaved).wakeups == 2);
  // To the second side, and back to the first when its result has arrived.
  CHECK(counts(interleaved).selections == 2);
  // The exposed latency with threads apart: both loads, or one.
  using Kind = WarpSchedulerLoadStalls;
  CHECK(stalls(serial, Kind::divergent) > 2 * latency - 100);
  CHECK(stalls(interleaved, Kind::divergent) < latency + 100);
  CHECK(stalls(serial, Kind::exposed) - stalls(serial, Kind::divergent) ==
        stalls(interleaved, Kind::exposed) - stalls(interleaved, Kind::divergent));
}

TEST_CASE("subwarps: an if without else gives no second subwarp and no gain", "[subwarps]") {
  const Case test_case = make_case("if", R"(
  mov.u32 %r1, %lane;
  setp.ge.u32 %p0, %lane, 16;
  @%p0 bra JOIN;
  ld.global.u32 %r0, [%in+128];
  add.u32 %r1, %r0, 2;
JOIN:
  st.global.u32 [%slice], %r1;
  ret;)",
                                   {2}, {64});
  const Trigger trigger = GENERATE(Trigger::any, Trigger::half, Trigger::all);
  const TimedOutcome interleaved = run(test_case, machine({.trigger = trigger, .yield_after = 0}));
  CHECK(cycles(interleaved) == cycles(run(test_case, machine({}, "convergence_barrier"))));
  CHECK(counts(interleaved).stalls == 0);
}

TEST_CASE("subwarps: a single subwarp gains and loses nothing", "[subwarps]") {
  const Case test_case = make_case("convergent", R"(
  ld.global.u32 %r0, [%in+128];
  add.u32 %r1, %r0, 2;
  st.global.u32 [%slice], %r1;
  ret;)",
                                   {4}, {64});
  CHECK(cycles(run(test_case, machine())) == cycles(run(test_case, machine({}, "convergence_barrier"))));
}

TEST_CASE("subwarps: a switch takes its latency", "[subwarps]") {
  const auto time = [](Cycle switch_latency) {
    return cycles(
        run(two_loads(), machine({.switch_latency = switch_latency, .trigger = Trigger::any, .yield_after = 0})));
  };
  // The second load issues later by this much, and its subwarp, which wakes last, is selected once more.
  CHECK(time(20) - time(6) == 28);
}

TEST_CASE("subwarps: which warps count for the trigger", "[subwarps]") {
  // One warp stalls while another of its subwarps is available; the other three warps of its scheduler add and do not
  // stall.
  const Case test_case = make_case("one of four", R"(
  setp.ge.u32 %p1, %thread, 32;
  @%p1 bra ADD;
  setp.lt.u32 %p0, %lane, 16;
  @%p0 bra LEFT;
  ld.global.u32 %r0, [%in];
  add.u32 %r1, %r0, 1;
  bra STORE;
LEFT:
  ld.global.u32 %r0, [%in+128];
  add.u32 %r1, %r0, 2;
STORE:
  st.global.u32 [%slice], %r1;
  ret;
ADD:
  mov.u32 %r2, 0;
AGAIN:
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p2, %r2, 100;
  @%p2 bra AGAIN;
  st.global.u32 [%slice], %r2;
  ret;)",
                                   {1}, {128});
  const auto selections = [&](Trigger trigger) {
    return counts(run(test_case, machine({.trigger = trigger, .yield_after = 0}))).selections;
  };
  CHECK(selections(Trigger::any) == 2);
  CHECK(selections(Trigger::half) == 0);
  CHECK(selections(Trigger::all) == 0);
  // With one warp, all counts are equal.
  for (const Trigger trigger : {Trigger::any, Trigger::half, Trigger::all}) {
    CHECK(counts(run(two_loads(), machine({.trigger = trigger, .yield_after = 0}))).selections == 2);
  }
}

TEST_CASE("subwarps: as many loads overlap as the table has entries", "[subwarps]") {
  // Eight paths of one load each.
  std::string body = "  and.b32 %r0, %lane, 7;\nT: .branchtargets W0, W1, W2, W3, W4, W5, W6, W7;\n  brx.idx %r0, T;\n";
  for (unsigned way = 0; way < 8; ++way) {
    body +=
        fmt::format("W{0}:\n  ld.global.u32 %r1, [%in+{1}];\n  add.u32 %r2, %r1, {0};\n  bra JOIN;\n", way, 128 * way);
  }
  body += "JOIN:\n  st.global.u32 [%slice], %r2;\n  ret;";
  const Case test_case = make_case("eight ways", body, {1}, {32});
  const auto rounds = [&](std::uint64_t entries) {
    const auto time = [&](Cycle load) {
      GpuParameters parameters = machine({.entries = entries, .trigger = Trigger::any, .yield_after = 0});
      parameters.fixed_latency.latency = load;
      return cycles(run(test_case, parameters));
    };
    return (time(latency + 100) - time(latency)) / 100;
  };
  // One more for the input; loads follow one another, with at most as many in flight as there are entries.
  CHECK(rounds(2) == 1 + 4);
  CHECK(rounds(4) == 1 + 2);
  CHECK(rounds(6) == 1 + 2);
  CHECK(rounds(32) == 1 + 1);
}

TEST_CASE("subwarps: the order of paths matters if one has no loads", "[subwarps]") {
  // The taken side works and never stalls: it should not run first.
  std::string work;
  for (unsigned i = 0; i < 40; ++i) work += "  add.u32 %r1, %r1, 1;\n";
  const Case test_case = make_case("work and load",
                                   fmt::format(R"(
  mov.u32 %r1, 0;
  setp.lt.u32 %p0, %lane, 16;
  @%p0 bra WORK;
  ld.global.u32 %r0, [%in];
  add.u32 %r1, %r0, 1;
  bra JOIN;
WORK:
{}
JOIN:
  st.global.u32 [%slice], %r1;
  ret;)",
                                               work),
                                   {1}, {32});
  const auto time = [&](SubwarpInterleavingOrder order) {
    return cycles(run(test_case, machine({.trigger = Trigger::any, .yield_after = 0, .order = order})));
  };
  using Order = SubwarpInterleavingOrder;
  CHECK(time(Order::taken_first) - time(Order::loads_first) > 300);
  const Cycle random = time(Order::random);
  CHECK((random == time(Order::taken_first) || random == time(Order::loads_first)));
}

TEST_CASE("subwarps: random order follows its seed", "[subwarps]") {
  const auto time = [](std::uint64_t seed) {
    return cycles(
        run(two_loads(4), machine({.yield_after = 0, .order = SubwarpInterleavingOrder::random, .seed = seed})));
  };
  CHECK(time(3) == time(3));
}

TEST_CASE("subwarps: any trigger and size and order leaves the same memory as the scalar interpreter", "[subwarps]") {
  const std::array<Own, 5> settings{
      {{.entries = 2, .trigger = Trigger::any, .yield_after = 1},
       {.entries = 4, .trigger = Trigger::half, .yield_after = 0},
       {.entries = 6, .trigger = Trigger::all, .yield_after = 2},
       {.trigger = Trigger::any, .yield_after = 1, .order = SubwarpInterleavingOrder::random},
       {.switch_latency = 0, .order = SubwarpInterleavingOrder::loads_first}}};
  std::size_t turn = 0;
  for (const Case& test_case : cases()) {
    // In the short form each kernel runs with one of them.
    const std::span<const Own> all = settings;
    for (const Own& own : tests::short_form() ? all.subspan(turn++ % all.size(), 1) : all) {
      INFO(test_case.name << ", " << own.entries << " entries, trigger " << to_string(own.trigger));
      GpuParameters parameters;
      parameters.sms = 2;
      parameters.sm.scheme = {"subwarp_interleaving"};
      parameters.sm.schemes.of<SubwarpInterleavingParameters>() = own;
      run(test_case, parameters);
    }
  }
}

TEST_CASE("subwarps: tables have the paper's sizes", "[subwarps]") {
  SmParameters sm = machine().sm;
  for (const std::uint64_t entries : {2U, 4U, 6U, 32U}) {
    sm.schemes.of<SubwarpInterleavingParameters>().entries = entries;
    CHECK_NOTHROW(subwarp_interleaving_scheme().check_parameters(sm));
  }
  sm.schemes.of<SubwarpInterleavingParameters>().entries = 5;
  CHECK_THROWS_WITH(subwarp_interleaving_scheme().check_parameters(sm),
                    Catch::Contains("a thread status table of 5 entries"));
}

}  // namespace reconverge::contract

// SPDX-License-Identifier: Apache-2.0 Convergence barriers, calculated by hand: what a warp issues and when, which
// lanes wait for which others, and that threads which wait for each other make progress
// (models/schemes/convergence_barrier).

#include "blocks/convergence_barrier.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <catch2/catch.hpp>
#include <cstring>

#include "blocks/subwarp_interleaving.hpp"
#include "models/schemes/convergence_barrier/convergence_barrier.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "testbenches/contract/kernels.hpp"
#include "testbenches/contract/machines.hpp"
#include "testbenches/contract/waiting_cases.hpp"

namespace reconverge::contract {
namespace {

/// One warp scheduler; instructions and operands are always available.
GpuParameters machine(std::string_view scheme = "convergence_barrier") {
  GpuParameters parameters;
  parameters.sms = 1;
  parameters.sm.scheme = {std::string(scheme)};
  parameters.sm.scheduler.count = 1;
  parameters.sm.scheduler.dispatch = 1;
  parameters.sm.fetch.model = InstructionFetchModel::ideal;
  parameters.sm.operand_collector.units = 0;
  parameters.memory = GpuMemory::fixed_latency;
  return parameters;
}

GpuParameters with(GpuParameters parameters, const ConvergenceBarrierParameters& own) {
  parameters.sm.schemes.of<ConvergenceBarrierParameters>() = own;
  return parameters;
}

/// Runs the case and compares the result with the scalar interpreter's.
TimedOutcome run(const Case& test_case, const GpuParameters& parameters = machine()) {
  TimedOutcome outcome = run_timed(test_case, parameters);
  const Outcome expected = run_scalar(test_case);
  CHECK_THAT(difference(expected.memory, outcome.memory), Catch::Equals(""));
  CHECK(outcome.thread_instructions == expected.thread_instructions);
  return outcome;
}

ConvergenceBarrierStatistics counts(const TimedOutcome& outcome) {
  return outcome.totals.of<ConvergenceBarrierStatistics>();
}

std::string shown(const TimedOutcome& outcome) { return fmt::format("{}", by_lanes(outcome.totals)); }

Cycle cycles(const TimedOutcome& outcome) { return outcome.totals.of<GpuStatistics>().cycles; }

const Case& if_else() {
  static const Case test_case = make_case("if and else", R"(
  setp.lt.u32 %p0, %lane, 8;
  @%p0 bra ELSE;
  add.u32 %r0, %lane, 1;
  add.u32 %r0, %r0, 1;
  bra JOIN;
ELSE:
  add.u32 %r0, %lane, 2;
JOIN:
  st.global.u32 [%slice], %r0;
  ret;)",
                                          {1}, {32});
  return test_case;
}

}  // namespace

TEST_CASE("convergence barriers: both paths run one after the other and reconverge", "[barriers]") {
  const TimedOutcome outcome = run(if_else());
  CHECK(shown(outcome) == shown(run_timed(if_else(), machine("reconvergence_stack"))));
  const ConvergenceBarrierStatistics own = counts(outcome);
  CHECK(own.divergent_branches == 1);
  // All lanes issue BSSY; each side issues BSYNC.
  CHECK(own.operations[ConvergenceBarrierOperations::join] == 1);
  CHECK(own.operations[ConvergenceBarrierOperations::wait] == 2);
  CHECK(own.operations[ConvergenceBarrierOperations::leave] == 0);
  CHECK(own.reconvergences == 1);
  CHECK(own.switches == 1);
  CHECK(own.opened == 0);
}

TEST_CASE("convergence barriers: a switch takes its latency, and its slots go to it", "[barriers]") {
  const auto with_latency = [](Cycle latency) { return run(if_else(), with(machine(), {.switch_latency = latency})); };
  const TimedOutcome at_once = with_latency(0);
  const TimedOutcome later = with_latency(6);
  CHECK(cycles(later) - cycles(at_once) == 6);
  const auto first = static_cast<std::size_t>(first_cause_of(convergence_barrier_scheme(), built_in_schemes()));
  const auto lost = [&](const TimedOutcome& outcome) {
    return outcome.totals.of<WarpSchedulerStatistics>()
        .slots.values[first + static_cast<std::size_t>(ConvergenceBarrierCause::divergence_switch)];
  };
  CHECK(lost(at_once) == 0);
  CHECK(lost(later) == 6);
}

TEST_CASE("convergence barriers: an if without else switches paths once", "[barriers]") {
  // The lanes that do not take the branch wait at once; the warp can only change to the others.
  const TimedOutcome outcome = run(make_case("if", R"(
  mov.u32 %r0, 0;
  setp.ge.u32 %p0, %lane, 8;
  @%p0 bra JOIN;
  add.u32 %r0, %lane, 1;
JOIN:
  st.global.u32 [%slice], %r0;
  ret;)",
                                             {1}, {32}));
  CHECK(counts(outcome).switches == 1);
  CHECK(counts(outcome).reconvergences == 1);
}

TEST_CASE("convergence barriers: lanes that leave a loop wait after it but not for lanes that exit", "[barriers]") {
  const TimedOutcome outcome = run(make_case("loop with an exit", R"(
  mov.u32 %r0, 0;
AGAIN:
  add.u32 %r0, %r0, 1;
  setp.eq.u32 %p1, %lane, 31;
  @%p1 exit;
  setp.le.u32 %p0, %r0, %lane;
  @%p0 bra AGAIN;
  st.global.u32 [%slice], %r0;
  ret;)",
                                             {1}, {32}));
  CHECK(shown(outcome) == shown(run_timed(make_case("loop with an exit", R"(
  mov.u32 %r0, 0;
AGAIN:
  add.u32 %r0, %r0, 1;
  setp.eq.u32 %p1, %lane, 31;
  @%p1 exit;
  setp.le.u32 %p0, %r0, %lane;
  @%p0 bra AGAIN;
  st.global.u32 [%slice], %r0;
  ret;)",
                                                    {1}, {32}),
                                          machine("reconvergence_stack"))));
  CHECK(counts(outcome).opened == 0);
}

TEST_CASE("convergence barriers: lanes spin on a lock that a lane of their warp holds", "[barriers]") {
  const Case lock = lock_in_loop();
  CHECK_THROWS_WITH(run_timed(lock, machine("reconvergence_stack")), Catch::Contains("is in a livelock"));
  const std::uint64_t patience = GENERATE(1U, 16U, 200U);
  const TimedOutcome outcome = run_timed(lock, with(machine(), {.patience = patience}));
  std::uint32_t count = 0;
  std::memcpy(&count, outcome.memory.data() + lock.output_bytes + 4, 4);
  CHECK(count == 128);
  // The holder of the lock waits after the loop until the barrier there opens.
  CHECK(counts(outcome).opened > 0);
  CHECK(counts(outcome).yields[ConvergenceBarrierYields::waiting_round] > 0);
}

TEST_CASE("convergence barriers: a lane waits for a value written later in the program", "[barriers]") {
  // The writer comes after the loop's reconvergence point, so the waiting thread never reaches that point first.
  const Case flag = flag_after_loop();
  // How often a thread polls depends on the machine.
  const TimedOutcome outcome = run_timed(flag, machine());
  CHECK_THAT(difference(run_scalar(flag).memory, outcome.memory), Catch::Equals(""));
  CHECK(counts(outcome).opened == 1);
}

TEST_CASE("convergence barriers: lanes of a warp reach a block barrier at several pcs", "[barriers]") {
  const TimedOutcome outcome = run(barrier_on_two_sides());
  CHECK(outcome.totals.of<SmStatistics>().barriers == 2);
}

TEST_CASE("convergence barriers: lanes at a block barrier release lanes at a convergence barrier", "[barriers]") {
  // 12 lanes wait for the other 20, which wait for them at the point where both reconverge.
  const TimedOutcome outcome = run(make_case("barrier in an if", R"(
  setp.ge.u32 %p0, %lane, 12;
  @%p0 bra JOIN;
  bar.sync 0;
JOIN:
  bar.sync 0;
  st.global.u32 [%slice], %lane;
  @%p0 bra END;
  bar.sync 0;
END:
  ret;)",
                                             {1}, {64}));
  CHECK(counts(outcome).opened == 2);
}

TEST_CASE("convergence barriers: an exchange waits for members on other paths", "[barriers]") {
  run(make_case("vote of two sides", R"(
  setp.lt.u32 %p0, %lane, 9;
  mov.u32 %r0, %lane;
  @%p0 bra LEFT;
  add.u32 %r0, %r0, 100;
  bra VOTE;
LEFT:
  mul.lo.u32 %r0, %r0, 3;
VOTE:
  and.b32 %r1, %r0, 1;
  setp.eq.u32 %p1, %r1, 1;
  vote.sync.ballot.b32 %r2, %p1, -1;
  st.global.u32 [%slice], %r2;
  ret;)",
                {1}, {32}));
  // The vote is one instruction; the lanes that reach it first leave on different paths before any barrier.
  run(vote_after_loop());
}

TEST_CASE("convergence barriers: recursion to another depth in each lane", "[barriers]") {
  const Case deep = make_case("depths", R"(
  and.b32 %r1, %lane, 7;
  call (%r0), down, (%r1);
  st.global.u32 [%slice], %r0;
  ret;)",
                              {1}, {32}, {}, R"(
.func (.reg .u32 %r) down(.reg .u32 %n)
{
  .reg .u32 %m, %k;
  .reg .pred %p, %q;
  setp.eq.u32 %p, %n, 0;
  @%p bra LAST;
  sub.u32 %m, %n, 1;
  call (%k), down, (%m);
  and.b32 %m, %n, 1;
  setp.eq.u32 %q, %m, 0;
  @%q bra EVEN;
  add.u32 %k, %k, %n;
  bra JOIN;
EVEN:
  mul.lo.u32 %k, %k, 3;
JOIN:
  add.u32 %r, %k, 1;
  ret;
LAST:
  mov.u32 %r, 1;
  ret;
})");
  const TimedOutcome outcome = run(deep);
  CHECK(counts(outcome).opened == 0);
  // All lanes have reconverged after the call: the store and the return are issued once.
  CHECK(by_lanes(outcome.totals).at(32) >= 4);
}

TEST_CASE("convergence barriers: lanes diverge at an indirect call and reconverge after it", "[barriers]") {
  const Case pointers = make_case("pointers", R"(
  and.b32 %r0, %lane, 3;
  mul.wide.u32 %rd1, %r0, 8;
  mov.u64 %rd0, table;
  add.u64 %rd0, %rd0, %rd1;
  ld.global.u64 %rd2, [%rd0];
  p : .callprototype (.reg .u32 _) _ (.reg .u32 _);
  call (%r1), %rd2, (%lane), p;
  st.global.u32 [%slice], %r1;
  ret;)",
                                  {1}, {32}, {}, R"(
.func (.reg .u32 %r) one(.reg .u32 %n) { add.u32 %r, %n, 1; ret; }
.func (.reg .u32 %r) two(.reg .u32 %n) { add.u32 %r, %n, 2; ret; }
.func (.reg .u32 %r) three(.reg .u32 %n) { add.u32 %r, %n, 3; ret; }
.func (.reg .u32 %r) four(.reg .u32 %n) { add.u32 %r, %n, 4; ret; }
.global .u64 table[4] = { one, two, three, four };
)");
  const TimedOutcome outcome = run(pointers);
  CHECK(shown(outcome) == shown(run_timed(pointers, machine("reconvergence_stack"))));
  CHECK(counts(outcome).switches == 3);
}

TEST_CASE("convergence barriers: an exchange without named members waits for lanes that will reach it", "[barriers]") {
  // Odd lanes leave for the next round at once, where they exchange with even ones. The even lanes wait at LAST for all
  // lanes that may arrive there from the earlier loops, including odd ones.
  const Case tangle = make_case("shuffle in each round", R"(
  and.b32 %r0, %lane, 1;
  setp.ne.u32 %p1, %r0, 0;
  and.b32 %r0, %lane, 2;
  setp.ne.u32 %p0, %r0, 0;
  mov.u32 %r2, %lane;
  mov.u32 %r9, 0;
ROUND:
  setp.ge.u32 %p2, %r9, 2;
  @%p2 bra END;
  shfl.bfly.b32 %r2, %r2, 1, 0x1f;
  mov.u32 %r3, 0;
PIECE_0:
  @%p1 bra NEXT;
  add.u32 %r3, %r3, 1;
  setp.ge.u32 %p2, %r3, 3;
  @%p2 bra LAST;
  @!%p0 bra PIECE_0;
PIECE_1:
  add.u32 %r3, %r3, 1;
  setp.ge.u32 %p2, %r3, 3;
  @%p2 bra LAST;
  @%p0 bra PIECE_1;
LAST:
  add.u32 %r2, %r2, 1;
NEXT:
  add.u32 %r9, %r9, 1;
  bra ROUND;
END:
  st.global.u32 [%slice], %r2;
  ret;)",
                                {1}, {32});
  const auto* scheme = GENERATE("convergence_barrier", "subwarp_interleaving");
  INFO(scheme);
  run(tangle, machine(scheme));
}

TEST_CASE("convergence barriers: an exchange without named members ignores lanes past it", "[barriers]") {
  const TimedOutcome outcome = run(make_case("vote in an if", R"(
  setp.ge.u32 %p0, %lane, 12;
  mov.u32 %r0, 0;
  @%p0 bra JOIN;
  setp.lt.u32 %p1, %lane, 4;
  vote.ballot.b32 %r0, %p1;
JOIN:
  st.global.u32 [%slice], %r0;
  ret;)",
                                             {1}, {32}));
  CHECK(counts(outcome).opened == 0);
  CHECK(counts(outcome).reconvergences == 1);
}

namespace {

/// Nested loops: the outermost has three rounds, the innermost up to four depending on the lane, the others one.
Case nest(unsigned loops) {
  std::string begin = R"(
  shr.u32 %r20, %lane, 5;
  add.u32 %r21, %r20, 3;
  add.u32 %r20, %r20, 1;
  and.b32 %r22, %lane, 3;
  add.u32 %r22, %r22, 1;
  mov.u32 %r23, 0;
)";
  std::string end;
  for (unsigned loop = 0; loop < loops; ++loop) {
    begin += fmt::format("  mov.u32 %r{0}, 0;\nLOOP_{0}:\n", loop);
    const unsigned rounds = loop == 0 ? 21 : loop + 1 == loops ? 22 : 20;
    end = fmt::format("  add.u32 %r{0}, %r{0}, 1;\n  setp.lt.u32 %p0, %r{0}, %r{1};\n  @%p0 bra LOOP_{0};\n", loop,
                      rounds) +
          end;
  }
  return make_case("nest", begin + "  add.u32 %r23, %r23, 1;\n" + end + "  st.global.u32 [%slice], %r23;\n  ret;\n",
                   {1}, {32});
}

}  // namespace

TEST_CASE("convergence barriers: a nest of 20 loops moves the barriers of outer loops", "[barriers]") {
  const Case loops = nest(20);
  const auto with_registers = [&](std::uint64_t registers, Cycle move_latency) {
    return run(loops, with(machine(), {.registers = registers, .move_latency = move_latency}));
  };
  using Operations = ConvergenceBarrierOperations;
  const auto check = [&](std::uint64_t registers, std::uint64_t moves) {
    const ConvergenceBarrierStatistics own = counts(with_registers(registers, 15));
    INFO(registers << " registers");
    // The outermost loop is entered once, each of the others in each of its three rounds. In the innermost, the lanes
    // that leave first are READY until the last arrive and wait for them.
    CHECK(own.operations[Operations::join] == 1 + 19 * 3);
    CHECK(own.operations[Operations::wait] == 1 + 18 * 3 + 2 * 3);
    CHECK(own.reconvergences == 1 + 19 * 3);
    CHECK(own.operations[Operations::spill] == moves);
    CHECK(own.operations[Operations::fill] == moves);
    CHECK(own.opened == 0);
  };
  // Each loop nested in as many loops as there are registers moves one of their barriers, in each of three rounds.
  check(20, 0);
  check(16, 4 * 3);
  check(2, 18 * 3);
  check(1, 19 * 3);
  // A move takes cycles; its issue slots, and those of a branch before it, are charged to it.
  const TimedOutcome at_once = with_registers(16, 0);
  const TimedOutcome later = with_registers(16, 15);
  CHECK(cycles(at_once) == cycles(with_registers(20, 15)));
  CHECK(cycles(later) - cycles(at_once) == 2 * 4 * 3 * 15);
  const auto first = static_cast<std::size_t>(first_cause_of(convergence_barrier_scheme(), built_in_schemes()));
  const auto moving = first + static_cast<std::size_t>(ConvergenceBarrierCause::divergence_move);
  CHECK(at_once.totals.of<WarpSchedulerStatistics>().slots.values[moving] == 0);
  CHECK(later.totals.of<WarpSchedulerStatistics>().slots.values[moving] >= 2 * 4 * 3 * 15);
}

TEST_CASE("convergence barriers: memory is the same for any number of registers", "[barriers]") {
  std::size_t turn = 0;
  for (const Case& test_case : cases()) {
    const Outcome expected = run_scalar(test_case);
    for (const std::uint64_t registers : {1U, 2U, 16U}) {
      const std::string_view scheme = turn++ % 2 == 0 ? "convergence_barrier" : "subwarp_interleaving";
      GpuParameters parameters = parameters_of(shapes()[turn % shapes().size()], scheme, test_case);
      parameters.sm.schemes.of<ConvergenceBarrierParameters>().registers = registers;
      parameters.sm.schemes.of<SubwarpInterleavingParameters>().registers = registers;
      INFO(scheme << ", " << registers << " registers: " << test_case.name);
      const TimedOutcome found = run_timed(test_case, parameters);
      CHECK_THAT(difference(expected.memory, found.memory), Catch::Equals(""));
      CHECK(found.thread_instructions == expected.thread_instructions);
    }
  }
}

}  // namespace reconverge::contract

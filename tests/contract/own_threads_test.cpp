// SPDX-License-Identifier: Apache-2.0
// Threads that a scheme starts at run time, in a kernel whose grid does not contain them.

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstring>

#include "models/core/error.hpp"
#include "testbenches/contract/kernels.hpp"
#include "tests/contract/books.hpp"
#include "tests/contract/own_kinds.hpp"
#include "tests/contract/spawning_scheme.hpp"

namespace reconverge::contract {
namespace {

/// Every thread adds 256 times its number, plus one, to the word at its number: the grid's threads after some rounds,
/// the others in one step or two.
constexpr std::string_view grid_part = R"(
  and.b32 %r0, %x, 15;
ROUND:
  sub.s32 %r0, %r0, 1;
  setp.gt.s32 %p0, %r0, 0;
  @%p0 bra ROUND;
  mul.wide.u32 %rd0, %gid, 4;
  add.u64 %rd0, %rd0, %out;
  mad.lo.u32 %r1, %gid, 256, 1;
  red.global.add.u32 [%rd0], %r1;
  ret;)";
constexpr std::string_view own_part = R"(
OWN:
  mov.u32 %r0, %extension_0;
  ld.param.u64 %rd0, [output];
  mul.wide.u32 %rd1, %r0, 4;
  add.u64 %rd0, %rd0, %rd1;
  shl.b32 %r1, %r0, 8;
  and.b32 %r2, %r0, 3;
  setp.eq.u32 %p0, %r2, 0;
  @%p0 bra TWICE;
  add.u32 %r1, %r1, 1;
  bra LAST;
TWICE:
  red.global.add.u32 [%rd0], 1;
LAST:
  red.global.add.u32 [%rd0], %r1;
  ret;)";

Case own_case(const std::string& body, Dim3 grid, Dim3 block) {
  Case result = make_case("own threads", body, grid, block);
  result.output_bytes = 4 * (result.threads() * (1 + SpawningScheme::generations) + 4 * SpawningScheme::at_begin);
  return result;
}

std::uint32_t word_of(const Outcome& outcome, std::size_t index) {
  std::uint32_t word = 0;
  std::memcpy(&word, outcome.memory.data() + 4 * index, 4);
  return word;
}

std::size_t first_wrong(const Outcome& outcome, std::uint64_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    if (word_of(outcome, i) != 256 * i + 1) return i;
  }
  return count;
}

/// Every thread ran exactly once, and the launch ended after the last.
TimedOutcome check_run(const Case& test_case, const GpuParameters& parameters) {
  const TimedOutcome run = run_own(test_case, parameters, spawning_scheme());
  const std::uint64_t all =
      test_case.threads() * (1 + SpawningScheme::generations) + parameters.sms * SpawningScheme::at_begin;
  CHECK(first_wrong(run, all) == all);
  CHECK(word_of(run, all) == 0);
  CHECK(run.totals.of<SmStatistics>().threads_launched == all);
  CHECK(run.totals.of<GpuStatistics>().blocks_launched == test_case.grid.count());
  const auto& counts = run.totals.of<SpawningCounts>();
  CHECK(counts.begun == all - test_case.threads());
  CHECK(counts.ended == counts.begun);
  check_slots(run.totals, parameters);
  return run;
}

std::string failure_of(const Case& test_case, const GpuParameters& parameters) {
  try {
    run_own(test_case, parameters, spawning_scheme());
  } catch (const ExecutionError& error) {
    return error.what();
  }
  return "no failure";
}

std::string line_of(const kernel::Program& program, std::string_view text) {
  for (kernel::Pc pc = 0; pc < program.instructions.size(); ++pc) {
    if (program.text[pc].find(text) != std::string::npos) return kernel::place_of(program, pc);
  }
  return "no such line";
}

}  // namespace

TEST_CASE("own threads: each runs once in any free slot", "[own]") {
  const std::uint64_t sms = GENERATE(1, 3);
  const auto unit = GENERATE(SmLaunchUnit::block, SmLaunchUnit::warp);
  const unsigned threads = GENERATE(20U, 32U, 80U);
  const std::uint64_t spare_slots = GENERATE(0, 1, 40);
  const Case test_case = own_case(fmt::format("{}{}", grid_part, own_part), {24}, {threads});
  GpuParameters parameters;
  parameters.sms = sms;
  parameters.sm.launch_unit = unit;
  parameters.sm.warp_slots = (threads + 31) / 32 + spare_slots;
  INFO(sms << " SMs, blocks of " << threads << ", " << spare_slots << " slots more than a block needs, launch unit "
           << static_cast<int>(unit));
  const TimedOutcome run = check_run(test_case, parameters);
  CHECK(counters(run_own(test_case, parameters, spawning_scheme()).totals) == counters(run.totals));
  // Blocks wait, and some slots remain free for them.
  if (spare_slots < 40) CHECK(run.totals.of<SpawningCounts>().declined > 0);
}

TEST_CASE("own threads: unwritten registers and block indices are zero", "[own]") {
  constexpr std::string_view grid = R"(
  mov.u32 %r5, 77;
  add.u32 %r5, %r5, %gid;
  mad.lo.u32 %r1, %gid, 256, %r5;
  sub.u32 %r1, %r1, %gid;
  sub.u32 %r1, %r1, 76;
  mul.wide.u32 %rd0, %gid, 4;
  add.u64 %rd0, %rd0, %out;
  red.global.add.u32 [%rd0], %r1;
  ret;)";
  constexpr std::string_view own = R"(
OWN:
  mov.u32 %r0, %extension_0;
  add.u32 %r5, %r5, 1;
  mov.u32 %r3, %tid.x;
  add.u32 %r5, %r5, %r3;
  mov.u32 %r3, %ctaid.x;
  add.u32 %r5, %r5, %r3;
  mad.lo.u32 %r1, %r0, 256, %r5;
  ld.param.u64 %rd0, [output];
  mul.wide.u32 %rd1, %r0, 4;
  add.u64 %rd0, %rd0, %rd1;
  red.global.add.u32 [%rd0], %r1;
  ret;)";
  GpuParameters parameters;
  parameters.sms = 1;
  parameters.sm.launch_unit = GENERATE(SmLaunchUnit::block, SmLaunchUnit::warp);
  parameters.sm.warp_slots = 4;
  check_run(own_case(fmt::format("{}{}", grid, own), {24}, {80}), parameters);
}

TEST_CASE("own threads: they belong to no block", "[own]") {
  const Case barrier =
      own_case(fmt::format("{}\nOWN:\n mov.u32 %r0, %extension_0;\n bar.sync 3;\n ret;", grid_part), {2}, {64});
  const auto unit = GENERATE(SmLaunchUnit::block, SmLaunchUnit::warp);
  GpuParameters parameters;
  parameters.sm.launch_unit = unit;
  CHECK_THAT(failure_of(barrier, parameters),
             Catch::StartsWith(line_of(barrier.program, "bar.sync 3") + ": a barrier of a block"));
  Case shared = make_case(
      "shared", fmt::format("{}\nOWN:\n mov.u32 %r0, %extension_0;\n st.shared.u32 [word], %r0;\n ret;", grid_part),
      {2}, {64}, ".shared .u32 word;");
  CHECK_THAT(failure_of(shared, parameters), Catch::Contains(line_of(shared.program, "st.shared")));
}

TEST_CASE("own threads: a block barrier does not wait for threads in the slot of an ended warp", "[own]") {
  // Warp 1 of the block ends at once. Threads in its slot run for a long time while the other warps reach the barrier.
  const Case test_case = own_case(R"(
  shr.u32 %r0, %thread, 5;
  setp.eq.u32 %p0, %r0, 1;
  @%p0 bra LEAVE;
  mov.u32 %r1, 0;
WORK:
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p0, %r1, 50;
  @%p0 bra WORK;
  bar.sync 0;
LEAVE:
  mul.wide.u32 %rd0, %gid, 4;
  add.u64 %rd0, %rd0, %out;
  mad.lo.u32 %r1, %gid, 256, 1;
  red.global.add.u32 [%rd0], %r1;
  ret;
OWN:
  mov.u32 %r0, %extension_0;
  mov.u32 %r1, 0;
LONG:
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p0, %r1, 500;
  @%p0 bra LONG;
  ld.param.u64 %rd0, [output];
  mul.wide.u32 %rd1, %r0, 4;
  add.u64 %rd0, %rd0, %rd1;
  mad.lo.u32 %r1, %r0, 256, 1;
  red.global.add.u32 [%rd0], %r1;
  ret;)",
                                  {1}, {96});
  GpuParameters parameters;
  parameters.sms = 1;
  parameters.sm.warp_slots = 3;
  CHECK(check_run(test_case, parameters).totals.of<SmStatistics>().barriers == 1);
}

TEST_CASE("a warp of another block in the slot of one that has ended is not missing at a barrier", "[own]") {
  // Blocks 0 and 1 fill the SM. Warp 1 of block 0 ends at once, block 1 soon after; block 2 then has the slots of both,
  // and runs for a long time.
  const Case test_case = make_case("slots", R"(
  mov.u32 %r0, %ctaid.x;
  shr.u32 %r1, %thread, 5;
  mad.lo.u32 %r1, %r0, 3, %r1;
  VISIT(0);
  setp.eq.u32 %p0, %r1, 1;
  @%p0 exit;
  mul.lo.u32 %r1, %r0, 500;
  setp.eq.u32 %p0, %r0, 1;
  @%p0 bra MEET;
  add.u32 %r1, %r1, 200;
WORK:
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p0, %r1, 0;
  @%p0 bra WORK;
MEET:
  bar.sync 0;
  VISIT(1);)",
                                   {3}, {96});
  for (const std::string_view scheme : schemes) {
    INFO(scheme);
    GpuParameters parameters;
    parameters.sms = 1;
    parameters.sm.warp_slots = 6;
    parameters.sm.scheme = {std::string(scheme)};
    const TimedOutcome run = run_timed(test_case, parameters);
    const Outcome expected = run_scalar(test_case);
    CHECK_THAT(difference(expected.memory, run.memory), Catch::Equals(""));
    check_books(run, expected, test_case, parameters);
    CHECK(run.totals.of<SmStatistics>().barriers == 3);
  }
}

}  // namespace reconverge::contract

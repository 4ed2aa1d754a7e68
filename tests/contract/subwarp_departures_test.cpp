// SPDX-License-Identifier: Apache-2.0
// Where subwarp interleaving departs from its paper (models/schemes/subwarp_interleaving/README.md, Departures), as far
// as subwarp_interleaving_test.cpp does not test it.

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "models/schemes/subwarp_interleaving/subwarp_interleaving.hpp"
#include "testbenches/contract/kernels.hpp"
#include "testbenches/contract/machines.hpp"

namespace reconverge::contract {
namespace {

SubwarpInterleavingStatistics run(const Case& test_case) {
  GpuParameters parameters;
  parameters.sms = 1;
  parameters.sm.scheme = {"subwarp_interleaving"};
  auto& own = parameters.sm.schemes.of<SubwarpInterleavingParameters>();
  own.trigger = SubwarpInterleavingTrigger::any;
  own.yield_after = 0;
  parameters.sm.scheduler.count = 1;
  parameters.sm.scheduler.dispatch = 1;
  parameters.memory = GpuMemory::fixed_latency;
  parameters.fixed_latency.latency = 600;
  const TimedOutcome outcome = run_timed(test_case, parameters);
  CHECK_THAT(difference(run_scalar(test_case).memory, outcome.memory), Catch::Equals(""));
  return outcome.totals.of<SubwarpInterleavingStatistics>();
}

/// Two sides that execute the same `work`, which writes a result to %r1.
Case two_sides(std::string_view work, std::string_view declarations = {}) {
  return make_case("two sides",
                   fmt::format(R"(
  mov.u32 %r1, 7;
  and.b32 %r2, %lane, 3;
  setp.eq.u32 %p1, %r2, 0;
  setp.lt.u32 %p0, %lane, 16;
  @%p0 bra LEFT;
{0}
  add.u32 %r1, %r1, 1;
  bra JOIN;
LEFT:
{0}
JOIN:
  st.global.u32 [%slice], %r1;
  ret;)",
                               work),
                   {1}, {32}, declarations);
}

}  // namespace

TEST_CASE("departures: a subwarp of which some threads wait stalls and wakes as a whole", "[subwarps]") {
  const auto counts = run(two_sides("  @%p1 ld.global.u32 %r1, [%in];\n  add.u32 %r1, %r1, 1;"));
  CHECK(counts.stalls == 2);
  CHECK(counts.wakeups == 2);
  CHECK(counts.divergent_branches == 1);
}

TEST_CASE("departures: a count that six bits do not hold does not stall", "[subwarps]") {
  // As many loads as six scoreboards can track, and more than they can.
  const auto loads = [](unsigned count) {
    std::string work;
    for (unsigned i = 0; i < count; ++i) work += fmt::format("  ld.global.u32 %x{}, [%in+{}];\n", i, 4 * i);
    for (unsigned i = 0; i < count; ++i) work += fmt::format("  add.u32 %r1, %r1, %x{};\n", i);
    return two_sides(work, fmt::format("  .reg .u32 %x<{}>;\n", count));
  };
  CHECK(run(loads(40)).stalls > 0);
  CHECK(run(loads(440)).stalls == 0);
}

TEST_CASE("departures: loads of shared memory are counted, and stalled for", "[subwarps]") {
  const auto counts = run(two_sides(R"(
  shl.b32 %r3, %lane, 2;
  mov.u32 %r4, near;
  add.u32 %r3, %r3, %r4;
  ld.shared.u32 %r2, [%r3];
  and.b32 %r2, %r2, 0;
  add.u32 %r1, %r1, %r2;)",
                                    "  .shared .u32 near[64];\n"));
  CHECK(counts.stalls > 0);
}

}  // namespace reconverge::contract

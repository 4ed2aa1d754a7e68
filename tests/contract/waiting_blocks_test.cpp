// SPDX-License-Identifier: Apache-2.0
// Blocks of a launch that wait for each other: they run concurrently, also on machines without timing.

#include <catch2/catch.hpp>

#include "models/core/error.hpp"
#include "testbenches/contract/kernels.hpp"
#include "testbenches/contract/waiting_cases.hpp"

namespace reconverge::contract {
namespace {

/// The first thread of each block announces its arrival and waits until `%nctaid.x` blocks have arrived.
constexpr const char* meeting = R"(
    atom.global.add.u32 %r1, [%sums], 1;
    mov.u32 %r2, %nctaid.x;
WAIT:
    ld.volatile.global.u32 %r3, [%sums];
    setp.lt.u32 %p1, %r3, %r2;
    @%p1 bra WAIT;
    st.global.u32 [%slice], %r3;
)";

/// Three times, each block writes a number and, after the grid barrier, reads the number of the next block. The barrier
/// is that of cooperative_groups::this_grid(): the first block adds the value that flips the highest bit once all have
/// arrived.
constexpr const char* grid_barriers = R"(
    mov.u32 %r0, %envreg1;
    mov.u32 %r1, %envreg2;
    mov.b64 %rd0, {%r1, %r0};
    add.u64 %rd0, %rd0, 4;
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %nctaid.x;
    mul.wide.u32 %rd1, %r2, 4;
    add.u64 %rd1, %rd1, %sums;
    add.u32 %r4, %r2, 1;
    rem.u32 %r4, %r4, %r3;
    mul.wide.u32 %rd2, %r4, 4;
    add.u64 %rd2, %rd2, %sums;
    setp.ne.u32 %p0, %thread, 0;
    setp.eq.u32 %p1, %r2, 0;
    sub.u32 %r5, 0x80000001, %r3;
    selp.u32 %r5, %r5, 1, %p1;
    mov.u32 %r6, 0;
ROUND:
    mad.lo.u32 %r7, %r6, 100, %r2;
    @!%p0 st.global.u32 [%rd1], %r7;
    bar.sync 0;
    @%p0 bra MET;
    atom.add.release.gpu.u32 %r8, [%rd0], %r5;
WAIT:
    ld.acquire.gpu.u32 %r9, [%rd0];
    xor.b32 %r9, %r9, %r8;
    setp.gt.s32 %p2, %r9, -1;
    @%p2 bra WAIT;
MET:
    bar.sync 0;
    ld.relaxed.gpu.u32 %r10, [%rd2];
    mul.wide.u32 %rd3, %r6, 4;
    add.u64 %rd3, %rd3, %slice;
    st.global.u32 [%rd3], %r10;
    bar.sync 0;
    @%p0 bra MET2;
    atom.add.release.gpu.u32 %r8, [%rd0], %r5;
WAIT2:
    ld.acquire.gpu.u32 %r9, [%rd0];
    xor.b32 %r9, %r9, %r8;
    setp.gt.s32 %p2, %r9, -1;
    @%p2 bra WAIT2;
MET2:
    bar.sync 0;
    add.u32 %r6, %r6, 1;
    setp.lt.u32 %p3, %r6, 3;
    @%p3 bra ROUND;
)";

}  // namespace

TEST_CASE("blocks of a cooperative launch synchronise at grid barriers", "[cooperative]") {
  Case test_case = make_case("grid barriers", grid_barriers, {12}, {64});
  test_case.cooperative = true;
  const std::string_view scheme = GENERATE("reconvergence_stack", "convergence_barrier", "mimd");
  const GpuParameters parameters = parameters_of(shapes().front(), scheme, test_case);
  for (const Outcome& outcome : {static_cast<Outcome>(run_timed(test_case, parameters)), run_functional(test_case)}) {
    const auto* const words = reinterpret_cast<const std::uint32_t*>(outcome.memory.data());
    for (unsigned thread = 0; thread < 12 * 64; ++thread) {
      for (unsigned round = 0; round < 3; ++round) {
        REQUIRE(words[thread * slice_words + round] == round * 100 + (thread / 64 + 1) % 12);
      }
    }
  }
}

TEST_CASE("a cooperative launch of more blocks than the machine holds is refused with their number", "[cooperative]") {
  Case test_case = make_case("grid barriers", grid_barriers, {12}, {64});
  test_case.cooperative = true;
  GpuParameters parameters = parameters_of(shapes().front(), "reconvergence_stack", test_case);
  parameters.sms = 2;
  parameters.sm.block_slots = 5;
  CHECK_THROWS_WITH(run_timed(test_case, parameters), Catch::Contains("has 12 blocks, and the machine holds 10 at a"));
  parameters.sm.register_file.registers = 64;
  CHECK_THROWS_WITH(run_timed(test_case, parameters), Catch::Contains("does not fit in an SM"));
  CHECK_THROWS_WITH(run_passes(test_case, {}), Catch::Contains("this machine holds no blocks"));
  CHECK_THROWS_WITH(run_streams(test_case, {}), Catch::Contains("this machine holds no blocks"));
}

TEST_CASE("a cooperative launch is refused if only part of a block fits", "[cooperative]") {
  // An SM has room for one and a half blocks. Without the key it starts the half, whose other warps never arrive.
  Case test_case = make_case("all threads meet", R"(
    mov.u32 %r2, %nctaid.x;
    mul.lo.u32 %r2, %r2, 128;
    atom.global.add.u32 %r1, [%sums], 1;
WAIT:
    ld.volatile.global.u32 %r3, [%sums];
    setp.lt.u32 %p1, %r3, %r2;
    @%p1 bra WAIT;
)",
                             {2}, {128});
  const std::string_view scheme = GENERATE("reconvergence_stack", "convergence_barrier", "mimd");
  GpuParameters parameters = parameters_of(shapes().front(), scheme, test_case);
  parameters.sms = 1;
  parameters.sm.warp_slots = 6;
  parameters.sm.launch_unit = SmLaunchUnit::warp;
  CHECK_THROWS_WITH(run_timed(test_case, parameters), Catch::Contains("is in a livelock"));
  test_case.cooperative = true;
  CHECK_THROWS_WITH(run_timed(test_case, parameters), Catch::Contains("has 2 blocks, and the machine holds 1 at a"));
  parameters.sm.warp_slots = 3;
  CHECK_THROWS_WITH(run_timed(test_case, parameters), Catch::Contains("does not fit in an SM"));
  parameters.sm.warp_slots = 8;
  CHECK_NOTHROW(run_timed(test_case, parameters));
}

TEST_CASE("blocks that wait for all others of the launch end on the functional machine") {
  const Case test_case = make_case("meeting", meeting, {24, 1, 1}, {1, 1, 1});
  const Outcome outcome = run_functional(test_case);
  const auto* const words = reinterpret_cast<const std::uint32_t*>(outcome.memory.data());
  for (unsigned block = 0; block < 24; ++block) REQUIRE(words[block * slice_words] == 24);
}

TEST_CASE("any number of blocks that wait for later blocks end on the functional machine") {
  const Case test_case = chain_of_blocks(200, 1);
  const Outcome outcome = run_functional(test_case);
  const auto* const words = reinterpret_cast<const std::uint32_t*>(outcome.memory.data());
  for (unsigned block = 0; block < 200; ++block) REQUIRE(words[block * slice_words] == block);
}

TEST_CASE("the functional machine detects a block that waits for a flag that no thread sets") {
  REQUIRE_THROWS_AS(run_functional(lost_flag(40)), ExecutionError);
}

}  // namespace reconverge::contract

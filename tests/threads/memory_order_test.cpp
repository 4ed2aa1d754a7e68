// SPDX-License-Identifier: Apache-2.0
// Litmus programs: what blocks on different SMs may see of each other's stores. All machines are tested on several
// host threads too, with equal results.

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "testbenches/contract/kernels.hpp"

namespace reconverge::contract {
namespace {

/// Words of output by thread.
using Seen = std::vector<std::uint32_t>;

/// Runs one thread a block. `latency`: of the crossbar, so the length of a quantum.
Seen run_litmus(const std::string& body, std::uint32_t blocks, std::uint32_t sms, std::uint64_t latency) {
  const Case test_case = make_case("litmus", body, {blocks}, {1});
  GpuParameters parameters = parameters_of(shapes().front(), "reconvergence_stack", test_case);
  parameters.sms = sms;
  parameters.crossbar.latency = latency;
  const TimedOutcome run = run_timed(test_case, parameters);
  for (const unsigned threads : {2U, 3U, 8U}) {
    const TimedOutcome again = run_timed(test_case, parameters, built_in_schemes(), threads);
    CAPTURE(threads);
    REQUIRE(again.memory == run.memory);
    REQUIRE(counters(again.totals) == counters(run.totals));
  }
  const auto* const words = reinterpret_cast<const std::uint32_t*>(run.memory.data());
  return {words, words + run.memory.size() / 4};
}

std::uint32_t word(const Seen& seen, std::uint32_t thread, std::uint32_t index) {
  return seen[thread * slice_words + index];
}

/// %rd0 and %rd1: the variable of the thread's pair of blocks that it writes, and the one that it reads.
constexpr const char* pair_of_variables = R"(
    shr.u32 %r0, %gid, 1;
    and.b32 %r1, %gid, 1;
    xor.b32 %r2, %r1, 1;
    mad.lo.u32 %r3, %r0, 2, %r1;
    mad.lo.u32 %r4, %r0, 2, %r2;
    mul.wide.u32 %rd0, %r3, 4;
    mul.wide.u32 %rd1, %r4, 4;
    add.u64 %rd0, %rd0, %sums;
    add.u64 %rd1, %rd1, %sums;
)";

/// Waits for as many rounds as the number of the pair or group in %r0, times %r1, so that its blocks are shifted in
/// time.
constexpr const char* shift = R"(
    mul.lo.u32 %r9, %r0, %r1;
    add.u32 %r9, %r9, 1;
shifted:
    sub.u32 %r9, %r9, 1;
    setp.ne.u32 %p7, %r9, 0;
    @%p7 bra shifted;
)";

const std::vector<std::uint32_t> sm_numbers{2, 3, 15};

}  // namespace

TEST_CASE("store buffering: with fences, one of two blocks sees the other's store") {
  const std::string fence = GENERATE("membar.gl;", "membar.sys;", "fence.sc.gpu;", "");
  std::uint32_t both_old = 0;
  for (const std::uint32_t sms : sm_numbers) {
    const auto seen = run_litmus(std::string(pair_of_variables) + shift + R"(
    mov.u32 %r5, 1;
    st.global.u32 [%rd0], %r5;
    )" + fence + R"(
    ld.global.u32 %r6, [%rd1];
    st.global.u32 [%slice], %r6;
)",
                                 60, sms, 20);
    for (std::uint32_t pair = 0; pair < 30; ++pair) {
      both_old += word(seen, 2 * pair, 0) == 0 && word(seen, 2 * pair + 1, 0) == 0 ? 1 : 0;
    }
  }
  CAPTURE(fence);
  // Without fences, PTX allows it, and it occurs.
  CHECK((both_old != 0) == fence.empty());
}

TEST_CASE("message passing: a flag comes after the data that was stored before it") {
  for (const std::uint32_t sms : sm_numbers) {
    const auto seen = run_litmus(std::string(pair_of_variables) + shift + R"(
    // Even blocks write the slice of their neighbour, and then its flag.
    setp.eq.u32 %p0, %r1, 1;
    @%p0 bra reads;
    mov.u32 %r5, 77;
    st.global.u32 [%slice+64], %r5;
    st.release.gpu.global.u32 [%rd0], %r5;
    bra done;
reads:
    ld.acquire.gpu.global.u32 %r6, [%rd1];
    setp.eq.u32 %p1, %r6, 0;
    @%p1 bra reads;
    ld.global.u32 %r7, [%slice];
    st.global.u32 [%slice+4], %r7;
done:
)",
                                 60, sms, 20);
    for (std::uint32_t pair = 0; pair < 30; ++pair) CHECK(word(seen, 2 * pair + 1, 1) == 77);
  }
}

TEST_CASE("ping-pong: two blocks hand a value to and fro by flags") {
  const auto seen = run_litmus(std::string(pair_of_variables) + R"(
    mov.u32 %r5, 0;
round:
    // Waits for twice the round, or that and one.
    add.u32 %r6, %r5, %r5;
    add.u32 %r6, %r6, %r1;
wait:
    ld.volatile.global.u32 %r7, [%sums+1000];
    setp.ne.u32 %p0, %r7, %r6;
    @%p0 bra wait;
    add.u32 %r8, %r7, 1;
    st.global.u32 [%slice], %r8;
    membar.gl;
    st.volatile.global.u32 [%sums+1000], %r8;
    add.u32 %r5, %r5, 1;
    setp.lt.u32 %p0, %r5, 20;
    @%p0 bra round;
)",
                               2, 2, 20);
  CHECK(word(seen, 0, 0) == 39);
  CHECK(word(seen, 1, 0) == 40);
}

TEST_CASE("coherence: a block never sees an older value of a variable after a newer one") {
  for (const std::uint32_t sms : sm_numbers) {
    const auto seen = run_litmus(R"(
    mov.u32 %r0, 0;
    mov.u32 %r1, 0;
    setp.ne.u32 %p0, %gid, 0;
round:
    add.u32 %r0, %r0, 1;
    @!%p0 st.global.u32 [%sums], %r0;
    ld.volatile.global.u32 %r2, [%sums];
    setp.lt.u32 %p1, %r2, %r1;
    @%p1 st.global.u32 [%slice], %r0;
    mov.u32 %r1, %r2;
    setp.lt.u32 %p1, %r0, 300;
    @%p1 bra round;
    st.global.u32 [%slice+4], %r1;
)",
                                 30, sms, 20);
    for (std::uint32_t block = 0; block < 30; ++block) CHECK(word(seen, block, 0) == 0);
    CHECK(word(seen, 0, 1) == 300);
  }
}

TEST_CASE("independent reads of independent writes: readers agree on the order of two stores") {
  for (const std::uint64_t latency : {8U, 20U, 60U}) {
    // Blocks 4 i and 4 i + 1 write, the next two read in opposite orders.
    const auto seen = run_litmus(std::string(R"(
    shr.u32 %r0, %gid, 2;
    and.b32 %r1, %gid, 3;
    mul.wide.u32 %rd0, %r0, 8;
    add.u64 %rd0, %rd0, %sums;
)") + shift + R"(
    mov.u32 %r5, 1;
    setp.eq.u32 %p0, %r1, 0;
    @%p0 st.global.u32 [%rd0], %r5;
    setp.eq.u32 %p1, %r1, 1;
    @%p1 st.global.u32 [%rd0+4], %r5;
    setp.eq.u32 %p2, %r1, 3;
    @%p2 bra other;
    ld.volatile.global.u32 %r6, [%rd0];
    membar.gl;
    ld.volatile.global.u32 %r7, [%rd0+4];
    bra done;
other:
    ld.volatile.global.u32 %r6, [%rd0+4];
    membar.gl;
    ld.volatile.global.u32 %r7, [%rd0];
done:
    st.global.u32 [%slice], %r6;
    st.global.u32 [%slice+4], %r7;
)",
                                 60, 15, latency);
    for (std::uint32_t group = 0; group < 15; ++group) {
      const auto new_then_old = [&](std::uint32_t block) {
        return word(seen, 4 * group + block, 0) == 1 && word(seen, 4 * group + block, 1) == 0;
      };
      CHECK_FALSE((new_then_old(2) && new_then_old(3)));
    }
  }
}

TEST_CASE("a spin lock protects a counter that is no atomic") {
  for (const std::uint32_t sms : sm_numbers) {
    const auto seen = run_litmus(R"(
    mov.u32 %r0, 0;
round:
acquire:
    atom.global.cas.b32 %r1, [%sums], 0, 1;
    setp.ne.u32 %p0, %r1, 0;
    @%p0 bra acquire;
    membar.gl;
    ld.global.u32 %r2, [%out];
    add.u32 %r2, %r2, 1;
    st.global.u32 [%out], %r2;
    membar.gl;
    atom.global.exch.b32 %r1, [%sums], 0;
    add.u32 %r0, %r0, 1;
    setp.lt.u32 %p0, %r0, 10;
    @%p0 bra round;
)",
                                 30, sms, 20);
    CHECK(seen[0] == 300);
  }
}

TEST_CASE("a ticket lock serves its blocks in order") {
  for (const std::uint32_t sms : sm_numbers) {
    const auto seen = run_litmus(R"(
    atom.global.add.u32 %r0, [%sums], 1;
wait:
    ld.acquire.gpu.global.u32 %r1, [%sums+4];
    setp.ne.u32 %p0, %r0, %r1;
    @%p0 bra wait;
    ld.global.u32 %r2, [%sums+8];
    st.global.u32 [%slice], %r2;
    st.global.u32 [%slice+4], %r0;
    add.u32 %r2, %r2, 3;
    st.global.u32 [%sums+8], %r2;
    add.u32 %r1, %r1, 1;
    st.release.gpu.global.u32 [%sums+4], %r1;
)",
                                 2 * sms, sms, 20);
    for (std::uint32_t block = 0; block < 2 * sms; ++block) CHECK(word(seen, block, 0) == 3 * word(seen, block, 1));
  }
}

TEST_CASE("after a barrier of the grid, blocks see what all stored before it") {
  for (const std::uint32_t sms : sm_numbers) {
    const auto seen = run_litmus(fmt::format(R"(
    st.global.u32 [%slice], %gid;
    membar.gl;
    atom.global.add.u32 %r0, [%sums], 1;
wait:
    ld.acquire.gpu.global.u32 %r1, [%sums];
    setp.lt.u32 %p0, %r1, {0};
    @%p0 bra wait;
    // The slice of the block after the next.
    add.u32 %r2, %gid, 2;
    rem.u32 %r2, %r2, {0};
    mul.wide.u32 %rd0, %r2, 64;
    add.u64 %rd0, %rd0, %out;
    ld.global.u32 %r3, [%rd0];
    st.global.u32 [%slice+4], %r3;
)",
                                             2 * sms),
                                 2 * sms, sms, 20);
    for (std::uint32_t block = 0; block < 2 * sms; ++block) CHECK(word(seen, block, 1) == (block + 2) % (2 * sms));
  }
}

}  // namespace reconverge::contract

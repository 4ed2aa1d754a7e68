// SPDX-License-Identifier: Apache-2.0
// mbarrier: what warps that wait at one in a loop leave in memory, on every machine. How often they poll depends on the
// machine, so only memory is compared.

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstring>

#include "blocks/gpu.hpp"
#include "blocks/load_store.hpp"
#include "models/core/error.hpp"
#include "testbenches/contract/kernels.hpp"
#include "tests/repetition.hpp"

namespace reconverge::contract {

namespace {

struct MbarrierCase {
  const char* name;
  const char* declarations;
  const char* body;
  bool of_one_path = true;  ///< false: threads wait for others of their block on another path
};

constexpr MbarrierCase mbarriers[] = {
    {"an mbarrier of the whole block, three phases of it, by state",
     ".shared .align 8 .b64 gate; .shared .u32 room[128];",
     R"(
  mov.u32 %r20, gate;
  setp.ne.u32 %p0, %thread, 0;
  @%p0 bra READY;
  mbarrier.init.shared.b64 [gate], 128;
READY:
  bar.sync 0;
  mov.u32 %r1, 0;
  mov.u32 %r2, %x;
  shl.b32 %r3, %thread, 2;
  mov.u32 %r4, room;
  add.u32 %r5, %r4, %r3;
  xor.b32 %r6, %thread, 37;
  shl.b32 %r6, %r6, 2;
  add.u32 %r6, %r4, %r6;
PHASE:
  st.shared.u32 [%r5], %r2;
  mbarrier.arrive.shared.b64 %rd0, [%r20];
WAIT:
  mbarrier.test_wait.shared.b64 %p1, [gate], %rd0;
  @!%p1 bra WAIT;
  ld.shared.u32 %r7, [%r6];
  mad.lo.u32 %r2, %r7, 3, %r2;
  mbarrier.arrive.release.cta.shared::cta.b64 %rd1, [%r20], 1;
AGAIN:
  mbarrier.try_wait.acquire.cta.shared::cta.b64 %p1, [%r20], %rd1, 1000;
  @!%p1 bra AGAIN;
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p2, %r1, 3;
  @%p2 bra PHASE;
  st.global.u32 [%slice], %r2;)"},

    {"an mbarrier that a block waits for bulk copies at, and one back",
     ".shared .align 8 .b64 gate; .shared .align 16 .b8 rows[512];",
     R"(
  mov.u32 %r2, rows;
  setp.ne.u32 %p0, %thread, 0;
  @%p0 bra READY;
  mbarrier.init.shared.b64 [gate], 1;
  mbarrier.arrive.expect_tx.shared.b64 %rd0, [gate], 512;
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [rows], [%in], 240, [gate];
  add.u64 %rd1, %in, 1024;
  mov.u32 %r1, 272;
  cvt.u64.u32 %rd2, %r2;
  cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%rd2+240], [%rd1+16], %r1, [gate];
READY:
  bar.sync 0;
WAIT:
  mbarrier.try_wait.parity.shared.b64 %p1, [gate], 0;
  @!%p1 bra WAIT;
  shl.b32 %r3, %thread, 2;
  add.u32 %r3, %r3, %r2;
  ld.shared.u32 %r4, [%r3];
  add.u32 %r4, %r4, %thread;
  st.shared.u32 [%r3], %r4;
  fence.proxy.async.shared::cta;
  bar.sync 0;
  @%p0 bra LAST;
  cp.async.bulk.global.shared::cta.bulk_group [%slice+64], [%r2], 512;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group.read 0;
  cp.async.bulk.wait_group 0;
LAST:)"},

    {"an mbarrier that warps wait for bytes at, by parity, and leave one after the other",
     ".shared .align 8 .b64 gates[2]; .shared .u32 room[64];",
     R"(
  setp.ne.u32 %p0, %thread, 0;
  @%p0 bra READY;
  mbarrier.init.b64 [gates], 65;
  mbarrier.init.shared::cta.b64 [gates+8], 1;
  mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [gates+8], 256;
  mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %rd2, [gates+8], 0;
  mbarrier.pending_count.b64 %r9, %rd2;
  st.global.u32 [%slice+8], %r9;
READY:
  bar.sync 0;
  setp.ge.u32 %p0, %thread, 64;
  mov.u64 %rd1, gates;
  cvta.shared.u64 %rd1, %rd1;
  shl.b32 %r3, %thread, 2;
  mov.u32 %r4, room;
  add.u32 %r5, %r4, %r3;
  @%p0 bra CONSUME;
  st.shared.u32 [%r5], %x;
  cp.async.mbarrier.arrive.noinc.shared.b64 [gates];
  mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [gates+8], 4;
  bra END;
CONSUME:
  setp.ne.u32 %p1, %thread, 64;
  @%p1 bra WAIT;
  mbarrier.arrive_drop.b64 %rd0, [%rd1];
WAIT:
  mbarrier.test_wait.parity.b64 %p2, [%rd1], 0;
  mbarrier.try_wait.parity.shared.b64 %p3, [gates+8], 0;
  and.pred %p2, %p2, %p3;
  @!%p2 bra WAIT;
  sub.u32 %r5, %r5, 256;
  ld.shared.u32 %r7, [%r5];
  st.global.u32 [%slice], %r7;
END:
  bar.sync 0;
  mbarrier.test_wait.parity.shared.b64 %p4, [gates], 1;
  selp.u32 %r8, 1, 2, %p4;
  st.global.u32 [%slice+4], %r8;)",
     false},
};

}  // namespace

TEST_CASE("warps that wait at an mbarrier leave the same memory as the scalar interpreter", "[mbarrier]") {
  const auto all = shapes();
  std::size_t turn = 0;
  for (const MbarrierCase& each : mbarriers) {
    const Case test_case = make_case(each.name, std::string(each.body) + "\n  ret;", {3}, {128}, each.declarations);
    INFO(each.name);
    const Outcome expected = run_scalar(test_case);
    CHECK_THAT(difference(expected.memory, run_functional(test_case).memory), Catch::Equals(""));
    for (const std::string_view scheme : schemes) {
      // There, a block runs one of its paths at a time ("Forward progress" in its README).
      if (scheme == "thread_block_compaction" && !each.of_one_path) continue;
      // In the short form each scheme runs in one shape, a different one for each kernel.
      for (const Shape& shape : tests::short_form() ? all.subspan(turn++ % all.size(), 1) : all) {
        INFO(scheme << ", " << shape.name);
        const TimedOutcome found = run_timed(test_case, parameters_of(shape, scheme, test_case));
        CHECK_THAT(difference(expected.memory, found.memory), Catch::Equals(""));
      }
    }
  }
}

TEST_CASE("a bulk copy takes time for its bytes and stays within memory", "[mbarrier]") {
  const auto copying = [](std::string_view bytes, std::string_view from) {
    return make_case("bulk copy",
                     fmt::format(R"(
  mbarrier.init.shared.b64 [gate], 1;
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [rows], [{}], {}, [gate];
  ret;)",
                                 from, bytes),
                     {1}, {1}, ".shared .align 8 .b64 gate; .shared .align 16 .b8 rows[2048];");
  };
  const auto run = [](const Case& test_case) {
    return run_timed(test_case, parameters_of(shapes().front(), "reconvergence_stack", test_case));
  };
  const TimedOutcome small = run(copying("16", "%in"));
  const TimedOutcome large = run(copying("2048", "%in"));
  const auto loaded = [](const TimedOutcome& outcome) { return outcome.totals.of<LoadStoreStatistics>().bytes_loaded; };
  CHECK(loaded(large) - loaded(small) == 2048 - 16);
  CHECK(large.totals.of<GpuStatistics>().cycles > small.totals.of<GpuStatistics>().cycles);
  const auto fails = [&](const Case& test_case, std::string_view what) {
    CHECK_THROWS_AS(run_scalar(test_case), ExecutionError);
    CHECK_THROWS_WITH(run_functional(test_case), Catch::Contains(std::string(what)));
    CHECK_THROWS_WITH(run(test_case), Catch::Contains(std::string(what)));
  };
  fails(copying("2064", "%in"), "access outside shared memory");
  fails(copying("2048", "%in+2560"), "read outside every buffer");
  fails(copying("16", "%in+8"), "misaligned");
  fails(copying("%t1", "%in"), "a bulk copy of 1 bytes");
}

TEST_CASE("an mbarrier counts arrivals and bytes", "[mbarrier]") {
  // The result of mbarrier.test_wait.parity for phase 0 after each step, and the number of arrivals still pending.
  const Case test_case = make_case("counts", R"(
  mbarrier.init.shared.b64 [gate], 3;
  mbarrier.arrive.expect_tx.shared.b64 %rd0, [gate], 100;
  mbarrier.arrive.shared.b64 %rd1, [gate], 2;
  mbarrier.test_wait.parity.shared.b64 %p0, [gate], 0;
  mbarrier.complete_tx.shared::cta.b64 [gate], 60;
  mbarrier.test_wait.parity.shared.b64 %p1, [gate], 0;
  mbarrier.complete_tx.shared::cta.b64 [gate], 40;
  mbarrier.test_wait.parity.shared.b64 %p2, [gate], 0;
  mbarrier.test_wait.parity.shared.b64 %p3, [gate], 1;
  mbarrier.test_wait.shared.b64 %p4, [gate], %rd1;
  mbarrier.arrive_drop.shared.b64 %rd2, [gate];
  mbarrier.arrive.noComplete.shared.b64 %rd3, [gate], 1;
  mbarrier.arrive.release.cluster.shared::cluster.b64 _, [gate];
  mbarrier.arrive.shared.b64 %rd4, [gate];
  mbarrier.inval.shared.b64 [gate];
  mbarrier.pending_count.b64 %r0, %rd0;
  mbarrier.pending_count.b64 %r1, %rd1;
  mbarrier.pending_count.b64 %r2, %rd2;
  mbarrier.pending_count.b64 %r3, %rd3;
  mbarrier.pending_count.b64 %r4, %rd4;
  st.global.v4.u32 [%slice], {%r0, %r1, %r2, %r3};
  selp.u32 %r5, 1, 0, %p0;
  selp.u32 %r6, 1, 0, %p1;
  selp.u32 %r7, 1, 0, %p2;
  selp.u32 %r8, 1, 0, %p3;
  selp.u32 %r9, 1, 0, %p4;
  st.global.v4.u32 [%slice+16], {%r4, %r5, %r6, %r7};
  st.global.v2.u32 [%slice+32], {%r8, %r9};
  ret;)",
                                   {1}, {1}, ".shared .align 8 .b64 gate;");
  const std::vector<std::uint32_t> expected = {3, 2, 3, 2, 2, 0, 0, 1, 0, 1};
  for (const Outcome& found : {run_scalar(test_case), run_functional(test_case)}) {
    std::vector<std::uint32_t> words(expected.size());
    std::memcpy(words.data(), found.memory.data(), words.size() * 4);
    CHECK(words == expected);
  }
}

}  // namespace reconverge::contract

// SPDX-License-Identifier: Apache-2.0
#include "testbenches/contract/kernels.hpp"

namespace reconverge::contract {

namespace {

// Each thread stores a value in shared memory, and reads its neighbour's after the barrier.
constexpr const char* exchange = R"(
  mov.u32 %r0, cells;
  shl.b32 %r1, %thread, 2;
  add.u32 %r1, %r0, %r1;
  st.shared.u32 [%r1], %x;
  bar.sync 0;
  mov.u32 %r2, %ntid.x;
  add.u32 %r3, %thread, 13;
  rem.u32 %r3, %r3, %r2;
  shl.b32 %r3, %r3, 2;
  add.u32 %r3, %r0, %r3;
  ld.shared.u32 %r4, [%r3];
  VISIT(0);
  st.global.u32 [%slice+60], %r4;
  ret;)";

// The same through reserved shared memory, in a kernel that also has its own variable.
constexpr const char* exchange_through_reserved = R"(
  mov.u32 %r0, %reserved_smem_offset_1;
  shl.b32 %r1, %thread, 2;
  add.u32 %r2, %r0, %r1;
  st.shared.u32 [%r2], %x;
  mov.u32 %r3, cells;
  add.u32 %r3, %r3, %r1;
  st.shared.u32 [%r3], %thread;
  bar.sync 0;
  xor.b32 %r4, %r1, 4;
  add.u32 %r5, %r0, %r4;
  ld.shared.u32 %r6, [%r5];
  cvt.u64.u32 %rd0, %r3;
  cvta.shared.u64 %rd0, %rd0;
  ld.u32 %r7, [%rd0];
  VISIT(0);
  st.global.u32 [%slice+56], %r7;
  st.global.u32 [%slice+60], %r6;
  ret;)";

// The number of loop rounds before each of two barriers differs by lane.
constexpr const char* barrier_after_divergence = R"(
  mov.u32 %r0, cells;
  shl.b32 %r1, %thread, 2;
  add.u32 %r1, %r0, %r1;
  and.b32 %r2, %x, 15;
  mov.u32 %r3, 0;
  mov.u32 %r6, 0;
ROUND:
  mov.u32 %r5, 0;
LOOP:
  VISIT(0);
  add.u32 %r3, %r3, %r2;
  add.u32 %r5, %r5, 1;
  setp.le.u32 %p0, %r5, %r2;
  @%p0 bra LOOP;
  st.shared.u32 [%r1], %r3;
  bar.sync 0;
  xor.b32 %r7, %thread, 1;
  shl.b32 %r7, %r7, 2;
  add.u32 %r7, %r0, %r7;
  ld.shared.u32 %r8, [%r7];
  bar.sync 0;
  add.u32 %r3, %r3, %r8;
  and.b32 %r2, %r8, 7;
  add.u32 %r6, %r6, 1;
  setp.lt.u32 %p1, %r6, 3;
  @%p1 bra ROUND;
  VISIT(1);
  st.global.u32 [%slice+60], %r3;
  ret;)";

// Whole warps and single lanes exit before the others reach the barrier.
constexpr const char* barrier_after_exits = R"(
  mov.u32 %r0, cells;
  shl.b32 %r1, %thread, 2;
  add.u32 %r1, %r0, %r1;
  st.shared.u32 [%r1], %x;
  bar.sync 0;
  setp.ge.u32 %p0, %thread, 96;
  @%p0 exit;
  and.b32 %r2, %x, 3;
  setp.eq.u32 %p1, %r2, 0;
  @%p1 exit;
  VISIT(0);
  atom.shared.add.u32 %r3, [%r1], %thread;
  bar.sync 0;
  ld.shared.u32 %r4, [%r1];
  VISIT(1);
  st.global.u32 [%slice+60], %r4;
  ret;)";

// A tree sum; fewer lanes add in each step.
constexpr const char* tree_sum = R"(
  mov.u32 %r0, cells;
  shl.b32 %r1, %thread, 2;
  add.u32 %r1, %r0, %r1;
  st.shared.u32 [%r1], %x;
  mov.u32 %r2, 64;
STEP:
  bar.sync 0;
  setp.ge.u32 %p0, %thread, %r2;
  @%p0 bra SKIP;
  VISIT(0);
  shl.b32 %r3, %r2, 2;
  add.u32 %r3, %r1, %r3;
  ld.shared.u32 %r4, [%r3];
  ld.shared.u32 %r5, [%r1];
  add.u32 %r5, %r5, %r4;
  st.shared.u32 [%r1], %r5;
SKIP:
  shr.u32 %r2, %r2, 1;
  setp.ne.u32 %p1, %r2, 0;
  @%p1 bra STEP;
  VISIT(1);
  setp.ne.u32 %p2, %thread, 0;
  @%p2 exit;
  ld.shared.u32 %r6, [%r1];
  st.global.u32 [%slice+60], %r6;
  ret;)";

// Operations whose order does not matter, in divergent lanes.
constexpr const char* commuting_atomics = R"(
  and.b32 %r0, %x, 15;
  mul.wide.u32 %rd0, %r0, 4;
  add.u64 %rd0, %sums, %rd0;
  setp.lt.u32 %p0, %r0, 8;
  @%p0 bra LOW;
  red.global.add.u32 [%rd0], %x;
  red.global.max.s32 [%rd0+64], %x;
  bra JOIN;
LOW:
  red.global.xor.b32 [%rd0+128], %x;
  red.global.or.b32 [%rd0+192], %x;
  red.global.min.s32 [%rd0+256], %x;
JOIN:
  shl.b32 %r1, %r0, 3;
  cvt.u64.u32 %rd1, %r1;
  add.u64 %rd1, %sums, %rd1;
  cvt.u64.u32 %rd2, %x;
  mul.lo.u64 %rd2, %rd2, %rd2;
  red.global.add.u64 [%rd1+512], %rd2;
  red.global.inc.u32 [%sums+800], 1000000;
  VISIT(0);
  ret;)";

// Shared counters by divergent atomics, written out by one thread each.
constexpr const char* shared_histogram = R"(
  mov.u32 %r0, cells;
  shl.b32 %r1, %thread, 2;
  add.u32 %r1, %r0, %r1;
  mov.u32 %r2, 0;
  st.shared.u32 [%r1], %r2;
  bar.sync 0;
  and.b32 %r3, %x, 7;
  mov.u32 %r4, 0;
LOOP:
  mad.lo.u32 %r5, %x, 5, %r4;
  and.b32 %r5, %r5, 15;
  shl.b32 %r5, %r5, 2;
  add.u32 %r5, %r0, %r5;
  red.shared.add.u32 [%r5], 1;
  VISIT(0);
  add.u32 %r4, %r4, 1;
  setp.le.u32 %p0, %r4, %r3;
  @%p0 bra LOOP;
  bar.sync 0;
  ld.shared.u32 %r6, [%r1];
  st.global.u32 [%slice+60], %r6;
  ret;)";

// The stack of a thread, with indices from data, also through the generic space.
constexpr const char* local_array = R"(
  mov.u64 %rd0, own;
  cvta.local.u64 %rd1, %rd0;
  mov.u32 %r0, 0;
FILL:
  mul.wide.u32 %rd2, %r0, 4;
  add.u64 %rd3, %rd0, %rd2;
  mad.lo.u32 %r1, %r0, %x, 3;
  st.local.u32 [%rd3], %r1;
  add.u32 %r0, %r0, 1;
  setp.lt.u32 %p0, %r0, 8;
  @%p0 bra FILL;
  and.b32 %r2, %x, 7;
  mov.u32 %r4, 0;
SUM:
  VISIT(0);
  mul.wide.u32 %rd2, %r2, 4;
  add.u64 %rd3, %rd1, %rd2;
  ld.u32 %r3, [%rd3];
  add.u32 %r4, %r4, %r3;
  setp.ne.u32 %p1, %r2, 0;
  sub.u32 %r2, %r2, 1;
  @%p1 bra SUM;
  ld.local.u64 %rd4, [%rd0+8];
  st.global.u64 [%slice+48], %rd4;
  st.global.u32 [%slice+60], %r4;
  ret;)";

// The thread's position in all three dimensions.
constexpr const char* places = R"(
  VISIT(0);
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, %tid.y;
  mov.u32 %r2, %tid.z;
  st.global.v2.u32 [%slice+8], {%r0, %r1};
  st.global.u32 [%slice+16], %r2;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ctaid.y;
  mov.u32 %r2, %ctaid.z;
  st.global.v2.u32 [%slice+24], {%r0, %r1};
  st.global.u32 [%slice+32], %r2;
  add.u32 %r3, %r0, %r1;
  setp.gt.u32 %p0, %r3, 2;
  @%p0 bra JOIN;
  VISIT(1);
JOIN:
  st.global.u32 [%slice+60], %gid;
  ret;)";

// All lanes vote and shuffle at a reconvergence point, after they have diverged.
constexpr const char* votes_and_shuffles = R"(
  and.b32 %r0, %x, 1;
  setp.eq.u32 %p0, %r0, 0;
  @%p0 bra JOIN;
  VISIT(0);
  add.u32 %x, %x, 1;
JOIN:
  and.b32 %r1, %x, 8;
  setp.ne.u32 %p1, %r1, 0;
  vote.sync.ballot.b32 %r2, %p1, -1;
  vote.sync.any.pred %p2, %p1, -1;
  vote.sync.all.pred %p3, %p1, -1;
  selp.u32 %r3, 1, 0, %p2;
  selp.u32 %r4, 1, 0, %p3;
  shfl.sync.bfly.b32 %r5, %x, 5, 31, -1;
  shfl.sync.up.b32 %r6|%p4, %x, 3, 0, -1;
  shfl.sync.down.b32 %r7, %x, 2, 0x1807, -1;
  selp.u32 %r8, 1, 0, %p4;
  st.global.v4.u32 [%slice+16], {%r2, %r3, %r4, %r5};
  st.global.v2.u32 [%slice+32], {%r6, %r7};
  st.global.u32 [%slice+40], %r8;
  ret;)";

// All lanes match, reduce and elect at a reconvergence point; half of them under a guard.
constexpr const char* matches_and_reductions = R"(
  and.b32 %r0, %x, 3;
  setp.eq.u32 %p0, %r0, 0;
  @%p0 bra JOIN;
  VISIT(0);
  add.u32 %x, %x, 1;
JOIN:
  and.b32 %r1, %x, 3;
  match.any.sync.b32 %r2, %r1, -1;
  cvt.u64.u32 %rd0, %r1;
  shl.b64 %rd0, %rd0, 40;
  match.any.sync.b64 %r3, %rd0, -1;
  match.all.sync.b32 %r4|%p1, %r1, -1;
  selp.u32 %r5, 1, 0, %p1;
  match.all.sync.b64 %r6|%p2, 77, -1;
  selp.u32 %r7, 1, 0, %p2;
  redux.sync.add.u32 %r8, %x, -1;
  redux.sync.min.s32 %r9, %x, -1;
  redux.sync.max.s32 %r10, %x, -1;
  redux.sync.min.u32 %r11, %x, -1;
  redux.sync.max.u32 %r12, %x, -1;
  redux.sync.and.b32 %r13, %x, -1;
  redux.sync.or.b32 %r14, %x, -1;
  redux.sync.xor.b32 %r15, %x, -1;
  st.global.v4.u32 [%slice+16], {%r2, %r3, %r4, %r5};
  st.global.v2.u32 [%slice+8], {%r6, %r7};
  add.u32 %r16, %r9, %r10;
  add.u32 %r16, %r16, %r11;
  xor.b32 %r16, %r16, %r12;
  st.global.u32 [%slice+4], %r8;
  st.global.u32 [%slice+56], %r16;
  st.global.u32 [%slice+36], %r13;
  st.global.u32 [%slice+40], %r14;
  st.global.u32 [%slice+44], %r15;
  and.b32 %r17, %lane, 1;
  setp.ne.u32 %p3, %r17, 0;
  mov.u32 %r18, 99;
  setp.ne.u32 %p4, %r18, 99;
  @%p3 elect.sync %r18|%p4, 0xaaaaaaaa;
  @!%p3 elect.sync _|%p4, 0x55555555;
  selp.u32 %r19, 1, 0, %p4;
  st.global.u32 [%slice+48], %r18;
  st.global.u32 [%slice+52], %r19;
  ret;)";

// The lanes of a warp exchange values after diverging, with a warp barrier; some whole warps do not take part.
constexpr const char* warp_barrier = R"(
  mov.u32 %r0, cells;
  shl.b32 %r1, %thread, 2;
  add.u32 %r1, %r0, %r1;
  setp.ge.u32 %p2, %thread, 64;
  @%p2 bra LAST;
  and.b32 %r2, %x, 7;
  mov.u32 %r3, 0;
LOOP:
  VISIT(0);
  add.u32 %r3, %r3, 1;
  setp.le.u32 %p0, %r3, %r2;
  @%p0 bra LOOP;
  st.shared.u32 [%r1], %r3;
  bar.warp.sync -1;
  xor.b32 %r4, %thread, 31;
  shl.b32 %r4, %r4, 2;
  add.u32 %r4, %r0, %r4;
  ld.shared.u32 %r5, [%r4];
  st.global.u32 [%slice+60], %r5;
LAST:
  bar.sync 0;
  VISIT(1);
  ret;)";

}  // namespace

std::vector<Case> memory_cases() {
  std::vector<Case> all;
  all.push_back(make_case("exchange through shared memory", exchange, {5}, {80}, "  .shared .u32 cells[80];"));
  all.push_back(make_case("exchange through reserved shared memory", exchange_through_reserved, {5}, {80},
                          "  .shared .u32 cells[80];"));
  all.push_back(
      make_case("barrier after divergence", barrier_after_divergence, {4}, {96}, "  .shared .u32 cells[96];"));
  all.push_back(make_case("barrier after exits", barrier_after_exits, {4}, {128}, "  .shared .u32 cells[128];"));
  all.push_back(make_case("tree sum", tree_sum, {3}, {128}, "  .shared .u32 cells[128];"));
  all.push_back(make_case("commuting atomics", commuting_atomics, {6}, {72}));
  all.push_back(make_case("shared histogram", shared_histogram, {4}, {72}, "  .shared .u32 cells[72];"));
  all.push_back(make_case("local array", local_array, {3}, {50}, "  .local .align 8 .u32 own[8];"));
  all.push_back(make_case("places in three dimensions", places, {3, 2, 2}, {5, 3, 4}));
  all.push_back(make_case("flat grid", places, {1, 4, 2}, {1, 33, 2}));
  all.push_back(make_case("many small blocks", places, {61}, {7}));
  all.push_back(make_case("barrier of a warp", warp_barrier, {3}, {96}, "  .shared .u32 cells[96];"));
  all.push_back(make_case("votes and shuffles", votes_and_shuffles, {3}, {96}));
  all.push_back(make_case("matches and reductions", matches_and_reductions, {3}, {96}));
  return all;
}

}  // namespace reconverge::contract

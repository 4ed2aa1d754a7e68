// SPDX-License-Identifier: Apache-2.0
#include "testbenches/contract/kernels.hpp"

namespace reconverge::contract {

namespace {

struct BarrierCase {
  const char* name;
  const char* declarations;
  const char* body;
  Dim3 block{128};
};

constexpr BarrierCase barriers[] = {
    {"two barriers by number, for half of the block each", ".shared .u32 room[128];",
     R"(
  shr.u32 %r0, %thread, 6;
  mul.wide.u32 %rd0, %thread, 4;
  mov.u64 %rd1, room;
  add.u64 %rd1, %rd1, %rd0;
  st.shared.u32 [%rd1], %x;
  add.u32 %r1, %r0, 1;
  bar.sync %r1, 64;
  xor.b32 %r2, %thread, 63;
  mul.wide.u32 %rd2, %r2, 4;
  mov.u64 %rd3, room;
  add.u64 %rd3, %rd3, %rd2;
  ld.shared.u32 %r3, [%rd3];
  st.global.u32 [%slice+60], %r3;)"},

    {"warps that produce and warps that consume", ".shared .u32 room[64];",
     R"(
  mov.u64 %rd1, room;
  setp.ge.u32 %p0, %thread, 64;
  @%p0 bra CONSUME;
  mul.wide.u32 %rd0, %thread, 4;
  add.u64 %rd1, %rd1, %rd0;
  st.shared.u32 [%rd1], %x;
  bar.arrive 3, 128;
  VISIT(0);
  ret;
CONSUME:
  bar.sync 3, 128;
  sub.u32 %r0, 127, %thread;
  mul.wide.u32 %rd0, %r0, 4;
  add.u64 %rd1, %rd1, %rd0;
  ld.shared.u32 %r1, [%rd1];
  VISIT(1);
  st.global.u32 [%slice+60], %r1;)"},

    {"votes of the block", "",
     R"(
  and.b32 %r0, %x, 3;
  setp.eq.u32 %p0, %r0, 0;
  setp.le.u32 %p1, %r0, 3;
  setp.gt.u32 %p2, %r0, 3;
  bar.red.popc.u32 %r1, 0, %p0;
  bar.red.and.pred %p3, 0, %p1;
  bar.red.or.pred %p4, 0, %p2;
  bar.red.and.pred %p5, 0, !%p0;
  selp.u32 %r2, 1, 0, %p3;
  selp.u32 %r3, 2, 0, %p4;
  selp.u32 %r4, 4, 0, %p5;
  add.u32 %r2, %r2, %r3;
  add.u32 %r2, %r2, %r4;
  st.global.u32 [%slice+60], %r1;
  st.global.u32 [%slice+56], %r2;)",
     Dim3{80}},

    {"threads that ended are not waited for", ".shared .u32 room;",
     R"(
  and.b32 %r0, %x, 3;
  setp.eq.u32 %p0, %r0, 0;
  mov.u64 %rd0, room;
  setp.eq.u32 %p1, %thread, 0;
  @%p1 st.shared.u32 [%rd0], 0;
  bar.sync 0;
  @%p0 exit;
  red.shared.add.u32 [%rd0], 1;
  barrier.sync 0;
  ld.shared.u32 %r1, [%rd0];
  st.global.u32 [%slice+60], %r1;)",
     Dim3{80}},

    {"votes on one side of a branch", "",
     R"(
  and.b32 %r0, %x, 1;
  setp.eq.u32 %p0, %r0, 0;
  and.b32 %r2, %x, 2;
  setp.eq.u32 %p1, %r2, 0;
  vote.sync.ballot.b32 %r5, %p0, -1;
  @!%p0 bra ELSE;
  vote.sync.ballot.b32 %r1, %p1, %r5;
  VISIT(0);
  bra JOIN;
ELSE:
  not.b32 %r5, %r5;
  vote.sync.any.pred %p2, %p1, %r5;
  selp.u32 %r1, 7, 9, %p2;
  VISIT(1);
JOIN:
  st.global.u32 [%slice+60], %r1;)"},

    {"a vote that lanes reach again while others are still at it with fewer members", "",
     R"(
  mov.u32 %r0, 0;
  mov.u32 %r4, 0;
OUTER:
  and.b32 %r1, %x, 3;
  add.u32 %r1, %r1, %r0;
  mov.u32 %r2, 0;
  mov.b32 %r5, -1;
INNER:
  setp.ge.u32 %p0, %r2, %r1;
  vote.sync.ballot.b32 %r5, !%p0, %r5;
  @%p0 bra LEFT;
  VISIT(0);
  redux.sync.add.u32 %r3, %x, %r5;
  add.u32 %r4, %r4, %r3;
  add.u32 %r2, %r2, 1;
  bra INNER;
LEFT:
  add.u32 %r0, %r0, 1;
  setp.lt.u32 %p1, %r0, 3;
  @%p1 bra OUTER;
  st.global.u32 [%slice+60], %r4;)"},

    {"votes without members on one side of a branch", "",
     R"(
  and.b32 %r0, %x, 1;
  setp.eq.u32 %p0, %r0, 0;
  and.b32 %r2, %x, 2;
  setp.eq.u32 %p1, %r2, 0;
  mov.u32 %r1, 0;
  @!%p0 bra JOIN;
  vote.ballot.b32 %r1, %p1;
  VISIT(0);
JOIN:
  vote.ballot.b32 %r3, %p1;
  st.global.u32 [%slice+60], %r1;
  st.global.u32 [%slice+56], %r3;)"},

    {"exchanges of all lanes at once, of which each names its tile of eight", "",
     R"(
  and.b32 %r0, %lane, 24;
  mov.u32 %r1, 255;
  shl.b32 %r1, %r1, %r0;
  and.b32 %r2, %x, 3;
  setp.eq.u32 %p0, %r2, 0;
  vote.ballot.sync.b32 %r3, %p0, %r1;
  st.global.u32 [%slice], %r3;
  vote.sync.any.pred %p1, %p0, %r1;
  selp.u32 %r3, 1, 0, %p1;
  st.global.u32 [%slice+4], %r3;
  vote.sync.all.pred %p1, !%p0, %r1;
  selp.u32 %r3, 1, 0, %p1;
  st.global.u32 [%slice+8], %r3;
  match.any.sync.b32 %r3, %r2, %r1;
  st.global.u32 [%slice+12], %r3;
  redux.sync.max.u32 %r3, %x, %r1;
  st.global.u32 [%slice+16], %r3;
  shfl.sync.down.b32 %r3|%p1, %x, 3, 0x181f, %r1;
  st.global.u32 [%slice+20], %r3;
  elect.sync %r3|%p1, %r1;
  st.global.u32 [%slice+24], %r3;)"},

    {"a barrier, while lanes that end on the other side of a branch wait for memory", "",
     R"(
  and.b32 %r0, %x, 1;
  setp.eq.u32 %p0, %r0, 0;
  @%p0 bra LEAVE;
  VISIT(0);
  bar.sync 0;
  VISIT(1);
  ret;
LEAVE:
  ld.global.u32 %r1, [%in+2048];
  add.u32 %r1, %r1, %x;
  st.global.u32 [%slice+60], %r1;
  ret;)"},
};

}  // namespace

std::vector<Case> barrier_cases() {
  std::vector<Case> all;
  for (const BarrierCase& each : barriers) {
    all.push_back(make_case(each.name, each.body, Dim3{3}, each.block, each.declarations));
  }
  return all;
}

}  // namespace reconverge::contract

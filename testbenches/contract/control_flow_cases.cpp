// SPDX-License-Identifier: Apache-2.0
#include "testbenches/contract/kernels.hpp"

namespace reconverge::contract {

namespace {

/// A kernel body and its launch; most run in blocks whose size is not a multiple of the warp size.
struct Flow {
  const char* name;
  const char* body;
  Dim3 grid{5};
  Dim3 block{80};
};

constexpr Flow flows[] = {
    {"straight line", R"(
  VISIT(0);
  st.global.u32 [%slice+4], %x;
  ret;)"},

    {"if then else", R"(
  and.b32 %r0, %x, 1;
  setp.eq.u32 %p0, %r0, 0;
  @%p0 bra ELSE;
  VISIT(0);
  add.u32 %r1, %x, 7;
  bra JOIN;
ELSE:
  VISIT(1);
  mul.lo.u32 %r1, %x, 3;
JOIN:
  VISIT(2);
  st.global.u32 [%slice+60], %r1;
  ret;)"},

    {"if without else", R"(
  mov.u32 %r1, %x;
  and.b32 %r0, %x, 3;
  setp.ne.u32 %p0, %r0, 0;
  @%p0 bra JOIN;
  VISIT(0);
  not.b32 %r1, %r1;
JOIN:
  VISIT(1);
  st.global.u32 [%slice+60], %r1;
  ret;)"},

    {"nested if", R"(
  and.b32 %r0, %x, 1;
  and.b32 %r1, %x, 2;
  and.b32 %r2, %x, 4;
  setp.ne.u32 %p0, %r0, 0;
  setp.ne.u32 %p1, %r1, 0;
  setp.ne.u32 %p2, %r2, 0;
  mov.u32 %r3, 1;
  @%p0 bra A;
  @%p1 bra B;
  VISIT(0);
  @%p2 bra C;
  VISIT(1);
  add.u32 %r3, %r3, 10;
C:
  VISIT(2);
  bra INNER;
B:
  VISIT(3);
  shl.b32 %r3, %r3, 3;
INNER:
  VISIT(4);
  add.u32 %r3, %r3, 100;
  bra JOIN;
A:
  VISIT(5);
  @!%p2 bra D;
  VISIT(6);
  mul.lo.u32 %r3, %r3, 77;
D:
  VISIT(7);
JOIN:
  VISIT(8);
  st.global.u32 [%slice+60], %r3;
  ret;)"},

    {"loop with trips from data", R"(
  and.b32 %r0, %x, 31;
  mov.u32 %r1, 0;
  mov.u32 %r2, %x;
LOOP:
  VISIT(0);
  mad.lo.u32 %r2, %r2, 1664525, 1013904223;
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p0, %r1, %r0;
  @%p0 bra LOOP;
  VISIT(1);
  st.global.u32 [%slice+60], %r2;
  ret;)"},

    {"loop that some lanes never enter", R"(
  and.b32 %r0, %x, 7;
  mov.u32 %r1, 0;
  mov.u32 %r2, 1;
HEAD:
  VISIT(0);
  setp.ge.u32 %p0, %r1, %r0;
  @%p0 bra DONE;
  VISIT(1);
  mul.lo.u32 %r2, %r2, 5;
  add.u32 %r1, %r1, 1;
  bra HEAD;
DONE:
  VISIT(2);
  st.global.u32 [%slice+60], %r2;
  ret;)"},

    {"loop with break and continue", R"(
  mov.u32 %r1, 0;
  mov.u32 %r2, %x;
HEAD:
  VISIT(0);
  add.u32 %r1, %r1, 1;
  setp.gt.u32 %p0, %r1, 20;
  @%p0 bra DONE;
  shr.u32 %r3, %r2, 3;
  xor.b32 %r2, %r2, %r3;
  mad.lo.u32 %r2, %r2, 69069, 1;
  and.b32 %r4, %r2, 0x700;
  setp.eq.u32 %p1, %r4, 0;
  @%p1 bra BREAK;
  and.b32 %r4, %r2, 0x1000;
  setp.eq.u32 %p2, %r4, 0;
  @%p2 bra HEAD;
  VISIT(1);
  add.u32 %r2, %r2, %lane;
  bra HEAD;
BREAK:
  VISIT(2);
  add.u32 %r2, %r2, 1000;
DONE:
  VISIT(3);
  st.global.v2.u32 [%slice+56], {%r1, %r2};
  ret;)"},

    {"nested loops", R"(
  and.b32 %r0, %x, 7;
  mov.u32 %r1, 0;
  mov.u32 %r3, %x;
OUTER:
  VISIT(0);
  mov.u32 %r2, 0;
  and.b32 %r4, %r3, 3;
INNER:
  VISIT(1);
  mad.lo.u32 %r3, %r3, 1103515245, 12345;
  add.u32 %r2, %r2, 1;
  setp.le.u32 %p0, %r2, %r4;
  @%p0 bra INNER;
  VISIT(2);
  shr.u32 %r3, %r3, 1;
  add.u32 %r1, %r1, 1;
  setp.le.u32 %p0, %r1, %r0;
  @%p0 bra OUTER;
  VISIT(3);
  st.global.u32 [%slice+60], %r3;
  ret;)"},

    {"break out of two loops", R"(
  mov.u32 %r1, 0;
  mov.u32 %r3, %x;
OUTER:
  VISIT(0);
  mov.u32 %r2, 0;
INNER:
  VISIT(1);
  mad.lo.u32 %r3, %r3, 1103515245, 12345;
  shr.u32 %r5, %r3, 16;
  and.b32 %r5, %r5, 63;
  setp.eq.u32 %p1, %r5, 5;
  @%p1 bra OUT;
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p0, %r2, 6;
  @%p0 bra INNER;
  VISIT(2);
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p0, %r1, 6;
  @%p0 bra OUTER;
  VISIT(3);
OUT:
  VISIT(4);
  st.global.v2.u32 [%slice+56], {%r2, %r3};
  ret;)"},

    {"early exit of some lanes", R"(
  VISIT(0);
  and.b32 %r0, %x, 3;
  setp.eq.u32 %p0, %r0, 0;
  @!%p0 bra STAY;
  VISIT(1);
  exit;
STAY:
  VISIT(2);
  setp.eq.u32 %p0, %r0, 1;
  @%p0 bra LEAVE;
  VISIT(3);
  st.global.u32 [%slice+60], %r0;
  ret;
LEAVE:
  VISIT(4);
  ret;)"},

    {"exit in a loop", R"(
  mov.u32 %r1, 0;
  and.b32 %r0, %x, 15;
LOOP:
  VISIT(0);
  setp.eq.u32 %p0, %r1, %r0;
  @!%p0 bra GO_ON;
  VISIT(1);
  exit;
GO_ON:
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p1, %r1, 12;
  @%p1 bra LOOP;
  VISIT(2);
  st.global.u32 [%slice+60], %r1;
  ret;)"},

    {"predicated exit", R"(
  mov.u32 %r1, 0;
  and.b32 %r0, %x, 7;
LOOP:
  VISIT(0);
  setp.eq.u32 %p0, %r1, %r0;
  @%p0 exit;
  VISIT(1);
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p1, %r1, 5;
  @%p1 bra LOOP;
  VISIT(2);
  setp.eq.u32 %p2, %r0, 6;
  @%p2 ret;
  VISIT(3);
  ret;)"},

    {"exit inside both sides of a branch", R"(
  and.b32 %r0, %x, 1;
  setp.eq.u32 %p0, %r0, 0;
  and.b32 %r1, %x, 2;
  setp.eq.u32 %p1, %r1, 0;
  @%p0 bra ELSE;
  VISIT(0);
  @%p1 exit;
  VISIT(1);
  bra JOIN;
ELSE:
  VISIT(2);
  @!%p1 exit;
  VISIT(3);
JOIN:
  VISIT(4);
  st.global.u32 [%slice+60], %r1;
  ret;)"},

    {"paths that meet only at exit", R"(
  and.b32 %r0, %x, 1;
  setp.eq.u32 %p0, %r0, 0;
  @%p0 bra ELSE;
  VISIT(0);
  and.b32 %r1, %x, 2;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra THIRD;
  VISIT(1);
  exit;
THIRD:
  VISIT(2);
  exit;
ELSE:
  VISIT(3);
  st.global.u32 [%slice+60], %x;
  exit;)"},

    {"switch by a chain", R"(
  and.b32 %r0, %x, 7;
  mov.u32 %r1, %x;
  setp.eq.u32 %p0, %r0, 0;
  @%p0 bra CASE0;
  setp.eq.u32 %p0, %r0, 1;
  @%p0 bra CASE1;
  setp.eq.u32 %p0, %r0, 2;
  @%p0 bra CASE2;
  setp.eq.u32 %p0, %r0, 3;
  @%p0 bra CASE3;
  VISIT(0);
  add.u32 %r1, %r1, 1;
  bra JOIN;
CASE0:
  VISIT(1);
  add.u32 %r1, %r1, 2;
CASE1:
  VISIT(2);
  add.u32 %r1, %r1, 3;
  bra JOIN;
CASE2:
  VISIT(3);
  add.u32 %r1, %r1, 4;
CASE3:
  VISIT(4);
  mul.lo.u32 %r1, %r1, 5;
JOIN:
  VISIT(5);
  st.global.u32 [%slice+60], %r1;
  ret;)"},

    {"goto", R"(
  and.b32 %r0, %x, 3;
  mov.u32 %r1, 0;
  mov.u32 %r2, %x;
  setp.eq.u32 %p0, %r0, 0;
  setp.eq.u32 %p1, %r0, 1;
  @%p0 bra MIDDLE;
  @%p1 bra TAIL;
TOP:
  VISIT(0);
  add.u32 %r2, %r2, 11;
MIDDLE:
  VISIT(1);
  mad.lo.u32 %r2, %r2, 22695477, 1;
  and.b32 %r3, %r2, 0x10000;
  setp.ne.u32 %p2, %r3, 0;
  @%p2 bra OTHER;
TAIL:
  VISIT(2);
  add.u32 %r1, %r1, 1;
  setp.gt.u32 %p3, %r1, 9;
  @%p3 bra END;
  and.b32 %r3, %r2, 0x20000;
  setp.ne.u32 %p2, %r3, 0;
  @%p2 bra TOP;
  VISIT(3);
OTHER:
  VISIT(4);
  add.u32 %r1, %r1, 1;
  add.u32 %r2, %r2, %r1;
  setp.lt.u32 %p3, %r1, 9;
  @%p3 bra MIDDLE;
  bra TAIL;
END:
  VISIT(5);
  st.global.u32 [%slice+60], %r2;
  ret;)"},

    {"short circuit", R"(
  and.b32 %r0, %x, 1;
  setp.ne.u32 %p0, %r0, 0;
  and.b32 %r1, %x, 2;
  setp.ne.u32 %p1, %r1, 0;
  and.b32 %r2, %x, 4;
  setp.ne.u32 %p2, %r2, 0;
  @%p0 bra SECOND;
  VISIT(0);
  @%p2 bra THEN;
  bra ELSE;
SECOND:
  VISIT(1);
  @!%p1 bra ELSE;
THEN:
  VISIT(2);
  mov.u32 %r3, 1;
  bra JOIN;
ELSE:
  VISIT(3);
  mov.u32 %r3, 2;
JOIN:
  VISIT(4);
  st.global.u32 [%slice+60], %r3;
  ret;)"},

    {"all lanes apart", R"(
  mov.u32 %r0, 0;
NEXT:
  setp.eq.u32 %p0, %r0, %lane;
  @!%p0 bra OTHERS;
  VISIT(0);
  mad.lo.u32 %r1, %lane, %lane, 5;
  st.global.u32 [%slice+60], %r1;
  bra JOIN;
OTHERS:
  VISIT(1);
  add.u32 %r0, %r0, 1;
  bra NEXT;
JOIN:
  VISIT(2);
  ret;)",
     Dim3{3}, Dim3{64}},

    {"guard false for all lanes", R"(
  setp.gt.u32 %p0, %lane, 40;
  VISIT(0);
  @%p0 st.global.u32 [%slice+56], %x;
  @%p0 bra NEVER;
  @%p0 exit;
  VISIT(1);
  @!%p0 st.global.u32 [%slice+60], %x;
  ret;
NEVER:
  VISIT(2);
  ret;)"},

    {"branch to the next instruction", R"(
  and.b32 %r0, %x, 1;
  setp.eq.u32 %p0, %r0, 0;
  VISIT(0);
  @%p0 bra NEXT;
NEXT:
  VISIT(1);
  @!%p0 bra LAST;
LAST:
  VISIT(2);
  ret;)"},

    {"loop whose exit is its head's branch", R"(
  and.b32 %r0, %x, 7;
LOOP:
  VISIT(0);
  setp.eq.u32 %p0, %r0, 0;
  sub.u32 %r0, %r0, 1;
  @!%p0 bra LOOP;
  exit;)"},

    {"wide and narrow values on different paths", R"(
  and.b32 %r0, %x, 1;
  mul.lo.u32 %r1, %x, 3;
  add.u32 %r2, %x, 5;
  xor.b32 %r3, %x, 9;
  setp.eq.u32 %p0, %r0, 0;
  @%p0 bra WIDE;
  VISIT(0);
  add.u32 %r4, %r1, %r2;
  add.u32 %r4, %r4, %r3;
  st.global.u32 [%slice+60], %r4;
  ret;
WIDE:
  VISIT(1);
  mul.wide.u32 %rd0, %x, 16777619;
  mul.wide.u32 %rd1, %x, 3;
  mul.wide.u32 %rd2, %x, 5;
  add.u64 %rd1, %rd1, %rd0;
  xor.b64 %rd2, %rd2, %rd0;
  st.global.u64 [%slice+40], %rd1;
  st.global.u64 [%slice+48], %rd2;
  ret;)"},

    {"threads that end at once, and many blocks", R"(
  VISIT(0);
  and.b32 %r0, %x, 7;
  setp.ne.u32 %p0, %r0, 0;
  @%p0 exit;
  mov.u32 %r1, 0;
LOOP:
  VISIT(1);
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p1, %r1, 20;
  @%p1 bra LOOP;
  ret;)",
     Dim3{150}, Dim3{40}},

    {"a warp of one thread", R"(
  VISIT(0);
  and.b32 %r0, %x, 1;
  setp.eq.u32 %p0, %r0, 0;
  @%p0 bra JOIN;
  VISIT(1);
JOIN:
  VISIT(2);
  ret;)",
     Dim3{9}, Dim3{33}},
};

}  // namespace

std::vector<Case> control_flow_cases() {
  std::vector<Case> all;
  for (const Flow& flow : flows) all.push_back(make_case(flow.name, flow.body, flow.grid, flow.block));
  return all;
}

}  // namespace reconverge::contract

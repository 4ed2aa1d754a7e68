// SPDX-License-Identifier: Apache-2.0
#include "testbenches/contract/kernels.hpp"

namespace reconverge::contract {

namespace {

struct CallCase {
  const char* name;
  const char* module;
  const char* body;
};

/// Fibonacci numbers by plain recursion, as compilers write a call: parameters and results in .param variables.
constexpr const char* fibonacci = R"(
.func (.param .b32 result) fib(.param .b32 n)
{
  .reg .u32 %a<8>;
  .reg .pred %q;
  ld.param.u32 %a0, [n];
  setp.lt.u32 %q, %a0, 2;
  @%q bra SMALL;
  sub.u32 %a1, %a0, 1;
  { .param .b32 p0; .param .b32 r0; st.param.b32 [p0+0], %a1; call.uni (r0), fib, (p0); ld.param.b32 %a2, [r0+0]; }
  sub.u32 %a3, %a0, 2;
  { .param .b32 p0; .param .b32 r0; st.param.b32 [p0+0], %a3; call.uni (r0), fib, (p0); ld.param.b32 %a4, [r0+0]; }
  add.u32 %a0, %a2, %a4;
SMALL:
  st.param.b32 [result+0], %a0;
  ret;
}
)";

constexpr CallCase calls[] = {
    {"a function of two arguments",
     R"(
.func (.param .b32 r) mix(.param .b32 a, .param .b32 b)
{
  .reg .u32 %a<4>;
  ld.param.u32 %a0, [a];
  ld.param.u32 %a1, [b];
  mad.lo.u32 %a2, %a0, 31, %a1;
  st.param.b32 [r], %a2;
  ret;
})",
     R"(
  { .param .b32 p0; .param .b32 p1; .param .b32 r0;
    st.param.b32 [p0], %x; st.param.b32 [p1], %gid;
    call (r0), mix, (p0, p1);
    ld.param.b32 %r0, [r0]; }
  st.global.u32 [%slice+60], %r0;)"},

    {"arguments and results in registers, and numbers",
     R"(
.func (.reg .u32 %sum, .reg .u64 %wide) both(.reg .u32 %a, .reg .u64 %b, .reg .b16 %c)
{
  .reg .u32 %t;
  cvt.u32.u16 %t, %c;
  add.u32 %sum, %a, %t;
  mul.lo.u64 %wide, %b, 3;
})",
     R"(
  .reg .b16 %h;
  cvt.u16.u32 %h, %x;
  mov.u64 %rd0, 5000000000;
  call (%r0, %rd1), both, (%x, %rd0, %h);
  call (%r1, _), both, (7, %rd1, 9);
  st.global.u32 [%slice+60], %r0;
  st.global.u32 [%slice+56], %r1;
  st.global.u64 [%slice+48], %rd1;)"},

    {"registers of each kind live across a call", R"(
.func clobber()
{
  .reg .u32 %a<20>;
  .reg .pred %q<4>;
  mov.u32 %a0, 99; mov.u32 %a1, 98; mov.u32 %a2, 97; mov.u32 %a3, 96; mov.u32 %a4, 95; mov.u32 %a5, 94;
  setp.ne.u32 %q0, %a0, %a1; setp.ne.u32 %q1, %a2, %a3; setp.ne.u32 %q2, %a4, %a5;
  add.u32 %a6, %a0, %a1; add.u32 %a7, %a2, %a3; add.u32 %a8, %a4, %a5;
  @%q0 add.u32 %a6, %a6, %a7; @%q1 add.u32 %a6, %a6, %a8; @%q2 add.u32 %a6, %a6, %a0;
  ret;
})",
     R"(
  and.b32 %r0, %x, 1;
  setp.eq.u32 %p0, %r0, 0;
  mul.wide.u32 %rd0, %x, 77777;
  cvt.rn.f32.u32 %f0, %x;
  call clobber;
  selp.u32 %r1, 11, 22, %p0;
  st.global.u32 [%slice+60], %r1;
  st.global.u64 [%slice+48], %rd0;
  st.global.f32 [%slice+44], %f0;)"},

    {"recursion as deep as the lane says", fibonacci, R"(
  and.b32 %r0, %x, 7;
  { .param .b32 p0; .param .b32 r0; st.param.b32 [p0], %r0; call (r0), fib, (p0); ld.param.b32 %r1, [r0]; }
  VISIT(0);
  st.global.u32 [%slice+60], %r1;)"},

    {"a call that only some lanes make, in a loop with trips from data", fibonacci, R"(
  and.b32 %r5, %x, 3;
  mov.u32 %r7, 0;
  mov.u32 %r6, 0;
LOOP:
  VISIT(0);
  and.b32 %r2, %x, 4;
  setp.ne.u32 %p1, %r2, 0;
  @%p1 bra SKIP;
  add.u32 %r0, %r5, %r6;
  { .param .b32 p0; .param .b32 r0; st.param.b32 [p0], %r0; call (r0), fib, (p0); ld.param.b32 %r1, [r0]; }
  VISIT(1);
  add.u32 %r7, %r7, %r1;
SKIP:
  add.u32 %r6, %r6, 1;
  setp.lt.u32 %p0, %r6, %r5;
  @%p0 bra LOOP;
  VISIT(2);
  st.global.u32 [%slice+60], %r7;)"},

    {"a guarded call", fibonacci, R"(
  and.b32 %r0, %x, 1;
  setp.ne.u32 %p0, %r0, 0;
  mov.u32 %r1, 1000;
  .param .b32 p; .param .b32 r;
  st.param.b32 [p], 6;
  st.param.b32 [r], 5;
  @%p0 call (r), fib, (p);
  ld.param.b32 %r2, [r];
  @!%p0 mov.u32 %r2, 77;
  VISIT(0);
  st.global.u32 [%slice+60], %r2;)"},

    {"variables that serve two calls", fibonacci, R"(
  .param .b32 p; .param .b32 r;
  and.b32 %r0, %x, 3;
  st.param.b32 [p], %r0;
  call (r), fib, (p);
  ld.param.b32 %r1, [r];
  add.u32 %r1, %r1, 2;
  st.param.b32 [p], %r1;
  call (r), fib, (p);
  ld.param.b32 %r2, [r];
  st.global.u32 [%slice+60], %r2;)"},

    {"returns from within loops, branches and after exits", R"(
.func (.reg .u32 %out) search(.reg .u32 %key, .reg .u64 %count)
{
  .reg .u32 %a<8>;
  .reg .pred %q<4>;
  mov.u32 %out, 0;
LOOP:
  red.global.add.u32 [%count], 1;
  and.b32 %a0, %key, 15;
  setp.eq.u32 %q0, %a0, 3;
  @%q0 ret;
  setp.eq.u32 %q1, %a0, 9;
  @%q1 exit;
  add.u32 %out, %out, 1;
  setp.gt.u32 %q2, %out, 6;
  @%q2 bra LATE;
  mad.lo.u32 %key, %key, 1664525, 1013904223;
  shr.u32 %key, %key, 3;
  bra LOOP;
LATE:
  add.u32 %out, %out, 100;
  ret;
})",
     R"(
  call (%r0), search, (%x, %slice);
  VISIT(1);
  st.global.u32 [%slice+60], %r0;)"},

    {"functions through pointers", R"(
.func (.param .b32 r) twice(.param .b32 a)
{ .reg .u32 %a<2>; ld.param.u32 %a0, [a]; add.u32 %a1, %a0, %a0; st.param.b32 [r], %a1; ret; }
.func (.param .b32 r) square(.param .b32 a)
{ .reg .u32 %a<2>; ld.param.u32 %a0, [a]; mul.lo.u32 %a1, %a0, %a0; st.param.b32 [r], %a1; ret; }
.func (.param .b32 r) wrong(.param .b32 a)
{ .reg .u32 %a<2>; ld.param.u32 %a0, [a]; not.b32 %a1, %a0; st.param.b32 [r], %a1; ret; }
.const .align 8 .u64 table[3] = {twice, square, wrong};
.global .align 8 .u64 second = generic(table)+8;
)",
     R"(
  rem.u32 %r0, %x, 3;
  mul.wide.u32 %rd0, %r0, 8;
  mov.u64 %rd1, table;
  add.u64 %rd1, %rd1, %rd0;
  ld.const.u64 %rd2, [%rd1];
  { .param .b32 p0; .param .b32 r0; st.param.b32 [p0], %x;
    prototype_0 : .callprototype (.param .b32 _) _ (.param .b32 _);
    call (r0), %rd2, (p0), prototype_0;
    ld.param.b32 %r1, [r0]; }
  VISIT(0);
  mov.u64 %rd3, wrong;
  { .param .b32 p0; .param .b32 r0; st.param.b32 [p0], %r1;
    targets : .calltargets twice, square, wrong;
    call (r0), %rd3, (p0), targets;
    ld.param.b32 %r2, [r0]; }
  ld.global.u64 %rd4, [second];
  ld.u64 %rd5, [%rd4];
  mov.u64 %rd6, square;
  sub.u64 %rd5, %rd5, %rd6;
  st.global.u32 [%slice+60], %r1;
  st.global.u32 [%slice+56], %r2;
  st.global.u64 [%slice+48], %rd5;)"},

    {"records by value, and arrays on the stack", R"(
.func (.param .align 8 .b8 r[32]) fill(.param .align 8 .b8 s[32], .param .b32 k)
{
  .local .align 16 .b8 room[64];
  .reg .u32 %a<8>;
  .reg .u64 %b<4>;
  .reg .f64 %d;
  ld.param.u32 %a0, [k];
  and.b32 %a0, %a0, 7;
  mov.u64 %b0, room;
  mul.wide.u32 %b1, %a0, 4;
  add.u64 %b0, %b0, %b1;
  ld.param.u32 %a1, [s+4];
  st.local.u32 [room], %a1;
  st.local.u32 [room+4], 9;
  st.local.u32 [%b0+4], 5;
  ld.local.v2.u32 {%a2, %a3}, [room];
  cvta.local.u64 %b2, %b0;
  ld.u32 %a4, [%b2+4];
  ld.param.f64 %d, [s+24];
  add.f64 %d, %d, %d;
  st.param.v2.b32 [r+0], {%a2, %a3};
  st.param.b32 [r+8], %a4;
  st.param.b32 [r+16], %a0;
  st.param.f64 [r+24], %d;
  ret;
})",
     R"(
  .reg .f64 %d0;
  cvt.rn.f64.u32 %d0, %x;
  { .param .align 8 .b8 p0[32]; .param .b32 p1; .param .align 8 .b8 r0[32];
    st.param.v4.b32 [p0+0], {%x, %gid, %x, %gid}; st.param.f64 [p0+24], %d0; st.param.b32 [p1], %x;
    call (r0), fill, (p0, p1);
    ld.param.v2.b32 {%r0, %r1}, [r0+0]; ld.param.b32 %r2, [r0+8]; ld.param.b32 %r3, [r0+16];
    ld.param.b64 %rd0, [r0+24]; }
  st.global.v4.u32 [%slice+32], {%r0, %r1, %r2, %r3};
  st.global.u64 [%slice+48], %rd0;)"},

    {"functions that call each other", R"(
.func (.reg .u32 %r) odd(.reg .u32 %n);
.func (.reg .u32 %r) even(.reg .u32 %n)
{ .reg .pred %q; mov.u32 %r, 1; setp.eq.u32 %q, %n, 0; @%q ret; sub.u32 %n, %n, 1; call (%r), odd, (%n); ret; }
.func (.reg .u32 %r) odd(.reg .u32 %n)
{ .reg .pred %q; mov.u32 %r, 0; setp.eq.u32 %q, %n, 0; @%q ret; sub.u32 %n, %n, 1; call (%r), even, (%n); ret; }
)",
     R"(
  and.b32 %r0, %x, 15;
  call (%r1), even, (%r0);
  VISIT(0);
  st.global.u32 [%slice+60], %r1;)"},

    {"a jump table", "", R"(
  and.b32 %r0, %x, 3;
  mov.u32 %r1, 0;
  TABLE: .branchtargets A, B, C, B;
  brx.idx %r0, TABLE;
A:
  VISIT(0);
  add.u32 %r1, %r1, 10;
  bra JOIN;
B:
  VISIT(1);
  add.u32 %r1, %r1, 20;
C:
  VISIT(2);
  add.u32 %r1, %r1, 40;
JOIN:
  VISIT(3);
  st.global.u32 [%slice+60], %r1;)"},

    {"a jump table in a loop, inside a function", R"(
.func (.reg .u32 %acc) machine(.reg .u32 %code)
{
  .reg .u32 %a<4>;
  .reg .pred %q;
  mov.u32 %acc, 1;
NEXT:
  and.b32 %a0, %code, 3;
  shr.u32 %code, %code, 2;
  OPS: .branchtargets HALT, INC, DBL, LEAVE;
  brx.idx %a0, OPS;
INC:
  add.u32 %acc, %acc, 1;
  bra NEXT;
DBL:
  shl.b32 %acc, %acc, 1;
  bra NEXT;
LEAVE:
  add.u32 %acc, %acc, 1000;
  ret;
HALT:
  ret;
})",
     R"(
  and.b32 %r9, %x, 0xffff;
  call (%r0), machine, (%r9);
  VISIT(0);
  st.global.u32 [%slice+60], %r0;)"},

    {"a vote in a function, while lanes that end, or return, on the other side of a branch wait for memory",
     R"(
.func (.reg .u32 %ballot) votes(.reg .u32 %way, .reg .u32 %members)
{
  .reg .pred %q;
  setp.eq.u32 %q, %way, 3;
  vote.sync.ballot.b32 %ballot, %q, %members;
})"
     R"(
.func (.reg .u32 %result) parts(.reg .u32 %way, .reg .u32 %members, .reg .u64 %from)
{
  .reg .u32 %a;
  .reg .pred %q<2>;
  setp.lt.u32 %q0, %way, 2;
  setp.eq.u32 %q1, %way, 0;
  @%q0 bra LEAVE;
  call (%result), votes, (%way, %members);
  add.u32 %result, %result, 1;
  bra DONE;
LEAVE:
  ld.global.u32 %a, [%from+2048];
  add.u32 %result, %a, %way;
  @%q1 exit;
  ret;
DONE:
  add.u32 %result, %result, 2;
})",
     R"(
  and.b32 %r0, %x, 3;
  setp.ne.u32 %p0, %r0, 1;
  vote.sync.ballot.b32 %r1, %p0, -1;
  call (%r2), parts, (%r0, %r1, %in);
  VISIT(0);
  st.global.u32 [%slice+60], %r2;)"},
};

}  // namespace

std::vector<Case> call_cases() {
  std::vector<Case> all;
  for (const CallCase& each : calls) {
    all.push_back(make_case(each.name, each.body, Dim3{3}, Dim3{80}, {}, each.module));
  }
  return all;
}

}  // namespace reconverge::contract

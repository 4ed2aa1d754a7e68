// SPDX-License-Identifier: Apache-2.0
// Micro-kernels with expected states and traffic. Each test also runs them; they must leave the same memory as the
// kernel.

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>

#include "tests/unit/transform/made_kernels.hpp"

namespace reconverge::kernel::tests {
namespace {

using Catch::Contains;

/// Adds up the numbers below a bound that depends on the thread's number. The loop starts at line 13 of the file.
constexpr std::string_view sum_loop = R"(  ld.param.u64 %sums, [sums];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, 0;
LOOP:
  add.u32 %r2, %r2, %r1;
  sub.u32 %r1, %r1, 1;
  setp.gt.s32 %p1, %r1, 0;
  @%p1 bra LOOP;
  red.global.add.u32 [%sums], %r2;
  ret;)";

}  // namespace

TEST_CASE("a loop of two values passes two values") {
  const Microkernels loop = made(sum_loop);
  CHECK(labels(loop) == std::set<std::string>{"mk_loop_13", "mk_after_loop_13"});
  CHECK(microkernel(loop, "mk_loop_13").passed == 8);
  CHECK(microkernel(loop, "mk_loop_13").loaded == 8);
  CHECK(microkernel(loop, "mk_after_loop_13").passed == 4);
  CHECK(microkernel(loop, "mk_after_loop_13").loaded == 4);
  CHECK(stored(loop, "mk_loop_13") == Bytes{8, 8});
  CHECK(stored(loop, "mk_after_loop_13") == Bytes{4});
  // The parameter is read again. The two words are accessed in different places, so a vector access has no benefit.
  CHECK(loop.report.state_bytes == 8);
  CHECK_THAT(loop.text, Contains("// Micro-kernel: the loop at line 13. Loads 8 bytes.\nmk_loop_13:\n"));
}

TEST_CASE("values stored on both paths of a branch are stored without a guard") {
  const Microkernels loop = made(sum_loop);
  const std::string sum = fmt::format("\n  st.spawnMem.b32 \t[%mk_state+{}], %r2;\n", place_of(loop, "%r2"));
  const std::string count = fmt::format("\n  @%p1 st.spawnMem.b32 \t[%mk_state+{}], %r1;\n", place_of(loop, "%r1"));
  CHECK_THAT(loop.text, Contains(sum) && Contains(count));
  CHECK_THAT(loop.text, Contains("@%p1 spawn \tmk_loop_13, %mk_state;\n  @!%p1 spawn \tmk_after_loop_13, %mk_state;\n"
                                 "  exit;\n"));
}

TEST_CASE("a jump after a branch is a path of the branch") {
  const Microkernels loop = made(R"(  ld.param.u64 %sums, [sums];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, 0;
LOOP:
  add.u32 %r2, %r2, %r1;
  sub.u32 %r1, %r1, 1;
  setp.le.s32 %p1, %r1, 0;
  @%p1 bra DONE;
  bra.uni LOOP;
DONE:
  red.global.add.u32 [%sums], %r2;)");
  CHECK_THAT(loop.text, Contains("  @!%p1 spawn \tmk_loop_13, %mk_state;\n  exit;\n"));
  CHECK_THAT(loop.text, !Contains("bra"));
  CHECK(stored(loop, "mk_loop_13") == Bytes{8, 8});
}

TEST_CASE("a value that is only passed on is not moved") {
  const Microkernels loop = made(R"(  ld.param.u64 %sums, [sums];
  mov.u32 %r1, %tid.x;
  mul.lo.u32 %r5, %r1, 77;
  mov.u32 %r2, 0;
LOOP:
  add.u32 %r2, %r2, %r1;
  sub.u32 %r1, %r1, 1;
  setp.gt.s32 %p1, %r1, 0;
  @%p1 bra LOOP;
  add.u32 %r2, %r2, %r5;
  red.global.add.u32 [%sums], %r2;
  ret;)");
  CHECK(microkernel(loop, "mk_loop_14").passed == 12);
  CHECK(microkernel(loop, "mk_loop_14").loaded == 8);
  CHECK(stored(loop, "mk_loop_14") == Bytes{12, 8});
  CHECK(microkernel(loop, "mk_after_loop_14").loaded == 8);
  CHECK(stored(loop, "mk_after_loop_14") == Bytes{4});
}

TEST_CASE("values that a micro-kernel only reads are loaded and not stored") {
  const Microkernels loop = made(R"(  ld.param.u64 %sums, [sums];
  mov.u32 %r1, %tid.x;
  mul.lo.u32 %r5, %r1, 77;
LOOP:
  red.global.add.u32 [%sums], %r5;
  sub.u32 %r1, %r1, 1;
  setp.gt.s32 %p1, %r1, 0;
  @%p1 bra LOOP;
  ret;)");
  CHECK(labels(loop) == std::set<std::string>{"mk_loop_13"});  // a return needs no spawn
  CHECK(microkernel(loop, "mk_loop_13").loaded == 8);
  CHECK(stored(loop, "mk_loop_13") == Bytes{8, 4});
  CHECK_THAT(loop.text, Contains("  @%p1 exit;\n  ret;"));
}

TEST_CASE("nested loops are split at each loop, or only at the outermost") {
  constexpr std::string_view nested = R"(  ld.param.u64 %sums, [sums];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, 0;
OUTER:
  and.b32 %r3, %r1, 7;
INNER:
  add.u32 %r2, %r2, %r3;
  sub.u32 %r3, %r3, 1;
  setp.gt.s32 %p1, %r3, 0;
  @%p1 bra INNER;
  sub.u32 %r1, %r1, 1;
  setp.gt.s32 %p1, %r1, 0;
  @%p1 bra OUTER;
  red.global.add.u32 [%sums], %r2;)";
  const Microkernels all = made(nested);
  CHECK(labels(all) == std::set<std::string>{"mk_loop_13", "mk_loop_15", "mk_after_loop_15", "mk_after_loop_13"});
  CHECK(microkernel(all, "mk_loop_15").passed == 12);
  CHECK(microkernel(all, "mk_loop_15").loaded == 8);  // the outer count is passed on
  CHECK(microkernel(all, "mk_after_loop_15").loaded == 4);
  const Microkernels outer = made(nested, naive(SplitAt::loops, 1));
  CHECK(labels(outer) == std::set<std::string>{"mk_loop_13", "mk_after_loop_13"});
  CHECK_THAT(outer.text, Contains("@%p1 bra INNER;"));
}

TEST_CASE("lanes that leave a loop by two exits continue in two micro-kernels") {
  const Microkernels loop = made(R"(  ld.param.u64 %sums, [sums];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, 1;
LOOP:
  mul.lo.u32 %r2, %r2, 3;
  setp.gt.u32 %p1, %r2, 1000;
  @%p1 bra LARGE;
  sub.u32 %r1, %r1, 1;
  setp.gt.s32 %p2, %r1, 0;
  @%p2 bra LOOP;
  red.global.add.u32 [%sums], %r2;
  ret;
LARGE:
  red.global.add.u32 [%sums+4], %r1;
  ret;)");
  CHECK(labels(loop) == std::set<std::string>{"mk_loop_13", "mk_after_loop_13", "mk_after_loop_13_2"});
  CHECK(microkernel(loop, "mk_after_loop_13").passed == 4);
  CHECK(microkernel(loop, "mk_after_loop_13_2").passed == 4);
  CHECK(stored(loop, "mk_after_loop_13_2") == Bytes{0});  // the count has not changed yet
}

TEST_CASE("a guarded write keeps the old value alive") {
  const Microkernels loop = made(R"(  ld.param.u64 %sums, [sums];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %tid.x;
LOOP:
  and.b32 %r3, %r1, 4;
  setp.eq.u32 %p2, %r3, 0;
  @%p2 add.u32 %r2, %r1, 7;
  sub.u32 %r1, %r1, 1;
  setp.gt.s32 %p1, %r1, 0;
  @%p1 bra LOOP;
  red.global.add.u32 [%sums], %r2;)");
  CHECK(microkernel(loop, "mk_loop_13").passed == 8);
  // The value is stored again, so micro-kernels that do not write it must load it.
  CHECK(microkernel(loop, "mk_loop_13").loaded == 8);
  CHECK(stored(loop, "mk_after_loop_13") == Bytes{4});
}

TEST_CASE("predicates are passed in words of 32") {
  std::string body = "  ld.param.u64 %sums, [sums];\n  mov.u32 %r1, %tid.x;\n";
  for (unsigned i = 0; i < 40; ++i) body += fmt::format("  setp.gt.u32 %p{}, %r1, {};\n", i + 1, i);
  body += "LOOP:\n  sub.u32 %r1, %r1, 1;\n  setp.gt.s32 %p0, %r1, 0;\n  @%p0 bra LOOP;\n  mov.u32 %r2, 0;\n";
  for (unsigned i = 0; i < 40; ++i) body += fmt::format("  @%p{} add.u32 %r2, %r2, {};\n", i + 1, i * i);
  body += "  red.global.add.u32 [%sums], %r2;";
  const Microkernels loop = made(body);
  CHECK(microkernel(loop, "mk_loop_52").passed == 12);
  CHECK(microkernel(loop, "mk_loop_52").loaded == 4);
  CHECK(microkernel(loop, "mk_after_loop_52").loaded == 8);
  CHECK(stored(loop, "mk_loop_52") == Bytes{12, 4});
  CHECK_THAT(loop.text, Contains("%p1:0 %p2:1 ") && Contains("%p33:0 %p34:1 "));
}

TEST_CASE("a word of predicates is stored completely when one of them changes") {
  const Microkernels loop = made(R"(  ld.param.u64 %sums, [sums];
  mov.u32 %r1, %tid.x;
  setp.gt.u32 %p1, %r1, 20;
  setp.gt.u32 %p2, %r1, 30;
LOOP:
  sub.u32 %r1, %r1, 1;
  setp.eq.u32 %p2, %r1, 13;
  setp.gt.s32 %p3, %r1, 0;
  @%p3 bra LOOP;
  @%p1 red.global.add.u32 [%sums], 1;
  @%p2 red.global.add.u32 [%sums+4], 1;)");
  CHECK(microkernel(loop, "mk_loop_14").passed == 8);
  CHECK(microkernel(loop, "mk_loop_14").loaded == 8);  // %p1 is loaded only to be stored with %p2
  CHECK(stored(loop, "mk_loop_14") == Bytes{8, 4});    // %p2 is not live there
  CHECK(stored(loop, "mk_after_loop_14") == Bytes{4});
}

TEST_CASE("64-bit values take two words at a multiple of eight, and 16-bit values half a word") {
  const Microkernels loop = made(R"(  ld.param.u64 %out, [output];
  mov.u32 %r1, %tid.x;
  mov.u32 %r4, %ctaid.x;
  mad.lo.u32 %r4, %r4, 40, %r1;
  mul.wide.u32 %slot, %r4, 16;
  add.u64 %slot, %out, %slot;
  cvt.u64.u32 %rd1, %r1;
  cvt.rn.f64.u32 %fd1, %r1;
  cvt.u16.u32 %h1, %r1;
LOOP:
  mul.lo.u64 %rd1, %rd1, 0x100000001;
  add.f64 %fd1, %fd1, %fd1;
  add.u16 %h1, %h1, 3;
  sub.u32 %r1, %r1, 1;
  setp.gt.s32 %p1, %r1, 0;
  @%p1 bra LOOP;
  st.global.u64 [%slot], %rd1;
  cvt.rn.f32.f64 %f1, %fd1;
  st.global.f32 [%slot+8], %f1;
  st.global.u16 [%slot+12], %h1;)");
  CHECK(microkernel(loop, "mk_loop_19").passed == 8 + 8 + 8 + 4 + 2);
  for (const std::string_view wide : {"%rd1", "%fd1", "%slot"}) CHECK(place_of(loop, wide) % 8 == 0);
  CHECK(place_of(loop, "%h1") % 2 == 0);
  CHECK(microkernel(loop, "mk_loop_19").loaded == 8 + 8 + 4 + 2);
  CHECK(loop.report.state_bytes == 32);
  CHECK_THAT(loop.text, Contains("ld.spawnMem.v2.b64 \t{%rd1, %fd1}") || Contains("ld.spawnMem.v2.b64 \t{%fd1, %rd1}"));
}

TEST_CASE("special registers of a thread of the grid are read once and passed") {
  const Microkernels loop = made(R"(  ld.param.u64 %sums, [sums];
  mov.u32 %r1, 5;
LOOP:
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r2, %r2, %r3, %r1;
  red.global.add.u32 [%sums], %r2;
  sub.u32 %r1, %r1, 1;
  setp.gt.s32 %p1, %r1, 0;
  @%p1 bra LOOP;
  mov.u16 %h1, %ctaid.x;
  cvt.u32.u16 %r4, %h1;
  red.global.add.u32 [%sums+4], %r4;)");
  CHECK(microkernel(loop, "mk_loop_12").passed == 4 + 4 + 2);
  CHECK_THAT(loop.text, Contains("  mov.u32 \t%mk_tid_x, %tid.x;\n  mov.u16 \t%mk_ctaid_x_16, %ctaid.x;\n"));
  CHECK_THAT(loop.text, Contains("mov.u32 %r2, %mk_tid_x;") && Contains("mov.u32 %r3, %ntid.x;"));
  CHECK_THAT(loop.text, Contains("mov.u16 %h1, %mk_ctaid_x_16;"));
}

TEST_CASE("constants are set again") {
  const Microkernels loop = made(R"(  ld.param.u64 %rd1, [sums];
  cvta.to.global.u64 %rd2, %rd1;
  add.s64 %rd3, %rd2, 8;
  mov.u32 %r5, 1234;
  mov.u32 %r1, %tid.x;
LOOP:
  red.global.add.u32 [%rd3], %r5;
  sub.u32 %r1, %r1, 1;
  setp.gt.s32 %p1, %r1, 0;
  @%p1 bra LOOP;)");
  CHECK(microkernel(loop, "mk_loop_15").passed == 4);
  CHECK(loop.report.state_bytes == 4);
  CHECK_THAT(loop.text, Contains("[%mk_state+0];\n  ld.param.u64 %rd1, [sums];\n  mov.u32 %r5, 1234;\n"
                                 "  cvta.to.global.u64 %rd2, %rd1;\n  add.s64 %rd3, %rd2, 8;\nLOOP:\n"));
}

TEST_CASE("a constant that is set only on some paths is passed") {
  const Microkernels loop = made(R"(  ld.param.u64 %sums, [sums];
  mov.u32 %r1, %tid.x;
  setp.gt.u32 %p1, %r1, 9;
  @%p1 bra LOOP;
  mov.u32 %r5, 1234;
LOOP:
  red.global.add.u32 [%sums], %r5;
  sub.u32 %r1, %r1, 1;
  setp.gt.s32 %p1, %r1, 0;
  @%p1 bra LOOP;)");
  CHECK(microkernel(loop, "mk_loop_15").passed == 8);
}

TEST_CASE("values that are never live together share an offset in the state") {
  const Microkernels loops = made(R"(  ld.param.u64 %sums, [sums];
  mov.u32 %r1, %tid.x;
ONE:
  sub.u32 %r1, %r1, 1;
  setp.gt.s32 %p1, %r1, 0;
  @%p1 bra ONE;
  add.u32 %r2, %r1, 9;
TWO:
  red.global.add.u32 [%sums], %r2;
  sub.u32 %r2, %r2, 1;
  setp.gt.s32 %p1, %r2, 0;
  @%p1 bra TWO;)");
  CHECK(place_of(loops, "%r1") == place_of(loops, "%r2"));
  CHECK(loops.report.state_bytes == 4);
}

TEST_CASE("a loop that begins with the kernel is spawned at once") {
  const Microkernels loop = made(R"(LOOP:
  ld.param.u64 %sums, [sums];
  mov.u32 %r2, %tid.x;
  red.global.add.u32 [%sums], %r2;
  add.u32 %r1, %r1, 1;
  setp.lt.s32 %p1, %r1, 4;
  @%p1 bra LOOP;)");
  CHECK(labels(loop) == std::set<std::string>{"mk_loop_10"});
  CHECK(loop.report.spawns.front().line == 0);
}

TEST_CASE("both paths of a divergent branch and their reconvergence point are split points") {
  constexpr std::string_view choice = R"(  ld.param.u64 %sums, [sums];
  mov.u32 %r1, %tid.x;
  mul.lo.u32 %r4, %r1, 3;
  and.b32 %r2, %r1, 1;
  setp.eq.u32 %p1, %r2, 0;
  @%p1 bra EVEN;
  add.u32 %r3, %r1, 100;
  bra MEET;
EVEN:
  mul.lo.u32 %r3, %r1, 5;
MEET:
  add.u32 %r3, %r3, %r4;
  red.global.add.u32 [%sums], %r3;)";
  const Microkernels sides = made(choice, naive(SplitAt::branches));
  CHECK(labels(sides) == std::set<std::string>{"mk_side_14", "mk_side_14_2", "mk_meeting_14"});
  CHECK(stored(sides, "mk_side_14") == Bytes{8});
  CHECK(stored(sides, "mk_meeting_14") == Bytes{4, 4});
  CHECK(microkernel(sides, "mk_meeting_14").loaded == 8);
  CHECK(microkernel(sides, "mk_side_14").loaded == 4);  // %r4 is passed on
}

TEST_CASE("a uniform branch is not changed") {
  const Microkernels sides = made(R"(  ld.param.u64 %in, [input];
  ld.param.u64 %sums, [sums];
  ld.global.u32 %r1, [%in];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra ALL;
  mov.u32 %r2, %tid.x;
  setp.gt.u32 %p2, %r2, 9;
  @%p2 bra SOME;
ALL:
  red.global.add.u32 [%sums], 1;
SOME:
  red.global.add.u32 [%sums+4], 1;)",
                                  naive(SplitAt::branches));
  CHECK_THAT(sides.text, Contains("@%p1 spawn \tmk_side_16, %mk_state;\n"));
  for (const auto& one : sides.report.microkernels) CHECK(one.line == 16);
}

TEST_CASE("a branch through a table spawns on each of its paths") {
  constexpr std::string_view table = R"(  ld.param.u64 %sums, [sums];
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 3;
  mul.lo.u32 %r4, %r1, 3;
  setp.gt.u32 %p1, %r1, 9;
WAYS: .branchtargets A, B, A, C;
  GUARD brx.idx %r2, WAYS;
  red.global.add.u32 [%sums+16], %r4;
  ret;
A:
  red.global.add.u32 [%sums], %r4;
  ret;
B:
  red.global.add.u32 [%sums+4], %r1;
  ret;
C:
  red.global.add.u32 [%sums+8], %r1;)";
  for (const std::string_view guard : {"", "@%p1", "@!%p1"}) {
    std::string body(table);
    body.replace(body.find("GUARD"), 5, guard);
    const Microkernels ways = made(body, naive(SplitAt::branches));
    CHECK(ways.report.microkernels.size() == (guard.empty() ? 3 : 4));
    CHECK_THAT(ways.text, Contains(".branchtargets mk_table_0_0, mk_table_0_1, mk_table_0_0, mk_table_0_2;"));
  }
}

TEST_CASE("a cycle with several entries is split at each entry") {
  const Microkernels knot = made(R"(  ld.param.u64 %sums, [sums];
  mov.u32 %r1, %tid.x;
  setp.gt.u32 %p1, %r1, 20;
  @%p1 bra SECOND;
FIRST:
  red.global.add.u32 [%sums], %r1;
SECOND:
  red.global.add.u32 [%sums+4], %r1;
  sub.u32 %r1, %r1, 1;
  setp.gt.s32 %p2, %r1, 0;
  @%p2 bra FIRST;)");
  CHECK(labels(knot) == std::set<std::string>{"mk_knot_14", "mk_knot_16"});
}

TEST_CASE("local arrays can be part of the state") {
  constexpr std::string_view stack = R"(  .local .align 8 .b8 depot[32];
  ld.param.u64 %sums, [sums];
  mov.u64 %rd1, depot;
  mov.u32 %r1, %tid.x;
LOOP:
  and.b32 %r2, %r1, 7;
  mul.wide.u32 %rd2, %r2, 4;
  add.u64 %rd3, %rd1, %rd2;
  ld.local.u32 %r3, [%rd3];
  add.u32 %r3, %r3, %r1;
  st.local.u32 [%rd3], %r3;
  sub.u32 %r1, %r1, 1;
  setp.gt.s32 %p1, %r1, 0;
  @%p1 bra LOOP;
  ld.local.v2.u32 {%r4, %r5}, [depot+8];
  red.global.add.u32 [%sums], %r4;
  red.global.add.u32 [%sums+4], %r5;)";
  const Microkernels in_state = made(stack, naive(SplitAt::loops, 0, LocalArrays::state));
  CHECK(in_state.report.state_bytes == 16 + 32);
  CHECK(in_state.report.local_bytes == 32);
  CHECK(microkernel(in_state, "mk_loop_14").passed == 4);
  CHECK_THAT(in_state.text, !Contains("ld.local") && !Contains("st.local"));
}

TEST_CASE("arguments of printf stay in local memory") {
  const Microkernels loop = made(R"(  .local .align 8 .b8 depot[8];
  mov.u64 %rd1, depot;
  cvta.local.u64 %rd2, %rd1;
  ld.param.u64 %sums, [sums];
  mov.u32 %r1, %tid.x;
  and.b32 %r1, %r1, 3;
LOOP:
  add.u64 %rd3, %rd2, 0;
  add.u64 %rd4, %rd1, 0;
  st.local.v2.u32 [%rd4], {%r1, %r2};
  mov.u64 %rd5, format;
  cvta.global.u64 %rd6, %rd5;
  { .param .b64 p0; .param .b64 p1; .param .b32 r0;
    st.param.b64 [p0], %rd6; st.param.b64 [p1], %rd3;
    call.uni (r0), vprintf, (p0, p1);
    ld.param.b32 %r3, [r0]; }
  add.u32 %r2, %r2, %r3;
  sub.u32 %r1, %r1, 1;
  setp.gt.s32 %p1, %r1, 0;
  @%p1 bra LOOP;
  red.global.add.u32 [%sums], %r2;)",
                                 naive(),  // threads print in the kernel's order
                                 ".global .b8 format[7] = {37, 100, 32, 37, 100, 10, 0};\n"
                                 ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);");
  CHECK(loop.report.local_bytes == 0);
  CHECK_THAT(loop.text, Contains("st.local.v2.u32 [%rd4]"));
}

TEST_CASE("new names do not collide with names of the kernel") {
  const Microkernels loop = made(R"(  .reg .b32 %mk_state;
  ld.param.u64 %sums, [sums];
  mov.u32 %mk_state, %tid.x;
LOOP:
  red.global.add.u32 [%sums], %mk_state;
  sub.u32 %mk_state, %mk_state, 1;
  setp.gt.s32 %p1, %mk_state, 0;
  @%p1 bra LOOP;)");
  CHECK(labels(loop) == std::set<std::string>{"mk2_loop_13"});
}

TEST_CASE("a micro-kernel names its source line") {
  std::string body(sum_loop);
  body.insert(body.find("LOOP:"), "  .loc 1 45 2\n");
  const Microkernels loop = made(body, naive(), ".file 1 \"/author/sum.cu\"");
  CHECK_THAT(loop.text, Contains("// Micro-kernel: the loop at line 14 (sum.cu:45). Loads 8 bytes.\n"));
}

TEST_CASE("other code of the kernel is not changed") {
  const Microkernels loop = made(R"(  ld.param.u64 %sums, [sums];  // where to
  mov.u32 %r1, %tid.x; /* how often */ mov.u32 %r2, 0;
  // a loop
LOOP: add.u32 %r2, %r2,   %r1;
  sub.u32 %r1, %r1, 1;
  setp.gt.s32 %p1, %r1, 0;
  @%p1 bra LOOP;  // again
  red.global.add.u32 [%sums], %r2;  // done
  ret;)");
  for (const std::string_view text : {"[sums];  // where to\n", "/* how often */ mov.u32 %r2, 0;", "  // a loop\n",
                                      "LOOP: add.u32 %r2, %r2,   %r1;\n", "exit;  // again\n", "  // done\n"}) {
    CHECK_THAT(loop.text, Contains(std::string(text)));
  }
}

}  // namespace reconverge::kernel::tests

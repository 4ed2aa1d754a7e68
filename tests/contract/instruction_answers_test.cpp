// SPDX-License-Identifier: Apache-2.0
// Instructions whose results were calculated by hand from the PTX ISA manual, or with the host's 128-bit integers: on
// the interpreter and on the lanes.

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>

#include "models/core/error.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "testbenches/contract/kernels.hpp"

namespace reconverge::contract {

namespace {

using Words = std::vector<std::uint32_t>;
__extension__ using Wide = unsigned __int128;

constexpr unsigned lanes = 32;

Words words_of(const Outcome& outcome) {
  Words words(outcome.memory.size() / 4);
  std::memcpy(words.data(), outcome.memory.data(), words.size() * 4);
  return words;
}

/// What one warp leaves in its slices, with `slice_words` words a lane; both machines have to agree.
Words answers(const Case& test_case) {
  const Words words = words_of(run_functional(test_case));
  CHECK((words == words_of(run_scalar(test_case))));
  return words;
}

Words answers(std::string_view body, std::string_view declarations = {}) {
  return answers(make_case("answers", body, {1}, {lanes}, declarations));
}

/// %r0 after `instruction`, with %r1, %r2 and %r3 given.
std::uint32_t answer(const std::string& instruction, std::uint32_t a = 0, std::uint32_t b = 0, std::uint32_t c = 0) {
  INFO(instruction);
  return answers(fmt::format("  mov.u32 %r0, 0x55555555;\n  mov.u32 %r1, {};\n  mov.u32 %r2, {};\n  mov.u32 %r3, {};\n"
                             "  {};\n  st.global.u32 [%slice], %r0;\n  ret;",
                             a, b, c, instruction))
      .front();
}

Wide wide(const std::uint32_t* words) {
  Wide value = 0;
  for (unsigned i = 4; i-- > 0;) value = value << 32 | words[i];
  return value;
}

}  // namespace

TEST_CASE("sums, differences and products of 128 bits, by carry chains", "[answers]") {
  Case test_case = make_case("carries", R"(
  mul.wide.u32 %rd0, %lane, 32;
  add.u64 %rd0, %in, %rd0;
  ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%rd0];
  ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd0+16];
  add.cc.u32 %r8, %r0, %r4;
  addc.cc.u32 %r9, %r1, %r5;
  addc.cc.u32 %r10, %r2, %r6;
  addc.u32 %r11, %r3, %r7;
  st.global.v4.u32 [%slice], {%r8, %r9, %r10, %r11};
  ld.global.v2.u64 {%rd1, %rd2}, [%rd0];
  ld.global.v2.u64 {%rd3, %rd4}, [%rd0+16];
  sub.cc.u64 %rd5, %rd1, %rd3;
  subc.u64 %rd6, %rd2, %rd4;
  st.global.v2.u64 [%slice+16], {%rd5, %rd6};
  mul.lo.u32 %r12, %r0, %r4;
  mul.hi.u32 %r13, %r0, %r4;
  mad.lo.cc.u32 %r13, %r1, %r4, %r13;
  madc.hi.u32 %r14, %r1, %r4, 0;
  mad.lo.cc.u32 %r13, %r0, %r5, %r13;
  madc.hi.cc.u32 %r14, %r0, %r5, %r14;
  addc.u32 %r15, 0, 0;
  mad.lo.cc.u32 %r14, %r1, %r5, %r14;
  madc.hi.u32 %r15, %r1, %r5, %r15;
  st.global.v4.u32 [%slice+32], {%r12, %r13, %r14, %r15};
  ret;)",
                             {1}, {lanes});
  // Runs of ones and zeros among random words, through which carries propagate.
  for (std::size_t i = 0; i < lanes * 8; ++i) {
    if (i % 3 != 0) test_case.input[i] = (i / 5) % 2 != 0 ? 0xffffffff : i % 2;
  }
  const Words found = answers(test_case);
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const std::uint32_t* const input = &test_case.input[8 * lane];
    const std::uint32_t* const output = &found[slice_words * lane];
    const Wide a = wide(input);
    const Wide b = wide(input + 4);
    INFO(lane);
    CHECK((wide(output) == a + b));
    CHECK((wide(output + 4) == a - b));
    CHECK((wide(output + 8) == static_cast<Wide>(static_cast<std::uint64_t>(a)) * static_cast<std::uint64_t>(b)));
  }
}

// models/kernel/README.md, departure 4.
TEST_CASE("departures: the carry of a difference is 1 where nothing is borrowed", "[answers]") {
  constexpr std::uint32_t most = 0xffffffff;
  struct Row {
    std::string_view chain;  ///< leaves its result in %r0
    std::uint32_t a, b, expected;
  };
  // %r1, %r2: a, b. %rd1, %rd2: the same, sign-extended.
  constexpr Row rows[] = {
      {"sub.cc.u32 %r4, %r1, %r2; addc.u32 %r0, 0, 0", 5, 7, 0},
      {"sub.cc.u32 %r4, %r1, %r2; addc.u32 %r0, 0, 0", 7, 5, 1},
      {"sub.cc.s32 %r4, %r1, %r2; addc.s32 %r0, 0, 0", 7, 7, 1},
      {"sub.cc.u32 %r4, %r1, %r2; addc.u32 %r0, 0, 0", 0, 0, 1},
      {"sub.cc.s32 %r4, %r1, %r2; addc.s32 %r0, 0, 0", most, 1, 1},
      {"sub.cc.s32 %r4, %r1, %r2; addc.s32 %r0, 0, 0", 1, most, 0},
      {"sub.cc.u32 %r4, %r1, %r2; madc.lo.u32 %r0, %r1, %r2, 0", 7, 5, 36},
      {"sub.cc.u32 %r4, %r1, %r2; madc.lo.u32 %r0, %r1, %r2, 0", 5, 7, 35},
      {"add.cc.u32 %r4, %r2, -1; subc.u32 %r0, %r1, 0", 5, 7, 5},
      {"add.cc.u32 %r4, %r2, -1; subc.u32 %r0, %r1, 0", 5, 0, 4},
      {"add.cc.u32 %r4, %r2, 0; subc.s32 %r0, %r1, %r2", 5, 7, most - 2},
      {"mad.lo.cc.u32 %r4, %r1, 2, %r2; subc.u32 %r0, %r1, %r2", 5, 7, most - 2},
      {"mad.lo.cc.u32 %r4, %r1, 2, %r2; subc.u32 %r0, %r1, 1", most, 7, most - 1},
      // Two links of the chain: the second difference is zero except for the borrow of the first, or not.
      {"sub.cc.u32 %r4, %r1, %r2; subc.cc.u32 %r4, 3, 3; addc.u32 %r0, 0, 0", 5, 7, 0},
      {"sub.cc.u32 %r4, %r1, %r2; subc.cc.u32 %r4, 3, 3; addc.u32 %r0, 0, 0", 7, 5, 1},
      {"sub.cc.u32 %r4, %r1, %r2; subc.cc.u32 %r4, 0, -1; subc.u32 %r0, 0, 0", 7, 5, most},
      {"add.cc.u32 %r4, %r1, %r2; subc.cc.u32 %r4, 3, 3; addc.u32 %r0, 0, 0", 5, 7, 0},
      {"add.cc.u32 %r4, %r1, %r2; subc.cc.u32 %r4, 3, 3; addc.u32 %r0, 0, 0", 5, most, 1},
      {"sub.cc.u32 %r4, %r1, %r2; addc.cc.u32 %r4, -1, 0; subc.u32 %r0, 0, 0", 7, 5, 0},
      {"sub.cc.u32 %r4, %r1, %r2; addc.cc.u32 %r4, -1, 0; subc.u32 %r0, 0, 0", 5, 7, most},
      {"sub.cc.u64 %rd3, %rd1, %rd2; addc.u32 %r0, 0, 0", 7, 5, 1},
      {"sub.cc.u64 %rd3, %rd1, %rd2; addc.u32 %r0, 0, 0", 5, 7, 0},
      {"sub.cc.s64 %rd3, %rd1, %rd2; addc.s32 %r0, 0, 0", 7, most, 0},
      {"sub.cc.u32 %r4, %r1, %r2; subc.cc.u64 %rd3, %rd1, %rd1; addc.u32 %r0, 0, 0", 5, 7, 0},
      {"add.cc.u64 %rd3, %rd1, %rd2; subc.u64 %rd3, %rd1, %rd2; cvt.u32.u64 %r0, %rd3", 7, 5, 1},
      {"add.cc.s64 %rd3, %rd1, %rd2; subc.s64 %rd3, %rd1, %rd2; cvt.u32.u64 %r0, %rd3", 7, most, 8},
  };
  for (const Row& row : rows) {
    const std::string extended = "cvt.s64.s32 %rd1, %r1; cvt.s64.s32 %rd2, %r2; ";
    INFO(row.a << ", " << row.b);
    CHECK(answer(extended + std::string(row.chain), row.a, row.b) == row.expected);
  }
}

TEST_CASE("a carry passes over what lies between, and a guard keeps it", "[answers]") {
  const Words found = answers(R"(
  setp.lt.u32 %p0, %lane, 16;
  add.cc.u32 %r0, -1, 1;
  @%p0 add.cc.u32 %r0, 1, 1;
  setp.eq.u32 %p1, %lane, 99;
  @%p1 bra SKIP;
  xor.b32 %r1, %lane, 7;
SKIP:
  addc.u32 %r2, 10, 0;
  st.global.u32 [%slice], %r2;
  ret;)");
  for (unsigned lane = 0; lane < lanes; ++lane) CHECK(found[slice_words * lane] == (lane < 16 ? 10U : 11U));
}

TEST_CASE("shifts, permutations and bit fields", "[answers]") {
  constexpr std::uint32_t low = 0x87654321;
  constexpr std::uint32_t high = 0xfedcba98;
  CHECK(answer("shf.l.wrap.b32 %r0, %r1, %r2, %r3", low, high, 8) == 0xdcba9887);
  CHECK(answer("shf.l.clamp.b32 %r0, %r1, %r2, %r3", low, high, 40) == low);
  CHECK(answer("shf.r.clamp.b32 %r0, %r1, %r2, %r3", low, high, 40) == high);
  CHECK(answer("shf.r.wrap.b32 %r0, %r1, %r2, %r3", low, high, 36) == 0x88765432);
  CHECK(answer("shl.b32 %r0, %r1, %r2", 1, 32) == 0);
  CHECK(answer("shr.s32 %r0, %r1, %r2", 0x80000000, 100) == 0xffffffff);
  constexpr std::uint32_t a = 0x33221100;
  constexpr std::uint32_t b = 0x77665544;
  CHECK(answer("prmt.b32 %r0, %r1, %r2, %r3", a, b, 0x7531) == 0x77553311);
  CHECK(answer("prmt.b32 %r0, %r1, %r2, %r3", 0x80, b, 0x4c8c) == 0x4400ff00);
  CHECK(answer("prmt.b32.f4e %r0, %r1, %r2, %r3", a, b, 1) == 0x44332211);
  CHECK(answer("prmt.b32.b4e %r0, %r1, %r2, %r3", a, b, 1) == 0x66770011);
  CHECK(answer("prmt.b32.rc8 %r0, %r1, %r2, %r3", a, b, 2) == 0x22222222);
  CHECK(answer("prmt.b32.ecl %r0, %r1, %r2, %r3", a, b, 2) == 0x33222222);
  CHECK(answer("prmt.b32.ecr %r0, %r1, %r2, %r3", a, b, 2) == 0x22221100);
  CHECK(answer("prmt.b32.rc16 %r0, %r1, %r2, %r3", a, b, 1) == 0x33223322);
  CHECK(answer("bfind.u32 %r0, %r1", 0x00010000) == 16);
  CHECK(answer("bfind.shiftamt.u32 %r0, %r1", 0x00010000) == 15);
  CHECK(answer("bfind.s32 %r0, %r1", 0xffff0000) == 15);
  CHECK(answer("bfind.s32 %r0, %r1", 0xffffffff) == 0xffffffff);
  CHECK(answer("bfind.u32 %r0, %r1", 0) == 0xffffffff);
  CHECK(answer("fns.b32 %r0, %r1, %r2, %r3", 0xf0, 0, 2) == 5);
  CHECK(answer("fns.b32 %r0, %r1, %r2, -2", 0xf0, 7) == 6);
  CHECK(answer("fns.b32 %r0, %r1, %r2, %r3", 0xf0, 6, 3) == 0xffffffff);
  CHECK(answer("bmsk.clamp.b32 %r0, %r1, %r2", 4, 8) == 0xff0);
  CHECK(answer("bmsk.clamp.b32 %r0, %r1, %r2", 36, 8) == 0);
  CHECK(answer("bmsk.wrap.b32 %r0, %r1, %r2", 36, 8) == 0xff0);
  CHECK(answer("szext.clamp.s32 %r0, %r1, %r2", 0x80, 8) == 0xffffff80);
  CHECK(answer("szext.wrap.u32 %r0, %r1, %r2", 0x1ff, 40) == 0xff);
  CHECK(answer("lop3.b32 %r0, %r1, %r2, %r3, 0x96", 0xff00ff00, 0xf0f0f0f0, 0xcccccccc) == 0xc33cc33c);
  CHECK(answer("lop3.b32 %r0, %r1, %r2, %r3, 0xe8", 0xff00ff00, 0xf0f0f0f0, 0xcccccccc) == 0xfcc0fcc0);
  const std::string guarded = "setp.eq.u32 %p0, %r1, %r1; lop3.and.b32 _|%p1, %r1, %r2, %r3, 0x80, {}%p0; ";
  const std::string chosen = "selp.u32 %r0, 1, 0, %p1";
  CHECK(answer(fmt::format(fmt::runtime(guarded), "") + chosen, 6, 5, 4) == 1);
  CHECK(answer(fmt::format(fmt::runtime(guarded), "!") + chosen, 6, 5, 4) == 0);
  CHECK(answer(fmt::format(fmt::runtime(guarded), "") + chosen, 6, 1, 4) == 0);
}

TEST_CASE("integer arithmetic at its edges", "[answers]") {
  CHECK(answer("mad.hi.sat.s32 %r0, %r1, %r2, %r3", 0x7fffffff, 0x7fffffff, 0x7fffffff) == 0x7fffffff);
  CHECK(answer("mad24.hi.sat.s32 %r0, %r1, %r2, %r3", 0x7fffff, 0x800000, 0x80000000) == 0x80000000);
  CHECK(answer("dp4a.s32.u32 %r0, %r1, %r2, %r3", 0x01ff02fe, 0x04030201, 100) == 103);
  CHECK(answer("dp2a.lo.s32.s32 %r0, %r1, %r2, %r3", 0xfffe0003, 0x04030201, 10) == 9);
  CHECK(answer("dp2a.hi.s32.s32 %r0, %r1, %r2, %r3", 0xfffe0003, 0x04030201, 10) == 11);
  CHECK(answer("add.u16x2 %r0, %r1, %r2", 0xffff0001, 0x00010002) == 0x00000003);
  CHECK(answer("max.s16x2 %r0, %r1, %r2", 0xffff0001, 0x00010002) == 0x00010002);
  CHECK(answer("max.u16x2 %r0, %r1, %r2", 0xffff0001, 0x00010002) == 0xffff0002);
  CHECK(answer("min.relu.s16x2 %r0, %r1, %r2", 0xffff0003, 0x00010002) == 0x00000002);
  CHECK(answer("min.relu.s32 %r0, %r1, %r2", 0xfffffff0, 3) == 0);
  // The manual leaves these open; see models/kernel/README.md.
  CHECK(answer("div.u32 %r0, %r1, %r2", 7, 0) == 0xffffffff);
  CHECK(answer("rem.u32 %r0, %r1, %r2", 7, 0) == 7);
  CHECK(answer("div.s32 %r0, %r1, %r2", 0x80000000, 0xffffffff) == 0x80000000);
  CHECK(answer("rem.s32 %r0, %r1, %r2", 0x80000000, 0xffffffff) == 0);
}

TEST_CASE("video instructions: parts, clamping, second operations, merging", "[answers]") {
  const auto minus = [](std::uint32_t value) { return 0U - value; };
  CHECK(answer("vmin.s32.s32.s32.max %r0, %r1, %r2, %r3", minus(5), 3, minus(7)) == minus(5));
  CHECK(answer("vmax.s32.s32.s32.min %r0, %r1, %r2, %r3", minus(5), 3, minus(7)) == minus(7));
  CHECK(answer("vadd.s32.u32.s32.sat %r0, %r1, %r2", 0xffffffff, 1) == 0x7fffffff);
  CHECK(answer("vadd.u32.u32.u32.sat %r0.b1, %r1.b0, %r2.h1, %r3", 0xf0, 0x00200000, 0x11223344) == 0x1122ff44);
  CHECK(answer("vsub.s32.s32.s32 %r0.h1, %r1.b0, %r2, %r3", 0x80, 1, 0xaaaabbbb) == 0xff7fbbbb);
  CHECK(answer("vabsdiff.u32.s32.s32.add %r0, %r1, %r2, %r3", minus(3), 4, 10) == 17);
  CHECK(answer("vset.u32.u32.lt.add %r0, %r1, %r2, %r3", 1, 2, 5) == 6);
  CHECK(answer("vset.s32.u32.lt %r0, %r1, %r2", minus(1), 0) == 1);
  CHECK(answer("vshl.u32.u32.u32.clamp %r0, %r1, %r2", 1, 33) == 0);
  CHECK(answer("vshl.u32.u32.u32.wrap %r0, %r1, %r2", 1, 33) == 2);
  CHECK(answer("vshl.u32.u32.u32.sat.clamp %r0, %r1, %r2", 0x80000000, 1) == 0xffffffff);
  // An NVIDIA H100 gives these two: .sat sees 34 bits of the first operation.
  CHECK(answer("vshl.u32.s32.u32.sat.clamp %r0, %r1, %r2", 5, 31) == 0);
  CHECK(answer("vshl.u32.u32.u32.sat.clamp.add %r0, %r1, %r2, %r3", 2, 32, 0x80000000) == 0x80000000);
  CHECK(answer("vshr.s32.s32.u32.clamp %r0, %r1, %r2", minus(8), 40) == 0xffffffff);
  CHECK(answer("vmad.s32.s32.s32.sat.shr7 %r0, %r1, %r2, %r3", 1000, 1000, 28) == 7812);
  CHECK(answer("vmad.u32.u32.u32 %r0, %r1, -%r2, %r3", 3, 4, 5) == minus(7));
  CHECK(answer("vmad.u32.u32.u32.po %r0, %r1.b1, %r2, %r3", 0x300, 4, 5) == 18);
  CHECK(answer("vmad.u32.u32.u32.sat %r0, %r1, %r2, %r3", 0xffffffff, 2, 0) == 0xffffffff);
}

TEST_CASE("the lanes of a warp match, reduce and elect", "[answers]") {
  const Words found = answers(R"(
  shr.u32 %r0, %lane, 3;
  match.any.sync.b32 %r1, %r0, -1;
  redux.sync.add.u32 %r2, %lane, -1;
  and.b32 %r3, %lane, 1;
  setp.ne.u32 %p0, %r3, 0;
  mov.u32 %r4, 0;
  @%p0 redux.sync.add.s32 %r4, %lane, 0xaaaaaaaa;
  @!%p0 elect.sync %r5|%p1, 0x55555555;
  @%p0 elect.sync %r5|%p1, 0xaaaaaaaa;
  selp.u32 %r6, 1, 0, %p1;
  sub.u32 %r7, %lane, 16;
  redux.sync.min.s32 %r8, %r7, -1;
  redux.sync.min.u32 %r9, %r7, -1;
  st.global.v4.u32 [%slice], {%r1, %r2, %r4, %r5};
  st.global.v2.u32 [%slice+16], {%r6, %r8};
  st.global.u32 [%slice+24], %r9;
  ret;)");
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const std::uint32_t* const own = &found[slice_words * lane];
    CHECK(own[0] == 0xffU << (lane / 8 * 8));
    CHECK(own[1] == 496);
    CHECK(own[2] == (lane % 2 != 0 ? 256U : 0U));
    CHECK(own[3] == lane % 2);
    CHECK(own[4] == (lane < 2 ? 1U : 0U));
    CHECK(own[5] == 0xfffffff0);
    CHECK(own[6] == 0);
  }
}

TEST_CASE("a shuffle from an inactive lane gives 0, and from outside the segment the own value", "[answers]") {
  const Words found = answers(R"(
  add.u32 %r0, %lane, 100;
  and.b32 %r1, %lane, 1;
  setp.eq.u32 %p0, %r1, 0;
  mov.u32 %r2, 7;
  mov.u32 %r3, 7;
  @%p0 shfl.sync.bfly.b32 %r2|%p1, %r0, 1, 0x1f, 0x55555555;
  @%p0 shfl.sync.down.b32 %r3|%p2, %r0, 2, 0x1807, 0x55555555;
  selp.u32 %r4, 1, 0, %p1;
  selp.u32 %r5, 1, 0, %p2;
  st.global.v4.u32 [%slice], {%r2, %r3, %r4, %r5};
  ret;)");
  for (unsigned lane = 0; lane < lanes; lane += 2) {
    const std::uint32_t* const own = &found[slice_words * lane];
    const bool inside = lane % 8 != 6;
    CHECK(own[0] == 0);
    CHECK(own[1] == 100 + lane + (inside ? 2 : 0));
    CHECK(own[2] == 1);
    CHECK(own[3] == (inside ? 1 : 0));
  }
}

TEST_CASE("atomics of a warp go by lane, lowest first", "[answers]") {
  const Words found = answers(R"(
  atom.global.add.u32 %r0, [%sums], 3;
  atom.global.exch.b32 %r1, [%sums+4], %lane;
  mov.b32 %r2, 0x3c003800;
  atom.global.add.noftz.f16x2 %r2, [%sums+8], %r2;
  cvt.u16.u32 %h0, %lane;
  add.u16 %h1, %h0, 1;
  atom.global.cas.b16 %h2, [%sums+14], %h0, %h1;
  cvt.u32.u16 %r3, %h2;
  st.global.v4.u32 [%slice], {%r0, %r1, %r2, %r3};
  ret;)",
                              "  .reg .b16 %h<3>;");
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const std::uint32_t* const own = &found[slice_words * lane];
    CHECK(own[0] == 3 * lane);
    CHECK(own[1] == (lane == 0 ? 0 : lane - 1));
    CHECK(own[3] == lane);
  }
  // One and a half turns: after two lanes 2.0 and 1.0.
  CHECK(found[slice_words * 2 + 2] == 0x40003c00);
}

TEST_CASE("generic addresses of all spaces in one instruction", "[answers]") {
  const Words found = answers(R"(
  mov.u64 %rd0, cell;
  cvta.shared.u64 %rd0, %rd0;
  mov.u64 %rd1, own;
  cvta.local.u64 %rd1, %rd1;
  cvta.param.u64 %rd2, input;
  st.u32 [%rd0], 1111;
  st.u32 [%rd1], 2222;
  and.b32 %r0, %lane, 3;
  setp.eq.u32 %p0, %r0, 1;
  setp.eq.u32 %p1, %r0, 2;
  setp.eq.u32 %p2, %r0, 3;
  mov.u64 %rd3, %in;
  @%p0 mov.u64 %rd3, %rd0;
  @%p1 mov.u64 %rd3, %rd1;
  @%p2 mov.u64 %rd3, %rd2;
  ld.u32 %r1, [%rd3];
  cvt.u32.u64 %r2, %in;
  isspacep.global %p3, %rd3;
  isspacep.shared %p4, %rd3;
  isspacep.local %p5, %rd3;
  isspacep.param %p6, %rd3;
  selp.u32 %r4, 1, 0, %p3;
  @%p4 add.u32 %r4, %r4, 2;
  @%p5 add.u32 %r4, %r4, 4;
  @%p6 add.u32 %r4, %r4, 8;
  cvta.to.param.u64 %rd4, %rd2;
  ld.param.u32 %r5, [%rd4];
  st.global.v4.u32 [%slice], {%r1, %r2, %r4, %r5};
  ret;)",
                              "  .shared .align 4 .u32 cell;\n  .local .align 4 .u32 own;");
  const std::uint32_t first_word = random_words().front();
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const std::uint32_t* const own = &found[slice_words * lane];
    const std::uint32_t expected[] = {first_word, 1111, 2222, own[1]};
    CHECK(own[0] == expected[lane % 4]);
    CHECK(own[2] == 1U << (lane % 4));
    CHECK(own[3] == own[1]);
  }
}

TEST_CASE("a write to the parameters is refused", "[answers]") {
  const Case test_case =
      make_case("parameters", "  cvta.param.u64 %rd0, input;\n  st.u32 [%rd0], 1;\n  ret;", {1}, {1});
  CHECK_THROWS_WITH(run_functional(test_case), Catch::Contains("write to the parameters"));
  CHECK_THROWS_WITH(run_scalar(test_case), Catch::Contains("write to the parameters"));
}

TEST_CASE("asynchronous copies complete at once", "[answers]") {
  const Words found = answers(R"(
  mul.wide.u32 %rd0, %lane, 16;
  add.u64 %rd0, %in, %rd0;
  mov.u32 %r0, cells;
  shl.b32 %r1, %lane, 4;
  add.u32 %r0, %r0, %r1;
  cp.async.cg.shared.global.L2::128B [%r0], [%rd0], 16;
  cp.async.ca.shared.global [%r0+4], [%rd0+12], 4, 4;
  cp.async.commit_group;
  cp.async.wait_group 0;
  ld.shared.v4.u32 {%r2, %r3, %r4, %r5}, [%r0];
  st.global.v4.u32 [%slice], {%r2, %r3, %r4, %r5};
  ret;)",
                              "  .shared .align 16 .b8 cells[512];");
  const Words input = random_words();
  for (unsigned lane = 0; lane < lanes; ++lane) {
    for (unsigned i = 0; i < 4; ++i) {
      CHECK(found[slice_words * lane + i] == input[4 * lane + (i == 1 ? 3 : i)]);
    }
  }
}

TEST_CASE("asynchronous copies that read less than they write fill up with zeros", "[answers]") {
  // Lane i reads i bytes, 16 at most; lane 31 copies nothing.
  const Words found = answers(R"(
  mul.wide.u32 %rd0, %lane, 16;
  add.u64 %rd0, %in, %rd0;
  mov.u32 %r0, cells;
  shl.b32 %r1, %lane, 4;
  add.u32 %r0, %r0, %r1;
  mov.u32 %r2, 7;
  st.shared.v4.u32 [%r0], {%r2, %r2, %r2, %r2};
  min.u32 %r6, %lane, 16;
  setp.eq.u32 %p0, %lane, 31;
  @!%p0 cp.async.cg.shared.global [%r0], [%rd0], 16, %r6;
  cp.async.wait_all;
  ld.shared.v4.u32 {%r2, %r3, %r4, %r5}, [%r0];
  st.global.v4.u32 [%slice], {%r2, %r3, %r4, %r5};
  ret;)",
                              "  .shared .align 16 .b8 cells[512];");
  const Words input = random_words();
  for (unsigned lane = 0; lane < lanes; ++lane) {
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned bytes = std::min(4U, std::max(4 * i, lane) - 4 * i);
      const std::uint32_t kept = bytes == 4 ? ~0U : (1U << 8 * bytes) - 1;
      CHECK(found[slice_words * lane + i] == (lane == 31 ? 7 : input[4 * lane + i] & kept));
    }
  }
}

TEST_CASE("special registers that are the same on this machine for every program", "[answers]") {
  for (const char* zero : {"%envreg0", "%envreg31", "%pm7", "%cluster_ctaid.y", "%cluster_ctarank", "%clusterid.x"}) {
    CHECK(answer(fmt::format("mov.u32 %r0, {}", zero)) == 0);
  }
  for (const char* one : {"%cluster_nctaid.x", "%cluster_nctarank", "%nclusterid.z", "%nctaid.x"}) {
    CHECK(answer(fmt::format("mov.b32 %r0, {}", one)) == 1);
  }
  CHECK(answer("mov.pred %p0, %is_explicit_cluster; selp.u32 %r0, 1, 0, %p0") == 0);
  CHECK(
      answer(
          "mov.u64 %rd0, %current_graph_exec; mov.u64 %rd1, %pm0_64; or.b64 %rd0, %rd0, %rd1; cvt.u32.u64 %r0, %rd0") ==
      0);
  CHECK_THROWS_AS(answer("mov.u32 %r0, %envreg32"), InputError);
  const Words masks = answers(R"(
  mov.u32 %r0, %lanemask_lt;
  mov.u32 %r1, %lanemask_ge;
  mov.u32 %r2, %dynamic_smem_size;
  mov.u32 %r3, %total_smem_size;
  st.global.v4.u32 [%slice], {%r0, %r1, %r2, %r3};
  ret;)");
  CHECK(masks[slice_words * 5] == 0x1f);
  CHECK(masks[slice_words * 5 + 1] == 0xffffffe0);
  CHECK(masks[slice_words * 5 + 2] == 0);
  CHECK(masks[slice_words * 5 + 3] == 0);
}

TEST_CASE("addresses of 32 bits reach variables of every space", "[answers]") {
  constexpr std::string_view body = R"(
  shl.b32 %r0, %lane, 2;
  and.b32 %r1, %r0, 12;
  mov.u32 %r2, table;
  add.u32 %r2, %r2, %r1;
  ld.const.u32 %r3, [%r2];
  mov.u32 %r4, totals+4;
  ld.global.u32 %r5, [%r4+-4];
  ld.global.u32 %r6, [where];
  ld.u32 %r6, [%r6+-4];
  mov.u32 %r7, cells;
  cvta.shared.u32 %r8, %r7;
  add.u32 %r8, %r8, %r0;
  st.u32 [%r8], %lane;
  bar.sync 0;
  ld.shared.u32 %r9, [cells+28];
  st.global.v4.u32 [%slice], {%r3, %r5, %r6, %r9};
  mov.u32 %r10, own;
  cvta.local.u32 %r10, %r10;
  st.u32 [%r10+4], %lane;
  ld.local.u32 %r11, [own+4];
  setp.lt.u32 %p0, %lane, 9;
  selp.u32 %r12, %r8, %r4, %p0;
  atom.add.u32 %r13, [%r12], 0;
  ld.u32 %r14, [%r12];
  cvta.to.shared.u32 %r15, %r8;
  sub.u32 %r15, %r15, %r0;
  sub.u32 %r15, %r15, %r7;
  st.global.v4.u32 [%slice+16], {%r11, %r13, %r14, %r15};
  isspacep.shared %p1, %r8;
  isspacep.local %p2, %r10;
  isspacep.global %p3, %r4;
  isspacep.shared %p4, %r4;
  selp.u32 %r16, 1, 0, %p1;
  @%p2 add.u32 %r16, %r16, 10;
  @%p3 add.u32 %r16, %r16, 100;
  @%p4 add.u32 %r16, %r16, 1000;
  red.global.add.u32 [%r4+8], 1;
  bar.warp.sync -1;
  ld.volatile.global.u32 %r17, [%r4+8];
  mov.u32 %r20, 8;
  call (%r18), malloc, (%r20);
  st.u32 [%r18+4], %lane;
  ld.u32 %r19, [%r18+4];
  call free, (%r18);
  st.global.v4.u32 [%slice+32], {%r16, %r17, %r19, %r19};
  ret;)";
  const std::string text = kernel_text(body, "  .shared .u32 cells[32];\n  .local .align 8 .u32 own[4];", R"(
.global .u32 totals[4] = {1, 2, 3, 4};
.const .u32 table[4] = {10, 20, 30, 40};
.global .u32 where = totals+12;
.extern .func (.param .u32 result) malloc(.param .u32 bytes);
.extern .func free(.param .u32 address);
)");
  for (const std::string_view size : {"64", "32"}) {
    INFO("addresses of " << size);
    Case narrow = make_case("narrow addresses", "  ret;", {1}, {lanes});
    narrow.ptx = text;
    narrow.ptx.replace(text.find("_size 64") + 6, 2, size);
    narrow.program = kernel::load_program_text(narrow.ptx, "narrow", "kernel");
    const Words found = answers(narrow);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const std::uint32_t generic = lane < 9 ? lane : 2;
      const Words expected = {10 * (lane % 4 + 1), 1, 3, 7, lane, generic, generic, 0, 111, 36, lane, lane};
      const auto own = found.begin() + slice_words * lane;
      CHECK((Words(own, own + 12) == expected));
    }
  }
}

TEST_CASE("two numbers in one register, and the least and greatest of three", "[answers]") {
  const Words found = answers(R"(
  mov.b64 %rd0, {0f3F800000, 0fC0000000};
  mov.b64 %rd1, {0f3F000000, 0f40400000};
  mov.b64 %rd2, {0f40000000, 0f40000000};
  fma.rn.f32x2 %rd3, %rd0, %rd1, %rd2;
  sub.f32x2 %rd4, %rd0, %rd1;
  mul.rn.ftz.f32x2 %rd0, %rd0, %rd0;
  st.global.v2.u64 [%slice], {%rd3, %rd4};
  st.global.u64 [%slice+16], %rd0;
  mov.f32 %f0, 0f3F800000;
  mov.f32 %f1, 0fC0A00000;
  mov.f32 %f2, 0f7FC00000;
  min.f32 %f3, %f0, %f1, %f2;
  max.f32 %f4, %f2, %f0, %f1;
  max.NaN.f32 %f5, %f0, %f1, %f2;
  max.abs.f32 %f6, %f0, %f1, %f2;
  st.global.v4.f32 [%slice+32], {%f3, %f4, %f5, %f6};
  ret;)");
  CHECK((Words(found.begin(), found.begin() + 12) == Words{0x40200000, 0xc0800000, 0x3f000000, 0xc0a00000, 0x3f800000,
                                                           0x40800000, 0, 0, 0xc0a00000, 0x3f800000, 0x7fffffff,
                                                           0x40a00000}));
}

TEST_CASE("registers of 128 bits", "[answers]") {
  const Words found = answers(R"(
  .reg .b128 %q<4>, %old;
  mov.u64 %rd0, 1;
  mov.u64 %rd1, 0x200000000;
  mov.b128 %q0, {%rd0, %rd1};
  st.global.b128 [%slice], %q0;
  ld.global.b128 %q2, [%slice];
  mov.b128 {%rd3, %rd2}, %q2;
  mov.b128 %q1, {%rd2, %rd3};
  atom.global.cas.b128 %q3, [%slice], %q2, %q1;
  atom.global.cas.b128 %q2, [%slice], %q0, %q0;
  mov.b128 %old, {%rd2, %rd2};
  atom.global.cas.b128 _, [%slice], %old, %q3;
  mov.b128 %q0, %old;
  atom.exch.b128 %old, [%slice], %q0;
  st.global.b128 [%slice+16], %old;
  st.volatile.global.b128 [%slice+32], %q3;
  st.global.b128 [%slice+48], %q2;
  ret;)");
  CHECK((Words(found.begin(), found.begin() + slice_words) == Words{0, 2, 0, 2, 0, 2, 1, 0, 1, 0, 0, 2, 0, 2, 1, 0}));
}

TEST_CASE("reserved shared memory is 1 KiB before the block's own", "[answers]") {
  Case sizes = make_case("sizes", R"(
  mov.u32 %r0, %total_smem_size;
  mov.u32 %r1, %aggr_smem_size;
  mov.u32 %r2, %dynamic_smem_size;
  mov.u32 %r3, cells;
  st.global.v4.u32 [%slice], {%r0, %r1, %r2, %r3};
  mov.b32 %r4, %reserved_smem_offset_begin;
  mov.u32 %r5, %reserved_smem_offset_end;
  mov.u32 %r6, %reserved_smem_offset_cap;
  mov.u32 %r7, %reserved_smem_offset_0;
  st.global.v4.u32 [%slice+16], {%r4, %r5, %r6, %r7};
  mov.u32 %r8, %reserved_smem_offset_1;
  ld.shared.u32 %r9, [%r8+284];
  st.shared.u32 [%r5+-4], 77;
  ld.shared.u32 %r10, [%r5+-4];
  mov.u64 %rd0, cells;
  cvta.shared.u64 %rd0, %rd0;
  st.u32 [%rd0], 5;
  ld.shared.u32 %r11, [cells];
  st.global.v4.u32 [%slice+32], {%r8, %r9, %r10, %r11};
  ret;)",
                         {1}, {lanes}, ".shared .u32 cells[25];");
  sizes.dynamic_shared_bytes = 64;
  CHECK(sizes.program.shared_bytes == 1124);
  const Words found = answers(sizes);
  CHECK((Words(found.begin(), found.begin() + 12) == Words{164, 1188, 64, 1024, 0, 1024, 1024, 0, 512, 0, 77, 5}));
}

}  // namespace reconverge::contract

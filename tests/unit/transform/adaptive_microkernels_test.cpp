// SPDX-License-Identifier: Apache-2.0
// Options of the pass: warps that continue with a branch, loops of given depths, local arrays in global memory. Each
// test also runs the result, which must leave the same memory as the kernel.

#include <catch2/catch.hpp>
#include <string>

#include "models/core/error.hpp"
#include "tests/unit/transform/made_kernels.hpp"

namespace reconverge::kernel::tests {
namespace {

using Catch::Contains;
using Labels = std::set<std::string>;

MicrokernelOptions adaptive(GoesOn where = GoesOn::anywhere) {
  MicrokernelOptions options;
  options.adaptive = where;
  return options;
}

MicrokernelOptions depths(std::uint32_t from, std::uint32_t to) {
  MicrokernelOptions options = naive();
  options.from_depth = from;
  options.depth = to;
  return options;
}

MicrokernelOptions in_global(GoesOn adaptive) {
  MicrokernelOptions options;
  options.local = LocalArrays::global;
  options.adaptive = adaptive;
  return options;
}

/// A loop of depth 1 that contains two loops, the second of which contains another. They start at lines 13, 15, 21 and
/// 23.
constexpr std::string_view nested = R"(  ld.param.u64 %sums, [sums];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, 0;
OUTER:
  and.b32 %r3, %r1, 7;
FIRST:
  add.u32 %r2, %r2, %r3;
  sub.u32 %r3, %r3, 1;
  setp.gt.s32 %p1, %r3, 0;
  @%p1 bra FIRST;
  and.b32 %r4, %r1, 3;
SECOND:
  and.b32 %r5, %r4, 1;
THIRD:
  add.u32 %r2, %r2, %r5;
  sub.u32 %r5, %r5, 1;
  setp.gt.s32 %p1, %r5, 0;
  @%p1 bra THIRD;
  sub.u32 %r4, %r4, 1;
  setp.gt.s32 %p1, %r4, 0;
  @%p1 bra SECOND;
  sub.u32 %r1, %r1, 1;
  setp.gt.s32 %p1, %r1, 0;
  @%p1 bra OUTER;
  red.global.add.u32 [%sums], %r2;)";

}  // namespace

TEST_CASE("a uniform warp repeats its loop by a branch, before any store") {
  const Microkernels loop = made(R"(  ld.param.u64 %sums, [sums];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, 0;
LOOP:
  add.u32 %r2, %r2, %r1;
  sub.u32 %r1, %r1, 1;
  setp.gt.s32 %p1, %r1, 0;
  @%p1 bra LOOP;
  red.global.add.u32 [%sums], %r2;
  ret;)",
                                 adaptive());
  CHECK_THAT(loop.text, Contains("  vote.ballot.b32 \t%mk_here, %p1;\n"
                                 "  setp.eq.u32 \t%mk_together, %mk_here, %mk_began;\n"
                                 "  @%mk_together bra \tmk_loop_13_on;\n"
                                 "  vote.ballot.b32 \t%mk_here, !%p1;\n"
                                 "  setp.eq.u32 \t%mk_together, %mk_here, %mk_began;\n"
                                 "  @%mk_together bra \tmk_after_loop_13_on;\n"
                                 "  st.spawnMem"));
  CHECK_THAT(loop.text, Contains("mk_loop_13_on:\nLOOP:\n"));
  // Threads that spawn no more threads do not need the mask of threads that began with them.
  const std::size_t after = loop.text.find("\nmk_after_loop_13:");
  CHECK(loop.text.find("%mk_began", after) == std::string::npos);
  CHECK(loop.report.state_bytes == 8);
}

TEST_CASE("a warp that falls through into a micro-kernel also continues") {
  const Microkernels loop = made(nested, adaptive());
  CHECK_THAT(loop.text, Contains("  vote.ballot.b32 \t%mk_here, %mk_true;\n"
                                 "  setp.eq.u32 \t%mk_together, %mk_here, %mk_began;\n"
                                 "  @%mk_together bra \tmk_loop_13_on;\n"));
}

TEST_CASE("registers of a continuing warp have the values that any later micro-kernel needs") {
  constexpr std::string_view passing = R"(  ld.param.u64 %sums, [sums];
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
  ret;)";
  CHECK(microkernel(made(passing), "mk_loop_14").loaded == 8);
  const Microkernels loop = made(passing, adaptive());
  CHECK(microkernel(loop, "mk_loop_14").loaded == 12);
  CHECK(stored(loop, "mk_loop_14") == Bytes{12, 12});  // threads of the grid may have stored no state
}

TEST_CASE("a warp may continue only with the next iteration, and loads and stores the same state") {
  const Microkernels plain = made(nested);
  const Microkernels loop = made(nested, adaptive(GoesOn::rounds));
  CHECK(made(nested, {}).text == loop.text);  // the default
  CHECK(loop.report.state_bytes == plain.report.state_bytes);
  for (const auto& one : plain.report.microkernels) CHECK(microkernel(loop, one.label).loaded == one.loaded);
  for (const char* label : {"mk_loop_15", "mk_loop_23"}) {
    CHECK(stored(loop, label) == stored(plain, label));
    CHECK_THAT(loop.text, Contains(std::string("bra \t") + label + "_on;"));
  }
  CHECK_THAT(loop.text, !Contains("bra \tmk_after") && !Contains("bra \tmk_loop_13_on"));
}

TEST_CASE("a kernel is split only at loops of the given depths") {
  CHECK(labels(made(nested, depths(1, 1))) == Labels{"mk_loop_13", "mk_after_loop_13"});
  CHECK(labels(made(nested, depths(1, 2))) ==
        Labels{"mk_loop_13", "mk_loop_15", "mk_after_loop_15", "mk_loop_21", "mk_after_loop_21", "mk_after_loop_13"});
  CHECK(labels(made(nested, depths(2, 2))) ==
        Labels{"mk_loop_15", "mk_after_loop_15", "mk_loop_21", "mk_after_loop_21"});
  CHECK(labels(made(nested, depths(3, 0))) == Labels{"mk_loop_23", "mk_after_loop_23"});
  CHECK_THAT(made(nested, depths(2, 2)).text, Contains("--split loops --from-depth 2 --depth 2 --adaptive nowhere\n"));
  CHECK_THROWS_WITH(made(nested, depths(4, 0)),
                    Contains("has no loop of that depth to split at; outermost loops have depth 1, those in them 2"));
  MicrokernelOptions branches = depths(1, 2);
  branches.split = SplitAt::branches;
  CHECK_THROWS_WITH(made(nested, branches), Contains("a depth is about loops"));
}

TEST_CASE("micro-kernels that only select a target merge into their predecessors") {
  MicrokernelOptions options;
  options.least = 8;
  // The code after a loop branches to the next loop or repeats the outer loop. The header of the second branches to the
  // third.
  CHECK(labels(made(nested, options)) == Labels{"mk_loop_15", "mk_loop_23", "mk_after_loop_13"});
  options.least = 3;
  CHECK(labels(made(nested, options)) ==
        Labels{"mk_loop_15", "mk_loop_23", "mk_after_loop_23", "mk_after_loop_21", "mk_after_loop_13"});
  // One loop is still split, regardless of the size of its micro-kernels.
  options.least = 1000;
  CHECK(labels(made(R"(  ld.param.u64 %sums, [sums];
  mov.u32 %r1, %tid.x;
LOOP:
  sub.u32 %r1, %r1, 1;
  setp.gt.s32 %p1, %r1, 0;
  @%p1 bra LOOP;
  st.global.u32 [%sums], 1;)",
                    options)) == Labels{"mk_loop_12", "mk_after_loop_12"});
}

TEST_CASE("local arrays can be in global memory, with its address as an additional parameter") {
  constexpr std::string_view stack = R"(  .local .align 8 .b8 depot[40];
  ld.param.u64 %sums, [sums];
  mov.u64 %rd1, depot;
  cvta.local.u64 %rd4, %rd1;
  mov.u32 %r1, %tid.x;
LOOP:
  and.b32 %r2, %r1, 7;
  mul.wide.u32 %rd2, %r2, 4;
  add.u64 %rd3, %rd1, %rd2;
  ld.local.u32 %r3, [%rd3];
  add.u32 %r3, %r3, %r1;
  st.local.u32 [%rd3], %r3;
  add.u64 %rd5, %rd4, %rd2;
  st.u32 [%rd5+8], %r1;
  sub.u32 %r1, %r1, 1;
  setp.gt.s32 %p1, %r1, 0;
  @%p1 bra LOOP;
  ld.local.v2.u32 {%r4, %r5}, [depot+8];
  red.global.add.u32 [%sums], %r4;
  red.global.add.u32 [%sums+4], %r5;)";
  for (const GoesOn goes_on : {GoesOn::nowhere, GoesOn::rounds, GoesOn::anywhere}) {
    const Microkernels loop = made(stack, in_global(goes_on));
    CHECK(loop.report.array_bytes == 48);
    CHECK(loop.report.local_bytes == 0);
    CHECK_THAT(loop.text, Contains(".param .u64 sums, .param .u64 mk_local_arrays)"));
    CHECK_THAT(loop.text, Contains("[%mk_arrays+8];") && Contains("add.u64 %rd1, %mk_arrays, 0;"));
    CHECK_THAT(loop.text, Contains("cvta.global.u64 %rd4, %rd1;") && !Contains("ld.local") && !Contains("st.local"));
  }
}

TEST_CASE("a 32-bit address of a local array cannot be an address of global memory") {
  CHECK_THROWS_WITH(made(R"(  .local .b32 mine[4];
  mov.u32 %r2, mine;
LOOP:
  st.local.u32 [%r2], %r1;
  add.u32 %r1, %r1, 1;
  setp.lt.s32 %p1, %r1, 4;
  @%p1 bra LOOP;)",
                         in_global(GoesOn::nowhere)),
                    Contains("k.ptx:10:3: a 32-bit address of a local array"));
}

}  // namespace reconverge::kernel::tests

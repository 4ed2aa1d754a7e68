// SPDX-License-Identifier: Apache-2.0
// Errors for kernels that cannot be split into micro-kernels, with the line, the reason, and a remedy.

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>

#include "models/core/error.hpp"
#include "tests/unit/transform/spawning.hpp"

namespace reconverge::kernel::tests {
namespace {

using Catch::StartsWith;

/// A loop around `body`, which starts at line 11.
std::string loop_around(std::string_view body, std::string_view module = "") {
  return fmt::format(R"(.version 7.0
.target sm_75
.address_size 64
{}
.visible .entry k(.param .u64 a)
{{
  .reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
  mov.u32 %r1, %tid.x;
LOOP:
  sub.u32 %r1, %r1, 1;
{}
  setp.gt.s32 %p1, %r1, 0;
  @%p1 bra LOOP;
  ret;
}}
)",
                     module, body);
}

std::string refusal_of(const std::string& text, const MicrokernelOptions& options = {}, std::string_view entry = "") {
  try {
    make_microkernels(text, "k.ptx", entry, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string refusal(std::string_view body, std::string_view module = "", const MicrokernelOptions& options = {}) {
  return refusal_of(loop_around(body, module), options);
}

}  // namespace

TEST_CASE("kernels whose threads depend on each other are refused at the line") {
  CHECK_THAT(refusal("  bar.sync 0;"),
             StartsWith("k.ptx:11:3: bar: a barrier; a micro-kernel's threads come from any"));
  CHECK_THAT(refusal("  mov.u32 %r2, 1;\n  bar.warp.sync 0xffffffff;"), StartsWith("k.ptx:12:3: bar: a barrier"));
  CHECK_THAT(refusal("  vote.sync.any.pred %p2, %p1, 0xffffffff;"),
             StartsWith("k.ptx:11:3: vote: the lanes of a warp"));
  CHECK_THAT(refusal("  shfl.sync.down.b32 %r2, %r1, 1, 31, 0xffffffff;"), StartsWith("k.ptx:11:3: shfl: the lanes"));
  CHECK_THAT(refusal("  activemask.b32 %r2;"), StartsWith("k.ptx:11:3: activemask: the lanes of a warp"));
  CHECK_THAT(refusal("  mov.u32 %r2, %laneid;"),
             StartsWith("k.ptx:11:16: %laneid: a spawned thread is in another warp"));
  CHECK_THAT(refusal("  mov.u32 %r2, %lanemask_lt;"), StartsWith("k.ptx:11:16: %lanemask_lt: a spawned thread"));
  CHECK_THAT(refusal("  mov.u32 %r2, %clock;"), StartsWith("k.ptx:11:16: %clock: micro-kernels change the timing"));
  CHECK_THAT(refusal("  mov.u64 %rd1, %globaltimer;"),
             StartsWith("k.ptx:11:17: %globaltimer: micro-kernels change the timing"));
}

TEST_CASE("kernels with memory that cannot be passed are refused at the line") {
  const std::string shared =
      "k.ptx:11:3: shared memory: a micro-kernel's threads belong to no block; use global memory";
  CHECK_THAT(refusal("  st.shared.u32 [all], %r1;", ".shared .b32 all;"), StartsWith(shared));
  CHECK_THAT(refusal("  mov.u64 %rd1, all;", ".shared .b32 all;"), StartsWith(shared));
  CHECK_THAT(refusal("  ld.shared.u32 %r2, [%r1];"), StartsWith(shared));
  const std::string local =
      "k.ptx:11:3: local memory does not pass to the thread that is spawned; make the local arrays a "
      "part of the state (--local state)";
  CHECK_THAT(refusal("  ld.local.u32 %r2, [%rd1];"), StartsWith(local));
  CHECK_THAT(refusal("  .local .b32 mine[4];\n  mov.u64 %rd1, mine;"), StartsWith("k.ptx:12:3: local memory"));
}

TEST_CASE("local arrays that are part of the state must be accessed as local memory") {
  const auto in_state = [](std::string_view body) {
    return refusal(fmt::format("  .local .b32 mine[4];\n{}", body), "", {SplitAt::loops, 0, LocalArrays::state});
  };
  CHECK_THAT(in_state("  mov.u64 %rd1, mine;\n  cvta.local.u64 %rd2, %rd1;\n  st.u32 [%rd2], %r1;"),
             StartsWith("k.ptx:13:3: a generic pointer to a local array"));
  CHECK_THAT(in_state("  mov.u64 %rd1, mine;\n  prefetch.local.L1 [%rd1];"), StartsWith("k.ptx:13:3: 'prefetch'"));
  CHECK(in_state("  mov.u64 %rd1, mine;\n  cvta.local.u64 %rd2, %rd1;\n  st.local.u32 [%rd1], %r1;") == "accepted");
}

TEST_CASE("calls are refused, except calls of host functions such as printf") {
  CHECK_THAT(refusal("  call f;", ".func f() { ret; }"),
             StartsWith("k.ptx:11:3: call: a stack does not pass to the thread that is spawned; inline the function"));
  CHECK(refusal("  { .param .b64 p0; .param .b64 p1; .param .b32 r0;\n  st.param.b64 [p0], 0; st.param.b64 [p1], 0;\n"
                "  call.uni (r0), vprintf, (p0, p1);\n  ld.param.b32 %r2, [r0]; }",
                ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);") == "accepted");
}

TEST_CASE("local arrays are arguments of printf only if they are filled immediately before it") {
  const auto print = [](std::string_view before, std::string_view inside) {
    return refusal(fmt::format("  .local .b32 mine[2];\n  mov.u64 %rd1, mine;\n  cvta.local.u64 %rd2, %rd1;\n{}\n@%p2 "
                               "bra NEXT;\nNEXT:\n{}\n"
                               "  call.uni (%r2), vprintf, (0, %rd2);",
                               before, inside),
                   ".extern .func (.reg .b32 r) vprintf (.reg .b64 a, .reg .b64 b);");
  };
  const std::string local = "k.ptx:12:3: local memory does not pass";
  CHECK(print("", "  st.local.u32 [mine], %r1;") == "accepted");
  CHECK_THAT(print("  st.local.u32 [mine], %r1;", ""), StartsWith(local));
  CHECK_THAT(print("", ""), StartsWith(local));
  CHECK_THAT(print("", "  st.local.u32 [mine], %r1;\n  ld.local.u32 %r3, [mine];"), StartsWith(local));
  // The second word would be the value of an earlier call.
  CHECK_THAT(print("  st.local.v2.u32 [mine], {%r1, %r1};\n  call.uni (%r2), vprintf, (0, %rd2);",
                   "  st.local.u32 [mine+4], %r1;"),
             StartsWith(local));
}

TEST_CASE("values that cannot be stored must not be live at a spawn") {
  CHECK_THAT(refusal("  addc.u32 %r2, %r2, 0;"), StartsWith("k.ptx:10:3: the condition code"));
  CHECK(refusal("  add.cc.u32 %r2, %r2, 1;\n  addc.u32 %r3, %r3, 0;") == "accepted");
  CHECK_THAT(refusal("  { .reg .b32 %q; add.u32 %q, %q, 1; st.global.u32 [%rd1], %q; }"),
             StartsWith("k.ptx:10:3: '%q' is live here, but declared in another scope; declare it at the top"));
}

TEST_CASE("a kernel without loops or divergent branches is refused") {
  const std::string straight = ".version 7.0\n.target sm_70\n.address_size 64\n.entry k(.param .u64 a)\n{\n  ret;\n}\n";
  CHECK(refusal_of(straight) ==
        "k.ptx:4:1: the kernel 'k' has no loop to split at; --split branches splits at branches");
  CHECK(refusal_of(straight, {SplitAt::branches, 0}) ==
        "k.ptx:4:1: the kernel 'k' has no divergent branch to split at; it needs no micro-kernels");
}

TEST_CASE("kernels that already have micro-kernels are refused") {
  const std::string once = make_microkernels(loop_around(""), "k.ptx", "k", {}).text;
  CHECK_THAT(refusal_of(once), Catch::Contains("the kernel 'k' spawns threads already; give the kernel that these"));
  CHECK_THAT(refusal("  mov.u32 %r2, %spawnMemAddr;"), StartsWith("k.ptx:11:3: the kernel 'k' spawns threads already"));
}

TEST_CASE("the front end reports errors in a module or a name") {
  CHECK_THAT(refusal_of(loop_around(""), {}, "kk"), Catch::Contains("no kernel 'kk' in the module"));
  CHECK_THAT(refusal_of("nonsense"), Catch::Contains("k.ptx:1:1: a directive expected"));
  CHECK_THAT(refusal("  mov.u32 %r2, %missing;"), Catch::Contains("'%missing' is not declared"));
}

}  // namespace reconverge::kernel::tests

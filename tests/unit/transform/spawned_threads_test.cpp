// SPDX-License-Identifier: Apache-2.0
// Threads that spawn threads on the scalar interpreter, in hand-written programs.

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <string>

#include "models/core/error.hpp"
#include "tests/unit/transform/spawning.hpp"

namespace reconverge::kernel::tests {
namespace {

/// The words that 4 threads of 2 blocks write, two words each.
std::vector<std::uint32_t> words_after(std::string_view body) {
  const std::string text = fmt::format(R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry kernel(.param .u64 input, .param .u64 output, .param .u64 sums)
{{
  .reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .b32 %at;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r1, %r1, 2, %r2;
  mov.u32 %at, %spawnMemAddr;
{}
STORE:
  ld.param.u64 %rd1, [output];
  mul.wide.u32 %rd2, %r1, 8;
  add.u64 %rd1, %rd1, %rd2;
  st.global.v2.u32 [%rd1], {{%r2, %r3}};
}}
)",
                                       body);
  const ThreeBuffers launch{"k.ptx", "kernel", {2, 1, 1}, {2, 1, 1}, 32, 0};
  const std::vector<std::byte> bytes = memory_after(launch, text);
  std::vector<std::uint32_t> words(8);
  std::memcpy(words.data(), bytes.data(), 32);
  return words;
}

using Words = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("a child reads the values that its parent stored, and starts with zero registers") {
  CHECK(words_after(R"(  st.spawnMem.u32 [%at+4], %r1;
  mov.u32 %r3, 77;
  spawn CHILD, %at;
  exit;
CHILD:
  mov.u32 %r4, %at;
  mov.u32 %at, %spawnMemAddr;
  ld.spawnMem.u32 %at, [%at];
  ld.spawnMem.u32 %r1, [%at+4];
  mov.u32 %r2, %tid.x;
  mov.u32 %r5, %ctaid.x;
  add.u32 %r2, %r2, %r5;
  add.u32 %r2, %r2, %r4;)") == Words{0, 0, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("each chain of threads has one separate state") {
  CHECK(words_after(R"(  st.spawnMem.v2.u32 [%at], {%r1, %r2};
  st.spawnMem.u32 [%at+8], 0;
  spawn CHILD, %at;
  exit;
CHILD:
  mov.u32 %at, %spawnMemAddr;
  ld.spawnMem.u32 %at, [%at];
  ld.spawnMem.u32 %r3, [%at+8];
  add.u32 %r3, %r3, 5;
  st.spawnMem.u32 [%at+8], %r3;
  setp.lt.u32 %p1, %r3, 20;
  @%p1 spawn CHILD, %at;
  @%p1 exit;
  ld.spawnMem.v2.u32 {%r1, %r2}, [%at];)") == Words{0, 20, 1, 20, 0, 20, 1, 20});
}

TEST_CASE("a thread spawns only once, and its state then belongs to its child") {
  CHECK_THROWS_WITH(words_after("  spawn STORE, %at;\n  spawn STORE, %at;"),
                    Catch::Contains("k.ptx:12: the thread has spawned already: it may do so once"));
  CHECK_THROWS_AS(words_after("  spawn STORE, %at;\n  spawn STORE, %at;"), ExecutionError);
  CHECK_THROWS_WITH(words_after("  spawn STORE, %at;\n  st.spawnMem.u32 [%at], %r1;"),
                    Catch::Contains("k.ptx:12: access to a state that is a child's already"));
  CHECK_THROWS_WITH(words_after("  ld.spawnMem.u32 %r3, [%at+65536];"), Catch::Contains("out of bounds"));
}

}  // namespace reconverge::kernel::tests

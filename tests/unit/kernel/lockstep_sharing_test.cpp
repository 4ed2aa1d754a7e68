// SPDX-License-Identifier: Apache-2.0
// Threads of a warp that exchange values through shared memory: which loads are reported.

#include "models/kernel/analysis/lockstep_sharing.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "tests/unit/kernel/ptx.hpp"

namespace reconverge::kernel {
namespace {

/// Lines of the loads that are reported in a kernel with this body, which starts in line 9.
std::vector<std::uint32_t> told(const std::string& body) {
  const Program program = tests::load(body + "\nret;", ".shared .align 4 .b8 words[256];");
  std::vector<std::uint32_t> lines;
  for (const Warning& warning : lockstep_sharing(program)) lines.push_back(warning.line);
  return lines;
}

using Lines = std::vector<std::uint32_t>;

/// %r2 is the address of the thread's own word, %r3 of another thread's word.
const std::string addresses =
    "mov.u32 %r1, %tid.x; shl.b32 %r1, %r1, 2; mov.u32 %r0, words; add.u32 %r2, %r0, %r1; xor.b32 %r3, %r2, 4;\n";

}  // namespace

TEST_CASE("lockstep sharing: a load after a store to another address is reported") {
  CHECK(told(addresses + "st.shared.u32 [%r2], %r1;\nld.volatile.shared.u32 %r4, [%r3];") == Lines{11});
}

TEST_CASE("lockstep sharing: a load is not reported if a barrier or an exchange separates it from the store") {
  for (const std::string between : {"bar.sync 0;", "bar.warp.sync -1;", "shfl.sync.idx.b32 %r5, %r1, 0, 31, -1;",
                                    "mbarrier.test_wait.parity.shared.b64 %p1, [%r0], 0;"}) {
    CAPTURE(between);
    CHECK(told(addresses + "st.shared.u32 [%r2], %r1;\n" + between + "\nld.shared.u32 %r4, [%r3];").empty());
  }
  // A barrier on only one path of a branch is not enough.
  CHECK(told(addresses + "st.shared.u32 [%r2], %r1; setp.eq.u32 %p1, %r1, 0;\n@%p1 bra ON;\nbar.sync 0;\nON:\n"
                         "ld.shared.u32 %r4, [%r3];") == Lines{14});
}

TEST_CASE("lockstep sharing: a store and a load through one register are private to the thread") {
  CHECK(told(addresses + "st.shared.u32 [%r2], %r1;\nld.shared.u32 %r4, [%r2];").empty());
  // But a volatile load may read values of other threads.
  CHECK(told(addresses + "st.volatile.shared.u32 [%r2], %r1;\nld.volatile.shared.u32 %r4, [%r2];") == Lines{11});
}

TEST_CASE("lockstep sharing: a store reaches a load in the next iteration of a loop") {
  CHECK(told(addresses + "LOOP:\nld.shared.u32 %r4, [%r3];\nst.shared.u32 [%r2], %r4;\nsetp.ne.u32 %p1, %r4, 0;\n"
                         "@%p1 bra LOOP;") == Lines{11});
  CHECK(told(addresses + "LOOP:\nld.shared.u32 %r4, [%r3];\nbar.sync 0;\nst.shared.u32 [%r2], %r4;\nbar.sync 0;\n"
                         "setp.ne.u32 %p1, %r4, 0;\n@%p1 bra LOOP;")
            .empty());
}

TEST_CASE("lockstep sharing: 10000 stores that reach 10000 loads take linear time") {
  std::string body = addresses;
  for (unsigned i = 0; i < 10'000; ++i) {
    const std::string label = "L" + std::to_string(i);
    body.append("@%p1 bra ").append(label).append(";\nst.shared.u32 [%r2], %r1;\nld.shared.u32 %r4, [%r");
    body.append(i == 9'999 ? "3" : "2").append("];\n").append(label).append(":\n");
  }
  CHECK(told(body) == Lines{10 + 4 * 9'999 + 2});
}

}  // namespace reconverge::kernel

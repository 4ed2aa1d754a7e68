// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/partition/buffer_uses.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/stream/stream_kernels.hpp"

namespace reconverge {

namespace {

std::size_t blocks_of(const std::string& body, bool distinct) {
  const kernel::Program program = tests::program_of(body);
  return kernel::cut_blocks(program, kernel::buffer_uses(program, distinct)).size();
}

}  // namespace

TEST_CASE("a kernel ends between a load and a store that may access one buffer", "[partition]") {
  const std::string through_output =
      "ld.global.u32 %r4, [%rd2];\nadd.u32 %r4, %r4, 1;\nst.global.u32 [%rd2], %r4;\nexit;\n";
  CHECK(blocks_of(through_output, true) == 2);
  CHECK(blocks_of(through_output, false) == 2);
  // A load from one parameter's buffer and a store to another's.
  const std::string across = "ld.global.u32 %r4, [%rd1];\nst.global.u32 [%rd2], %r4;\nexit;\n";
  CHECK(blocks_of(across, true) == 1);
  CHECK(blocks_of(across, false) == 2);
  // A pointer from memory may point to any buffer.
  const std::string pointer = "ld.global.u64 %rd4, [%rd1];\nst.global.u32 [%rd4], %r1;\nexit;\n";
  CHECK(blocks_of(pointer, true) == 2);
  // A pointer that is one of two parameters.
  const std::string either =
      "setp.lt.u32 %p1, %r1, 3;\nselp.b64 %rd4, %rd1, %rd2, %p1;\nld.global.u32 %r4, [%rd4];\n"
      "st.global.u32 [%rd2], %r4;\nexit;\n";
  CHECK(blocks_of(either, true) == 2);
  // Several loads from one buffer and several stores to another are no conflict.
  const std::string loads =
      "ld.global.u32 %r4, [%rd1];\nld.global.u32 %r5, [%rd1+4];\nst.global.u32 [%rd2], %r4;\n"
      "st.global.u32 [%rd2+4], %r5;\nexit;\n";
  CHECK(blocks_of(loads, true) == 1);
}

TEST_CASE("the parts of a cut block are connected by edges", "[partition]") {
  const kernel::Program program = tests::program_of(
      "mov.u32 %r5, 3;\n"
      "HEAD:\nld.global.u32 %r4, [%rd2];\nadd.u32 %r4, %r4, %r5;\nst.global.u32 [%rd2], %r4;\nsub.u32 %r5, %r5, 1;\n"
      "setp.gt.s32 %p1, %r5, 0;\n@%p1 bra HEAD;\nexit;\n");
  const auto blocks = kernel::cut_blocks(program, kernel::buffer_uses(program, true));
  REQUIRE(blocks.size() == 4);
  CHECK(blocks[1].label == "HEAD");
  CHECK(blocks[2].label == "HEAD.2");
  CHECK(blocks[1].successors == std::vector<std::uint32_t>{2});
  CHECK(blocks[1].end == blocks[2].first);
  std::vector<std::uint32_t> successors = blocks[2].successors;
  std::ranges::sort(successors);
  CHECK(successors == std::vector<std::uint32_t>{1, 3});
  CHECK(blocks[1].predecessors == std::vector<std::uint32_t>{0, 2});
}

}  // namespace reconverge

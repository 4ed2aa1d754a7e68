// SPDX-License-Identifier: Apache-2.0
// The schedules of Popa 2004, Figs. 4.7 to 4.10: passes that are saved by nodes that synchronise streams.

#include <catch2/catch.hpp>

#include "tests/unit/stream/stream_kernels.hpp"

namespace reconverge {

namespace {

/// A machine as in chapter 4 of the thesis: buffers have room for the whole stream, and a node runs when its outputs
/// are empty.
StreamProcessorParameters with_buffers(bool synchronised) {
  StreamProcessorParameters parameters;
  parameters.registers.words = 0;
  parameters.scheduler.policy = StreamSchedulerPolicy::deepest_first;
  parameters.graph.merging = StreamingGraphMerging::none;
  parameters.graph.merge_nodes = parameters.graph.accumulation_nodes = synchronised;
  return parameters;
}

// Branch targets have names; the first block has no name.
constexpr const char* split_and_merge =
    "ld.global.u32 %r4, [%rd1];\n"
    "and.b32 %r5, %r4, 1;\nsetp.ne.u32 %p1, %r5, 0;\n@%p1 bra C;\nbra.uni B;\n"
    "B:\nadd.u32 %r4, %r4, 10;\nbra.uni D;\n"
    "C:\nadd.u32 %r4, %r4, 20;\nbra.uni D;\n"
    "D:\nmul.lo.u32 %r4, %r4, 3;\nbra.uni E;\n"
    "E:\nst.global.u32 [%rd2], %r4;\nexit;\n";

constexpr const char* loop =
    "ld.global.u32 %r4, [%rd1];\nmov.u32 %r5, 0;\nbra.uni A;\n"
    "A:\nsetp.ge.u32 %p1, %r5, %r4;\n@%p1 bra C;\nbra.uni B;\n"
    "B:\nadd.u32 %r5, %r5, 1;\nbra.uni A;\n"
    "C:\nst.global.u32 [%rd2], %r5;\nexit;\n";

std::vector<std::string> named(const std::vector<std::string>& passes) {
  std::vector<std::string> kept;
  for (const std::string& pass : passes) {
    if (pass.size() == 1) kept.push_back(pass);  // without nodes that only jump
  }
  return kept;
}

}  // namespace

TEST_CASE("a branch with reconverging paths: seven passes, and five with a merging node", "[stream][thesis]") {
  const std::vector<std::uint32_t> input = {1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<std::uint32_t> expected = {63, 36, 69, 42, 75, 48, 81, 54};
  // The first node of the figure is the one that splits.
  const tests::StreamRun without = tests::run_kernel(split_and_merge, input, with_buffers(false));
  CHECK(without.output == expected);
  CHECK(1 + named(without.passes).size() == 7);
  const tests::StreamRun with = tests::run_kernel(split_and_merge, input, with_buffers(true));
  CHECK(with.output == expected);
  CHECK(1 + named(with.passes).size() == 5);
  CHECK(named(with.passes).back() == "E");
  CHECK(named(with.passes)[2] == "D");
}

TEST_CASE("a loop: eight passes, and six with an accumulation node", "[stream][thesis]") {
  const std::vector<std::uint32_t> input = {0, 1, 2, 0, 1, 2, 2, 1};
  const tests::StreamRun without = tests::run_kernel(loop, input, with_buffers(false));
  CHECK(without.output == input);
  CHECK(named(without.passes).size() == 8);
  const tests::StreamRun with = tests::run_kernel(loop, input, with_buffers(true));
  CHECK(with.output == input);
  CHECK(named(with.passes) == std::vector<std::string>{"A", "B", "A", "B", "A", "C"});
}

TEST_CASE("synchronisation takes network clocks and preserves order", "[stream]") {
  const std::vector<std::uint32_t> input(256, 2);
  StreamProcessorParameters parameters = with_buffers(true);
  parameters.network.register_every = 1;
  const tests::StreamRun run = tests::run_kernel(loop, input, parameters);
  CHECK(run.counts().cycles[StreamProcessorCycles::unpack] >= 7);  // stages of a network of 16 ports
}

}  // namespace reconverge

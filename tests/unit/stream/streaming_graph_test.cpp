// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/streams/streaming_graph.hpp"

#include <catch2/catch.hpp>

#include "models/core/error.hpp"
#include "tests/unit/stream/stream_kernels.hpp"

namespace reconverge {

namespace {

using kernel::StreamOptions;

constexpr const char* julia_like =
    "ld.global.u32 %r4, [%rd1];\nmov.u32 %r5, 0;\n"
    "HEAD:\nmul.lo.u32 %r6, %r4, %r4;\nadd.u32 %r4, %r6, 1;\nadd.u32 %r5, %r5, 1;\n"
    "setp.lt.u32 %p1, %r5, 5;\n@%p1 bra HEAD;\n"
    "st.global.u32 [%rd2], %r4;\nexit;\n";

constexpr const char* short_side =
    "ld.global.u32 %r4, [%rd1];\nsetp.lt.u32 %p1, %r4, 50;\n@%p1 bra JOIN;\n"
    "sub.u32 %r4, %r4, 50;\n"
    "JOIN:\nst.global.u32 [%rd2], %r4;\nexit;\n";

const kernel::StreamNode& node_of(const kernel::StreamingGraph& graph, const std::string& name) {
  for (const kernel::StreamNode& node : graph.nodes) {
    if (node.name == name) return node;
  }
  throw std::logic_error("no node " + name);
}

std::string refusal(const std::string& body, const StreamOptions& options = {}) {
  const kernel::Program program = tests::program_of(body);
  try {
    kernel::make_streaming_graph(program, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("records have live values, but not values that all threads share", "[stream]") {
  const kernel::Program program = tests::program_of(julia_like);
  StreamOptions options;
  const auto graph = kernel::make_streaming_graph(program, options);
  // The output address of the thread (two words), the value, and the count.
  CHECK(node_of(graph, "HEAD").fields.words() == 4);
  CHECK(graph.nodes.front().fields.words() == 2);  // %tid.x and %ctaid.x

  options.fields = StreamOptions::Fields::shared;
  const auto shared = kernel::make_streaming_graph(program, options);
  CHECK(node_of(shared, "HEAD").fields.words() == 6);
  CHECK(shared.nodes.front().fields.words() == 6);
}

TEST_CASE("values that all threads share are computed once", "[stream]") {
  const std::string body =
      "ld.param.u64 %rd4, [input];\nadd.s64 %rd5, %rd4, 16;\nmov.u32 %r5, 0;\n"
      "HEAD:\nadd.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, %r1;\n@%p1 bra HEAD;\n"
      "ld.global.u32 %r4, [%rd5];\nst.global.u32 [%rd2], %r4;\nexit;\n";
  const kernel::Program program = tests::program_of(body);
  StreamOptions options;
  const auto graph = kernel::make_streaming_graph(program, options);
  CHECK(node_of(graph, "HEAD").fields.words() == 4);  // number, count, output address
  CHECK(node_of(graph, "HEAD").uniforms.size() == 2);
  CHECK(graph.uniform_code.size() == 2);
  options.constants = false;
  CHECK(node_of(kernel::make_streaming_graph(program, options), "HEAD").fields.words() == 6);
  const std::vector<std::uint32_t> input = {9, 8, 7, 6, 5, 4, 3, 2};
  CHECK(tests::run_kernel(body, input).output == std::vector<std::uint32_t>(8, 5));
}

TEST_CASE("blocks join the previous node if idle lanes cost less than records", "[stream]") {
  const kernel::Program program = tests::program_of(short_side);
  StreamOptions options;
  CHECK(kernel::make_streaming_graph(program, options).nodes.size() == 1);
  options.merging = StreamOptions::Merging::chains;
  CHECK(kernel::make_streaming_graph(program, options).nodes.size() == 3);
  options.merging = StreamOptions::Merging::traffic;
  options.bytes_per_instruction = 1000;  // moving a record takes no time
  CHECK(kernel::make_streaming_graph(program, options).nodes.size() == 3);
  const std::vector<std::uint32_t> input = {10, 60, 49, 50};
  CHECK(tests::run_kernel(short_side, input).output == std::vector<std::uint32_t>{10, 10, 49, 0});
}

TEST_CASE("no node writes to its own stream", "[stream]") {
  const kernel::Program program = tests::program_of(julia_like);
  StreamOptions options;
  const auto graph = kernel::make_streaming_graph(program, options);
  for (const kernel::StreamArc& arc : graph.arcs) CHECK(arc.from != arc.to);
  CHECK(node_of(graph, "HEAD again").blocks.empty());
  options.in_place = true;
  const auto in_place = kernel::make_streaming_graph(program, options);
  CHECK(node_of(in_place, "HEAD").repeats());
  CHECK(in_place.nodes.size() == graph.nodes.size() - 1);
}

TEST_CASE("emits cut a kernel, and the graph counts the possible successors of a record", "[stream]") {
  const kernel::Program program = tests::program_of(
      "emit SPLIT;\nexit;\n"
      "SPLIT:\nsetp.gt.u32 %p1, %r1, 3;\n@%p1 bra TWO;\nemit LEAF;\nexit;\n"
      "TWO:\nshr.u32 %r1, %r1, 1;\nemit.stack SPLIT;\nadd.u32 %r1, %r1, 1;\nemit.stack SPLIT;\nexit;\n"
      "LEAF:\nst.global.u32 [%rd2], %r1;\nexit;\n");
  const auto graph = kernel::make_streaming_graph(program, {});
  CHECK(graph.by_hand);
  std::uint32_t most = 0;
  for (const kernel::StreamArc& arc : graph.arcs) {
    if (arc.stack) most = std::max(most, arc.most);
  }
  CHECK(most == 2);
}

TEST_CASE("unsupported instructions of a stream processor are refused with their line", "[stream]") {
  CHECK_THAT(refusal("bar.sync 0;\nexit;\n"), Catch::Contains("kernel.ptx:18") && Catch::Contains("barrier"));
  CHECK_THAT(refusal("atom.global.add.u32 %r4, [%rd1], 1;\nexit;\n"), Catch::Contains("atomic"));
  CHECK_THAT(refusal("mov.u32 %r4, %laneid;\nst.global.u32 [%rd2], %r4;\nexit;\n"), Catch::Contains("%laneid"));
  CHECK_THAT(refusal("shfl.sync.idx.b32 %r4, %r1, 0, 31, -1;\nexit;\n"), Catch::Contains("exchange"));
  CHECK_THAT(refusal("emit A;\nexit;\nA:\nadd.u32 %r1, %r1, 1;\nB:\nsetp.lt.u32 %p1, %r1, 9;\nadd.u32 %r1, %r1, 1;\n"
                     "@%p1 bra B;\nst.global.u32 [%rd2], %r1;\nexit;\n"),
             Catch::Contains("a loop within one node"));
}

TEST_CASE("a streaming graph is printed as text and for Graphviz", "[stream]") {
  const kernel::Program program = tests::program_of(julia_like);
  const auto graph = kernel::make_streaming_graph(program, {});
  CHECK_THAT(kernel::streams_text(graph), Catch::Contains("HEAD: 7 instructions, records of 4 words"));
  CHECK_THAT(kernel::streams_text(graph), Catch::Contains("to HEAD, 16 bytes, feedback"));
  CHECK_THAT(kernel::streams_dot(graph), Catch::StartsWith("digraph streams {") && Catch::Contains("16 bytes"));
}

}  // namespace reconverge

// SPDX-License-Identifier: Apache-2.0
#include "models/stream/stream_scheduler.hpp"

#include <catch2/catch.hpp>

#include "models/stream/stream_buffers.hpp"
#include "models/stream/stream_state.hpp"
#include "tests/unit/stream/stream_kernels.hpp"

namespace reconverge {

namespace {

void fill(RecordQueue& queue, std::uint64_t records) {
  const LaneWords nothing{};
  while (records != 0) {
    const std::uint64_t count = std::min<std::uint64_t>(records, warp_size);
    const LaneList lanes(count == warp_size ? all_lanes : (LaneMask{1} << count) - 1);
    queue.begin(lanes);
    for (std::uint32_t word = 0; word < queue.words(); ++word) queue.put(word, lanes, nothing.data());
    queue.put_threads(lanes, nothing.data());
    records -= count;
  }
}

// Fig. 3.2: A writes to B on a stack arc, B writes to C or D, and both write back to A.
constexpr const char* figure_3_2 =
    "emit A;\nexit;\n"
    "A:\nadd.u32 %r1, %r1, 1;\nemit.stack B;\nexit;\n"
    "B:\nsetp.eq.u32 %p1, %r1, 7;\n@%p1 emit C;\n@!%p1 emit D;\nexit;\n"
    "C:\nadd.u32 %r1, %r1, 2;\nsetp.lt.u32 %p2, %r1, 100;\n@%p2 emit A;\nexit;\n"
    "D:\nadd.u32 %r1, %r1, 3;\nsetp.lt.u32 %p3, %r1, 100;\n@%p3 emit A;\nexit;\n";

std::uint32_t number_of(const kernel::StreamingGraph& graph, const std::string& name) {
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    if (graph.nodes[i].name == name) return i;
  }
  throw std::logic_error("no node " + name);
}

}  // namespace

TEST_CASE("the weights of Fig. 3.2", "[stream][thesis]") {
  // The thesis prints the weights, but not the fill levels; these levels result in its weights. Every record has one
  // word, and every register a hundred words.
  const SimulationContext context;
  const kernel::Program program = tests::program_of(figure_3_2);
  const kernel::StreamingGraph graph = kernel::make_streaming_graph(program, {});
  REQUIRE(graph.by_hand);
  StreamRegistersParameters registers;
  registers.words = 100;
  StreamRegisters streams("registers", registers, 16);
  StreamBuffers buffers("buffers", 10);
  streams.memory.bind(buffers.requests);
  streams.begin(graph);
  const std::uint32_t a = number_of(graph, "A");
  const std::uint32_t b = number_of(graph, "B");
  const std::uint32_t c = number_of(graph, "C");
  const std::uint32_t d = number_of(graph, "D");
  for (const std::uint32_t node : {a, b, c, d}) REQUIRE(graph.nodes[node].fields.words() == 1);
  fill(streams.top(a), 80);
  fill(streams.top(b), 40);
  fill(streams.top(c), 97);
  fill(streams.top(d), 97);

  StreamSchedulerParameters parameters;
  parameters.push_threshold = 0.5;
  StreamState state(parameters, 16, streams);
  state.begin(graph);
  const std::vector<NodeView>& views = state.look();
  CHECK(weight_of(views[a]) == 60);
  CHECK(weight_of(views[c]) == 20);
  CHECK(weight_of(views[d]) == 20);
  CHECK(weight_of(views[b]) == 3);
  ScheduleRequest request;
  request.nodes = views;
  choose_greedily(request);
  CHECK(request.chosen == a);
  CHECK(request.records == 60);

  // A threshold below the fill level of the stack's top allows a push, after which A can take all of its records.
  parameters.push_threshold = 0.3;
  StreamState pushing(parameters, 16, streams);
  pushing.begin(graph);
  CHECK(weight_of(pushing.look()[a]) == 80);
}

TEST_CASE("greedy: the node with the most words of whole records that certainly find room", "[stream]") {
  std::vector<NodeView> nodes(3);
  nodes[0] = {.waiting = 100, .words = 2, .most = 30};
  nodes[1] = {.waiting = 10, .words = 6, .most = 1000};
  nodes[2] = {.waiting = 500, .words = 9, .most = 6};
  ScheduleRequest request;
  request.nodes = nodes;
  choose_greedily(request);
  CHECK(request.chosen == 0);  // 60, 60 and 54 words
  CHECK(request.records == 30);
  request = {.nodes = nodes, .running = 1};
  choose_greedily(request);
  CHECK(request.chosen == 1);  // of equal nodes, the loaded one
  nodes[0].synchronised = nodes[1].synchronised = false;
  request = {.nodes = nodes, .running = 1};
  choose_greedily(request);
  CHECK(request.chosen == 2);
  nodes[2].most = 0;
  request = {.nodes = nodes};
  choose_greedily(request);
  CHECK(request.chosen == ScheduleRequest::none);
}

TEST_CASE("Table 4.1: a node runs when it has input and its outputs are empty", "[stream][thesis]") {
  std::vector<NodeView> nodes(3);
  nodes[0] = {.waiting = 4, .words = 1, .most = 9, .order = 0};
  nodes[1] = {.waiting = 0, .words = 1, .most = 9, .order = 1};
  nodes[2] = {.waiting = 4, .words = 1, .most = 9, .outputs_empty = false, .order = 2};
  ScheduleRequest request;
  request.nodes = nodes;
  choose_deepest(request);
  CHECK(request.chosen == 0);  // the second has no input, and the outputs of the third are not empty
  CHECK(request.records == 4);
  nodes[2].outputs_empty = true;
  request = {.nodes = nodes};
  choose_deepest(request);
  CHECK(request.chosen == 2);
  nodes[2].synchronised = false;  // a merging or accumulation node whose records have not all arrived
  request = {.nodes = nodes};
  choose_deepest(request);
  CHECK(request.chosen == 0);
  // The outputs of all nodes are occupied. The thesis stops in this case; here a node with room continues (departure in
  // the README).
  nodes[0].outputs_empty = false;
  request = {.nodes = nodes};
  choose_deepest(request);
  CHECK(request.chosen == 0);
}

}  // namespace reconverge

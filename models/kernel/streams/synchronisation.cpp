// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/streams/synchronisation.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <map>
#include <utility>

#include "models/kernel/analysis/control_flow.hpp"
#include "models/kernel/analysis/loops.hpp"
#include "models/kernel/analysis/reachability.hpp"

namespace reconverge::kernel {

namespace {

/// The nodes as basic blocks, for the passes over basic blocks.
std::vector<BasicBlock> flow_of(const StreamingGraph& graph) {
  std::vector<BasicBlock> flow(graph.nodes.size());
  for (const StreamArc& arc : graph.arcs) {
    if (arc.from == StreamArc::source) continue;
    auto& successors = flow[arc.from].successors;
    if (std::ranges::find(successors, arc.to) != successors.end()) continue;
    successors.push_back(arc.to);
    flow[arc.to].predecessors.push_back(arc.from);
  }
  return flow;
}

std::vector<BasicBlock> turned_round(std::vector<BasicBlock> flow) {
  for (BasicBlock& block : flow) std::swap(block.successors, block.predecessors);
  return flow;
}

}  // namespace

void order_nodes(StreamingGraph& graph) {
  const std::vector<BasicBlock> flow = flow_of(graph);
  std::uint32_t order = 0;
  for (const std::uint32_t node : reverse_post_order(flow)) graph.nodes[node].order = order++;
  using Flow = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
  Flow arcs(graph.nodes.size());
  for (StreamArc& arc : graph.arcs) {
    if (arc.from == StreamArc::source) continue;
    arc.feedback = graph.nodes[arc.to].order <= graph.nodes[arc.from].order;
    boost::add_edge(arc.from, arc.to, arcs);
  }
  std::vector<std::uint32_t> component(graph.nodes.size());
  boost::strong_components(arcs,
                           boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, arcs)));
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) graph.nodes[i].component = component[i];
}

void mark_merging_nodes(StreamingGraph& graph) {
  const std::vector<BasicBlock> flow = flow_of(graph);
  const std::vector<std::uint32_t> dominators = immediate_dominators(flow);
  const std::vector<BasicBlock> backwards = turned_round(flow);
  for (std::uint32_t number = 1; number < graph.nodes.size(); ++number) {
    StreamNode& node = graph.nodes[number];
    const std::uint32_t fork = dominators[number];
    if (node.kind != NodeKind::regular || flow[number].predecessors.size() < 2 || fork == BasicBlock::no_block)
      continue;
    // Loop headers do not wait: returning records have already passed through them.
    const BlockSet ahead = reachable_blocks(flow, number, fork);
    const bool head = std::ranges::any_of(flow[number].predecessors, [&](std::uint32_t one) { return ahead[one]; });
    if (head) continue;
    BlockSet between = reachable_blocks(backwards, number, fork);
    between.reset(number);
    node.kind = NodeKind::merging;
    for (auto one = between.find_first(); one != BlockSet::npos; one = between.find_next(one)) {
      node.waits_for.push_back(static_cast<std::uint32_t>(one));
    }
  }
}

void add_accumulation_nodes(StreamingGraph& graph) {
  const LoopForest forest = find_loops(flow_of(graph));
  // The node that holds records that have left a loop for another node, by loop and target.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> holding;
  const auto arcs = static_cast<std::uint32_t>(graph.arcs.size());
  for (std::uint32_t number = 0; number < arcs; ++number) {
    const StreamArc arc = graph.arcs[number];
    if (arc.from == StreamArc::source) continue;
    // The outermost loop that the arc leaves.
    std::uint32_t left = Loop::none;
    for (std::uint32_t loop = forest.innermost[arc.from]; loop != Loop::none && !forest.contains(loop, arc.to);
         loop = forest.loops[loop].parent)
      left = loop;
    if (left == Loop::none) continue;
    if (const auto known = holding.find({left, arc.to}); known != holding.end()) {
      std::erase(graph.nodes[arc.to].inputs, number);
      graph.arcs[number].to = known->second;
      graph.nodes[known->second].inputs.push_back(number);
      continue;
    }
    const std::vector<std::uint32_t>& inputs = graph.nodes[arc.to].inputs;
    const bool only_from_loop = std::ranges::all_of(inputs, [&](std::uint32_t one) {
      const std::uint32_t from = graph.arcs[one].from;
      return from < forest.innermost.size() && forest.contains(left, from);
    });
    if (only_from_loop) {
      graph.nodes[arc.to].kind = NodeKind::accumulation;
      graph.nodes[arc.to].waits_for = forest.blocks_of(left);
      continue;
    }
    StreamNode held;
    held.kind = NodeKind::accumulation;
    held.name = graph.nodes[arc.to].name + " gathered";
    held.fields = graph.nodes[arc.to].fields;
    held.waits_for = forest.blocks_of(left);
    const auto place = static_cast<std::uint32_t>(graph.nodes.size());
    graph.nodes.push_back(held);
    holding.emplace(std::pair{left, arc.to}, place);
    std::erase(graph.nodes[arc.to].inputs, number);
    graph.arcs[number].to = place;
    graph.nodes[place].inputs.push_back(number);
    graph.add_arc(place, arc.to, false);
  }
}

}  // namespace reconverge::kernel

// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/streams/streaming_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "models/core/error.hpp"
#include "models/kernel/analysis/control_flow.hpp"
#include "models/kernel/streams/node_regions.hpp"
#include "models/kernel/streams/record_values.hpp"
#include "models/kernel/streams/stream_refusals.hpp"
#include "models/kernel/streams/synchronisation.hpp"

namespace reconverge::kernel {

namespace {

class Builder {
 public:
  Builder(const Program& program, const StreamOptions& options)
      : program_(program),
        options_(options),
        values_(program),
        reached_(reachable_blocks(program.blocks, 0, none)),
        regions_(program.blocks),
        number_(program.blocks.size(), 0) {}

  StreamingGraph build() {
    graph_.program = &program_;
    choose_starts();
    for (const std::uint32_t block : reverse_post_order(program_.blocks)) {
      if (!starts_[block]) continue;
      node_of_[block] = static_cast<std::uint32_t>(graph_.nodes.size());
      graph_.nodes.push_back({});
      start_of_.push_back(block);
    }
    graph_.add_arc(StreamArc::source, 0, false);
    for (std::uint32_t node = 0; node < start_of_.size(); ++node) fill(node);
    fill_records();
    break_self_loops();
    if (options_.accumulation_nodes) add_accumulation_nodes(graph_);
    if (options_.merge_nodes) mark_merging_nodes(graph_);
    order_nodes(graph_);
    return std::move(graph_);
  }

 private:
  static constexpr std::uint32_t none = BasicBlock::no_block;

  const Instruction& last_of(std::uint32_t block) const {
    return program_.instructions[program_.blocks[block].end - 1];
  }

  void choose_starts() {
    starts_.resize(program_.blocks.size());
    for (std::uint32_t block = 0; block < program_.blocks.size(); ++block) {
      graph_.by_hand |= reached_[block] && forks(last_of(block));
    }
    if (graph_.by_hand) return choose_starts_by_hand();
    starts_ = reached_;
    if (options_.merging == StreamOptions::Merging::none) return;
    MergeRule rule;
    if (options_.merging == StreamOptions::Merging::traffic) {
      rule.bytes_per_instruction = options_.bytes_per_instruction;
      for (std::uint32_t block = 0; block < program_.blocks.size(); ++block) {
        rule.record_bytes.push_back(values_.fields_at(block, options_.constants).bytes());
      }
    }
    // A thread that ends needs no record.
    for (std::uint32_t block = 1; block < program_.blocks.size(); ++block) {
      const BasicBlock& one = program_.blocks[block];
      if (one.end - one.first == 1 && leaves_program(last_of(block))) starts_.reset(block);
    }
    merge_blocks(program_.blocks, program_.instructions, rule, starts_);
  }

  void choose_starts_by_hand() {
    starts_.set(0);
    for (std::uint32_t block = 0; block < program_.blocks.size(); ++block) {
      if (reached_[block] && forks(last_of(block))) starts_.set(block_of(program_.blocks, last_of(block).target));
    }
    std::uint32_t within = 0;
    if (cuts_all_cycles(program_.blocks, starts_, &within)) return;
    throw InputError({program_.file, program_.instructions[program_.blocks[within].first].line, 0},
                     "a loop within one node: a stream processor has no branches",
                     "let a round end with an emit to its head, or leave out all emits and have the nodes made");
  }

  void fill(std::uint32_t number) {
    const std::uint32_t start = start_of_[number];
    const std::vector<std::uint32_t> region = regions_.region_of(start, starts_);
    for (std::uint32_t i = 0; i < region.size(); ++i) number_[region[i]] = i;
    const std::string& label = program_.blocks[start].label;
    StreamNode node;
    node.name = label.empty() ? fmt::format("B{}", start) : label;
    for (const std::uint32_t block : region) {
      const BasicBlock& one = program_.blocks[block];
      node.instructions += one.end - one.first;
      const auto leave = [&](std::uint32_t to, bool stack) { return graph_.add_arc(number, node_of_.at(to), stack); };
      node.blocks.push_back({block, ways_of({program_, program_.blocks, starts_}, block, number_, leave)});
    }
    node.inputs = graph_.nodes[number].inputs;
    node.outputs = graph_.nodes[number].outputs;
    graph_.nodes[number] = std::move(node);
    count_records(graph_.nodes[number]);
  }

  /// The maximum number of a node's records on each of its arcs, over all paths through its blocks. If no block copies
  /// threads, it is one.
  void count_records(const StreamNode& node) {
    if (std::ranges::none_of(node.blocks, [&](const NodeBlock& one) { return forks(last_of(one.block)); })) return;
    for (const std::uint32_t arc : node.outputs) {
      std::vector<std::uint32_t> most(node.blocks.size(), 0);  // from the top of the block on
      for (std::size_t i = node.blocks.size(); i-- > 0;) {
        const bool copies = forks(last_of(node.blocks[i].block));
        std::uint32_t copied = 0;
        for (const NodeWay& way : node.blocks[i].ways) {
          const std::uint32_t along = way.inside ? most[way.to] : (way.to == arc ? 1 : 0);
          copied = copies ? copied + along : std::max(copied, along);
        }
        most[i] = copied;
      }
      graph_.arcs[arc].most = std::max<std::uint32_t>(most.front(), 1);
    }
  }

  void fill_records() {
    RecordFields all;
    const bool shared = options_.fields == StreamOptions::Fields::shared;
    if (shared) {
      std::vector<RecordFields> each;
      for (const std::uint32_t start : start_of_) each.push_back(values_.fields_at(start, options_.constants));
      all = united(each);
    }
    for (std::uint32_t number = 0; number < start_of_.size(); ++number) {
      StreamNode& node = graph_.nodes[number];
      node.fields = shared ? all : values_.fields_at(start_of_[number], options_.constants);
      if (options_.constants) node.uniforms = values_.uniforms_at(start_of_[number]);
    }
    std::vector<UniformRow> read;
    for (const StreamNode& node : graph_.nodes) read.insert(read.end(), node.uniforms.begin(), node.uniforms.end());
    graph_.uniform_code = values_.uniforms().code_for(read);
    graph_.rows = values_.uniforms().rows();
  }

  /// No node may write to its input (Popa 4.4.1, Fig. 4.18): returning records pass through another node or, in place,
  /// stay on their lane.
  void break_self_loops() {
    const auto nodes = static_cast<std::uint32_t>(graph_.nodes.size());
    for (std::uint32_t arc = 0; arc < graph_.arcs.size(); ++arc) {
      const auto [from, to, feedback, stack, most] = graph_.arcs[arc];
      if (from != to || from >= nodes) continue;
      if (options_.in_place && !stack && can_repeat(from, arc)) continue;
      StreamNode pass;
      pass.name = graph_.nodes[from].name + " again";
      pass.fields = graph_.nodes[from].fields;
      const auto number = static_cast<std::uint32_t>(graph_.nodes.size());
      graph_.nodes.push_back(pass);
      graph_.arcs[arc].to = number;
      std::erase(graph_.nodes[to].inputs, arc);
      graph_.nodes[number].inputs.push_back(arc);
      graph_.add_arc(number, to, stack);
    }
  }

  /// Marks the node as repeating, unless records of an emit use the arc: their registers may change on the lane.
  bool can_repeat(std::uint32_t number, std::uint32_t arc) {
    StreamNode& node = graph_.nodes[number];
    for (const NodeBlock& block : node.blocks) {
      if (!forks(last_of(block.block))) continue;
      if (!block.ways.front().inside && block.ways.front().to == arc) return false;
    }
    node.repeated = arc;
    return true;
  }

  const Program& program_;
  const StreamOptions& options_;
  RecordValues values_;
  BlockSet reached_;
  BlockSet starts_;
  RegionWalk regions_;
  std::vector<std::uint32_t> number_;  // by block: in the node that is filled
  StreamingGraph graph_;
  std::map<std::uint32_t, std::uint32_t> node_of_;  // by the block where it starts
  std::vector<std::uint32_t> start_of_;             // by node
};

}  // namespace

std::uint32_t StreamingGraph::add_arc(std::uint32_t from, std::uint32_t to, bool stack) {
  if (from != StreamArc::source) {
    const auto& known = nodes[from].outputs;
    const auto same = std::ranges::find_if(
        known, [&](std::uint32_t number) { return arcs[number].to == to && arcs[number].stack == stack; });
    if (same != known.end()) return *same;
  }
  const auto number = static_cast<std::uint32_t>(arcs.size());
  arcs.push_back({from, to, false, stack, 1});
  if (from != StreamArc::source) nodes[from].outputs.push_back(number);
  nodes[to].inputs.push_back(number);
  return number;
}

void refuse_what_cannot_stream(const Program& program, const StreamOptions& options) {
  refuse_company(program, {"a stream processor", options.atomics, "stream_processor.atomics"});
}

StreamingGraph make_streaming_graph(const Program& program, const StreamOptions& options) {
  refuse_what_cannot_stream(program, options);
  return Builder(program, options).build();
}

}  // namespace reconverge::kernel

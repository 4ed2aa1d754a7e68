// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/analysis/postdominators.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dominator_tree.hpp>

#include "models/kernel/analysis/control_flow.hpp"
#include "models/kernel/analysis/cycles.hpp"

namespace reconverge::kernel {

namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;

/// Cycles that control enters and never leaves, with the header at which an iteration of each begins.
struct EndlessLoops {
  std::vector<std::uint32_t> of_block;  // index into `headers`, or Cycles::none
  std::vector<std::uint32_t> headers;
};

EndlessLoops endless_loops(std::span<const BasicBlock> blocks) {
  const Cycles cycles = find_cycles(blocks);
  std::vector<bool> left(cycles.count, false);
  for (std::uint32_t block = 0; block < blocks.size(); ++block) {
    const std::uint32_t own = cycles.of_block[block];
    if (own == Cycles::none) continue;
    for (const std::uint32_t successor : blocks[block].successors) {
      if (cycles.of_block[successor] != own) left[own] = true;
    }
  }
  EndlessLoops loops{std::vector<std::uint32_t>(blocks.size(), Cycles::none), {}};
  if (std::find(left.begin(), left.end(), false) == left.end()) return loops;
  std::vector<std::uint32_t> index(cycles.count, Cycles::none);
  for (const std::uint32_t block : reverse_post_order(blocks)) {
    const std::uint32_t own = cycles.of_block[block];
    if (own == Cycles::none || left[own]) continue;
    if (index[own] == Cycles::none) {
      index[own] = static_cast<std::uint32_t>(loops.headers.size());
      loops.headers.push_back(block);
    }
    loops.of_block[block] = index[own];
  }
  return loops;
}

}  // namespace

std::vector<std::uint32_t> immediate_postdominators(std::span<const BasicBlock> blocks) {
  const EndlessLoops endless = endless_loops(blocks);
  // Vertices: the blocks, the exit, and for each endless loop the end of an iteration, between its latches and its
  // header.
  const std::size_t exit = blocks.size();
  const std::size_t rounds = exit + 1;
  Graph reversed(rounds + endless.headers.size());
  for (std::uint32_t block = 0; block < blocks.size(); ++block) {
    const std::uint32_t loop = endless.of_block[block];
    for (const std::uint32_t successor : blocks[block].successors) {
      const bool ends_round = loop != Cycles::none && successor == endless.headers[loop];
      boost::add_edge(ends_round ? rounds + loop : successor, block, reversed);
    }
    if (blocks[block].successors.empty()) boost::add_edge(exit, block, reversed);
  }
  for (std::size_t loop = 0; loop < endless.headers.size(); ++loop) {
    boost::add_edge(endless.headers[loop], rounds + loop, reversed);
    boost::add_edge(exit, rounds + loop, reversed);
  }

  const auto none = boost::graph_traits<Graph>::null_vertex();
  std::vector<std::size_t> parent(rounds + endless.headers.size(), none);
  boost::lengauer_tarjan_dominator_tree(
      reversed, exit, boost::make_iterator_property_map(parent.begin(), boost::get(boost::vertex_index, reversed)));
  std::vector<std::uint32_t> result(blocks.size(), BasicBlock::no_block);
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    if (parent[block] == none || parent[block] == exit) continue;
    result[block] =
        parent[block] < exit ? static_cast<std::uint32_t>(parent[block]) : endless.headers[parent[block] - rounds];
  }
  return result;
}

}  // namespace reconverge::kernel

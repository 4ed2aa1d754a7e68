// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/analysis/loops.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dominator_tree.hpp>
#include <boost/graph/strong_components.hpp>
#include <numeric>

#include "models/kernel/analysis/control_flow.hpp"

namespace reconverge::kernel {

namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;

void sort_unique(std::vector<std::uint32_t>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

// Natural loops, inner loops first. After a loop has been found, its header represents it, so that each block and each
// edge is visited once (Tarjan 1974, "Testing flow graph reducibility").
class LoopFinder {
 public:
  LoopFinder(std::span<const BasicBlock> blocks, const DominatorTree& tree)
      : blocks_(blocks), tree_(tree), leader_(blocks.size()), loop_at_(blocks.size(), Loop::none) {
    std::iota(leader_.begin(), leader_.end(), 0);
    forest_.innermost.assign(blocks.size(), Loop::none);
    forest_.place.assign(blocks.size(), Loop::none);
  }

  LoopForest run() {
    find_headers();
    // Two natural loops are nested or disjoint, so the header of an outer loop dominates that of an inner one.
    std::vector<std::uint32_t> inner_first(found_.size());
    std::iota(inner_first.begin(), inner_first.end(), 0);
    std::stable_sort(inner_first.begin(), inner_first.end(), [&](std::uint32_t a, std::uint32_t b) {
      return tree_.depth(found_[a].header) > tree_.depth(found_[b].header);
    });
    for (const std::uint32_t loop : inner_first) collect(loop);
    own_.assign(found_.size(), 0);
    for (const std::uint32_t loop : forest_.innermost) {
      if (loop != Loop::none) ++own_[loop];
    }
    size_ = own_;
    for (const std::uint32_t loop : inner_first) {
      if (found_[loop].parent != Loop::none) size_[found_[loop].parent] += size_[loop];
    }
    order_by_size();
    place_members();
    return std::move(forest_);
  }

 private:
  void find_headers() {
    for (std::uint32_t header = 0; header < blocks_.size(); ++header) {
      Loop loop;
      loop.header = header;
      for (const std::uint32_t predecessor : blocks_[header].predecessors) {
        if (tree_.dominates(header, predecessor)) loop.latches.push_back(predecessor);
      }
      if (loop.latches.empty()) continue;
      sort_unique(loop.latches);
      loop_at_[header] = static_cast<std::uint32_t>(found_.size());
      found_.push_back(std::move(loop));
    }
  }

  // The header of the largest loop found so far that contains the block; otherwise the block itself.
  std::uint32_t leader_of(std::uint32_t block) {
    while (leader_[block] != block) block = leader_[block] = leader_[leader_[block]];
    return block;
  }

  // From the latches back to the header; inner loops are skipped via their headers.
  void collect(std::uint32_t loop) {
    const std::uint32_t header = found_[loop].header;
    forest_.innermost[header] = loop;
    std::vector<std::uint32_t> pending = found_[loop].latches;
    while (!pending.empty()) {
      const std::uint32_t block = leader_of(pending.back());
      pending.pop_back();
      if (block == header) continue;
      leader_[block] = header;
      if (loop_at_[block] == Loop::none)
        forest_.innermost[block] = loop;
      else
        found_[loop_at_[block]].parent = loop;
      const auto& from = blocks_[block].predecessors;
      pending.insert(pending.end(), from.begin(), from.end());
    }
  }

  // Sorted by size, largest first, so that a loop precedes the loops inside it; loops of equal size by header.
  void order_by_size() {
    std::vector<std::uint32_t> order(found_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return size_[a] > size_[b]; });
    std::vector<std::uint32_t> index(found_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) index[order[i]] = i;
    for (const std::uint32_t found : order) {
      Loop& loop = found_[found];
      if (loop.parent != Loop::none) {
        loop.parent = index[loop.parent];
        loop.depth = forest_.loops[loop.parent].depth + 1;
      }
      forest_.ranges.push_back({own_[found], size_[found]});
      forest_.loops.push_back(std::move(loop));
    }
    for (std::uint32_t& loop : forest_.innermost) {
      if (loop != Loop::none) loop = index[loop];
    }
  }

  // A loop's own blocks, then its inner loops one after another.
  void place_members() {
    std::vector<std::uint32_t> next_inside(forest_.loops.size());
    std::vector<std::uint32_t> next_own(forest_.loops.size());
    std::uint32_t next = 0;
    for (std::uint32_t loop = 0; loop < forest_.loops.size(); ++loop) {
      const std::uint32_t own = forest_.ranges[loop].first;
      const std::uint32_t parent = forest_.loops[loop].parent;
      std::uint32_t& first = parent == Loop::none ? next : next_inside[parent];
      forest_.ranges[loop].first = next_own[loop] = first;
      next_inside[loop] = first + own;
      first += forest_.ranges[loop].size;
    }
    forest_.members.resize(next);
    for (std::uint32_t block = 0; block < blocks_.size(); ++block) {
      if (forest_.innermost[block] == Loop::none) continue;
      forest_.place[block] = next_own[forest_.innermost[block]]++;
      forest_.members[forest_.place[block]] = block;
    }
  }

  std::span<const BasicBlock> blocks_;
  const DominatorTree& tree_;
  std::vector<std::uint32_t> leader_;   // by block
  std::vector<std::uint32_t> loop_at_;  // by block: the loop that it is the header of
  std::vector<Loop> found_;             // by header
  std::vector<std::uint32_t> own_;      // by loop found: blocks that are in no inner loop
  std::vector<std::uint32_t> size_;     // and all of its blocks
  LoopForest forest_;
};

// Cycles of the graph without back edges.
std::vector<IrreducibleRegion> irreducible_regions(std::span<const BasicBlock> blocks, const DominatorTree& tree) {
  Graph graph(blocks.size());
  for (std::uint32_t block = 0; block < blocks.size(); ++block) {
    for (const std::uint32_t successor : blocks[block].successors) {
      if (!tree.dominates(successor, block)) boost::add_edge(block, successor, graph);
    }
  }
  std::vector<std::size_t> component(blocks.size());
  const std::size_t components = boost::strong_components(
      graph, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph)));
  std::vector<std::vector<std::uint32_t>> members(components);
  for (std::uint32_t block = 0; block < blocks.size(); ++block) members[component[block]].push_back(block);

  std::vector<bool> starts(blocks.size(), false);
  for (const std::uint32_t block : entry_blocks(blocks)) starts[block] = true;
  std::vector<IrreducibleRegion> regions;
  for (std::vector<std::uint32_t>& region : members) {
    if (region.size() < 2) continue;
    std::vector<std::uint32_t> entries;
    for (const std::uint32_t block : region) {
      const auto& from = blocks[block].predecessors;
      const bool entered = std::any_of(from.begin(), from.end(), [&](std::uint32_t predecessor) {
        return component[predecessor] != component[block];
      });
      if (entered || starts[block]) entries.push_back(block);
    }
    regions.push_back({std::move(entries), std::move(region)});
  }
  std::sort(regions.begin(), regions.end(), [](const auto& a, const auto& b) { return a.blocks < b.blocks; });
  return regions;
}

}  // namespace

std::vector<std::uint32_t> immediate_dominators(std::span<const BasicBlock> blocks) {
  const std::size_t start = blocks.size();
  Graph graph(blocks.size() + 1);
  for (std::uint32_t block = 0; block < blocks.size(); ++block) {
    for (const std::uint32_t successor : blocks[block].successors) boost::add_edge(block, successor, graph);
  }
  for (const std::uint32_t entry : entry_blocks(blocks)) boost::add_edge(start, entry, graph);
  std::vector<std::size_t> parent(blocks.size() + 1, boost::graph_traits<Graph>::null_vertex());
  boost::lengauer_tarjan_dominator_tree(
      graph, start, boost::make_iterator_property_map(parent.begin(), boost::get(boost::vertex_index, graph)));
  std::vector<std::uint32_t> result(blocks.size());
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    result[block] = parent[block] == start ? BasicBlock::no_block : static_cast<std::uint32_t>(parent[block]);
  }
  return result;
}

std::vector<std::uint32_t> LoopForest::blocks_of(std::uint32_t loop) const {
  const auto first = members.begin() + ranges[loop].first;
  std::vector<std::uint32_t> blocks(first, first + ranges[loop].size);
  std::sort(blocks.begin(), blocks.end());
  return blocks;
}

std::vector<std::uint32_t> LoopForest::exits_of(std::span<const BasicBlock> blocks, std::uint32_t loop) const {
  std::vector<std::uint32_t> exits;
  for (const std::uint32_t block : std::span(members).subspan(ranges[loop].first, ranges[loop].size)) {
    for (const std::uint32_t successor : blocks[block].successors) {
      if (!contains(loop, successor)) exits.push_back(successor);
    }
  }
  sort_unique(exits);
  return exits;
}

DominatorTree::DominatorTree(std::span<const BasicBlock> blocks)
    : parent_(immediate_dominators(blocks)),
      depth_(blocks.size(), 1),
      first_(blocks.size(), 0),
      size_(blocks.size(), 1) {
  // Dominators come first in this order.
  const std::vector<std::uint32_t> order = reverse_post_order(blocks);
  for (auto block = order.rbegin(); block != order.rend(); ++block) {
    if (parent_[*block] != BasicBlock::no_block) size_[parent_[*block]] += size_[*block];
  }
  std::vector<std::uint32_t> next(blocks.size());
  std::uint32_t next_root = 0;
  for (const std::uint32_t block : order) {
    const std::uint32_t above = parent_[block];
    std::uint32_t& number = above == BasicBlock::no_block ? next_root : next[above];
    first_[block] = number;
    next[block] = number + 1;
    number += size_[block];
    if (above != BasicBlock::no_block) depth_[block] = depth_[above] + 1;
  }
}

LoopForest find_loops(std::span<const BasicBlock> blocks) {
  const DominatorTree tree(blocks);
  LoopForest forest = LoopFinder(blocks, tree).run();
  forest.irreducible = irreducible_regions(blocks, tree);
  return forest;
}

}  // namespace reconverge::kernel

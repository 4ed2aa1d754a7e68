#include "models/kernel/analysis/loops.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dominator_tree.hpp>
#include <boost/graph/strong_components.hpp>

#include "models/kernel/analysis/control_flow.hpp"

namespace reconverge::kernel {

namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;

// What dominates what, by depth in the tree of immediate dominators.
class DominatorTree {
 public:
  explicit DominatorTree(std::span<const BasicBlock> blocks)
      : parent_(immediate_dominators(blocks)), depth_(blocks.size(), 0) {
    std::vector<std::uint32_t> path;
    for (std::uint32_t block = 0; block < blocks.size(); ++block) {
      for (std::uint32_t at = block; at != BasicBlock::no_block && depth_[at] == 0; at = parent_[at])
        path.push_back(at);
      for (; !path.empty(); path.pop_back()) {
        const std::uint32_t above = parent_[path.back()];
        depth_[path.back()] = above == BasicBlock::no_block ? 1 : depth_[above] + 1;
      }
    }
  }

  bool dominates(std::uint32_t upper, std::uint32_t lower) const {
    while (depth_[lower] > depth_[upper]) lower = parent_[lower];
    return lower == upper;
  }

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint32_t> depth_;
};

// The blocks that reach a latch without passing the header.
std::vector<std::uint32_t> body_of(std::span<const BasicBlock> blocks, const Loop& loop) {
  std::vector<bool> inside(blocks.size(), false);
  std::vector<std::uint32_t> body = {loop.header};
  inside[loop.header] = true;
  const auto enter = [&](std::uint32_t block) {
    if (inside[block]) return;
    inside[block] = true;
    body.push_back(block);
  };
  for (const std::uint32_t latch : loop.latches) enter(latch);
  for (std::size_t i = 1; i < body.size(); ++i) {
    for (const std::uint32_t predecessor : blocks[body[i]].predecessors) enter(predecessor);
  }
  std::sort(body.begin(), body.end());
  return body;
}

void sort_unique(std::vector<std::uint32_t>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

std::vector<std::uint32_t> exits_of(std::span<const BasicBlock> blocks, const Loop& loop) {
  std::vector<std::uint32_t> exits;
  for (const std::uint32_t block : loop.blocks) {
    for (const std::uint32_t successor : blocks[block].successors) {
      if (!std::binary_search(loop.blocks.begin(), loop.blocks.end(), successor)) exits.push_back(successor);
    }
  }
  sort_unique(exits);
  return exits;
}

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

  const std::vector<std::uint32_t> starts = entry_blocks(blocks);
  std::vector<IrreducibleRegion> regions;
  for (std::vector<std::uint32_t>& region : members) {
    if (region.size() < 2) continue;
    std::vector<std::uint32_t> entries;
    for (const std::uint32_t block : region) {
      const auto& from = blocks[block].predecessors;
      const bool entered = std::any_of(from.begin(), from.end(), [&](std::uint32_t predecessor) {
        return component[predecessor] != component[block];
      });
      if (entered || std::find(starts.begin(), starts.end(), block) != starts.end()) entries.push_back(block);
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

LoopForest find_loops(std::span<const BasicBlock> blocks) {
  const DominatorTree tree(blocks);
  LoopForest forest;
  for (std::uint32_t header = 0; header < blocks.size(); ++header) {
    Loop loop;
    loop.header = header;
    for (const std::uint32_t predecessor : blocks[header].predecessors) {
      if (tree.dominates(header, predecessor)) loop.latches.push_back(predecessor);
    }
    if (loop.latches.empty()) continue;
    sort_unique(loop.latches);
    loop.blocks = body_of(blocks, loop);
    loop.exits = exits_of(blocks, loop);
    forest.loops.push_back(std::move(loop));
  }
  // Two natural loops lie one in the other or apart, so a larger one is never inside a smaller one.
  std::stable_sort(forest.loops.begin(), forest.loops.end(),
                   [](const Loop& a, const Loop& b) { return a.blocks.size() > b.blocks.size(); });
  forest.innermost.assign(blocks.size(), Loop::none);
  for (std::uint32_t i = 0; i < forest.loops.size(); ++i) {
    Loop& loop = forest.loops[i];
    loop.parent = forest.innermost[loop.header];
    if (loop.parent != Loop::none) loop.depth = forest.loops[loop.parent].depth + 1;
    for (const std::uint32_t block : loop.blocks) forest.innermost[block] = i;
  }
  forest.irreducible = irreducible_regions(blocks, tree);
  return forest;
}

}  // namespace reconverge::kernel

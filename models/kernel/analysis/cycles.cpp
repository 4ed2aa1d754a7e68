// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/analysis/cycles.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>

namespace reconverge::kernel {

Cycles find_cycles(std::span<const BasicBlock> blocks) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
  Graph graph(blocks.size());
  for (std::uint32_t block = 0; block < blocks.size(); ++block) {
    for (const std::uint32_t successor : blocks[block].successors) boost::add_edge(block, successor, graph);
  }
  Cycles cycles;
  cycles.of_block.resize(blocks.size());
  const std::size_t parts = boost::strong_components(
      graph, boost::make_iterator_property_map(cycles.of_block.begin(), boost::get(boost::vertex_index, graph)));
  // A component is a cycle if it contains an edge: it has several blocks, or one block with an edge to itself.
  std::vector<std::uint32_t> index(parts, Cycles::none);
  for (std::uint32_t block = 0; block < blocks.size(); ++block) {
    const std::uint32_t part = cycles.of_block[block];
    for (const std::uint32_t successor : blocks[block].successors) {
      if (cycles.of_block[successor] == part && index[part] == Cycles::none) index[part] = cycles.count++;
    }
  }
  for (std::uint32_t& part : cycles.of_block) part = index[part];
  return cycles;
}

}  // namespace reconverge::kernel

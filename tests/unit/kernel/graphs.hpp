// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Control-flow graphs for tests, built from lists of edges or at random.

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "models/kernel/program.hpp"

namespace reconverge::kernel::tests {

/// A graph of `blocks` blocks of `length` instructions each, with these edges.
inline std::vector<BasicBlock> graph(std::uint32_t blocks,
                                     const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges, Pc length = 1) {
  std::vector<BasicBlock> result(blocks);
  for (std::uint32_t i = 0; i < blocks; ++i) {
    result[i].first = i * length;
    result[i].end = (i + 1) * length;
  }
  for (const auto& [from, to] : edges) {
    result[from].successors.push_back(to);
    result[to].predecessors.push_back(from);
  }
  return result;
}

/// A random graph in which a block has up to two distinct successors; about one block in six has none.
inline std::vector<BasicBlock> random_graph(std::mt19937& random, std::uint32_t blocks, Pc length = 1) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t i = 0; i < blocks; ++i) {
    if (random() % 6 == 0) continue;
    const std::uint32_t first = random() % blocks;
    const std::uint32_t second = random() % blocks;
    edges.emplace_back(i, first);
    if (second != first && random() % 2 == 0) edges.emplace_back(i, second);
  }
  return graph(blocks, edges, length);
}

}  // namespace reconverge::kernel::tests

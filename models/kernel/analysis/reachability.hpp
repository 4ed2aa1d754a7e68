// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The blocks that control can reach in a graph of basic blocks.

#include <boost/dynamic_bitset.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// A set of blocks, bit by block index.
using BlockSet = boost::dynamic_bitset<>;

/// Blocks that control reaches from `start`, including `start`, without entering `avoided` (BasicBlock::no_block: no
/// restriction). Empty if `start` is `avoided`.
inline BlockSet reachable_blocks(std::span<const BasicBlock> blocks, std::uint32_t start, std::uint32_t avoided) {
  BlockSet reached(blocks.size());
  std::vector<std::uint32_t> pending;
  const auto enter = [&](std::uint32_t block) {
    if (block == avoided || reached[block]) return;
    reached.set(block);
    pending.push_back(block);
  };
  enter(start);
  while (!pending.empty()) {
    const std::uint32_t block = pending.back();
    pending.pop_back();
    for (const std::uint32_t successor : blocks[block].successors) enter(successor);
  }
  return reached;
}

}  // namespace reconverge::kernel

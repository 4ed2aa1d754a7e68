// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/streams/node_regions.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "models/kernel/analysis/control_flow.hpp"

namespace reconverge::kernel {

namespace {

/// Merges the regions of starts. A block stays a start until all of its predecessors are in one region, so all
/// predecessors of any other block are in its region. A region is therefore ordered like the whole graph, and has no
/// cycle.
class Merger {
 public:
  Merger(std::span<const BasicBlock> blocks, std::span<const Instruction> instructions, const MergeRule& rule,
         BlockSet& starts)
      : blocks_(blocks),
        instructions_(instructions),
        rule_(rule),
        starts_(starts),
        reached_(starts),
        order_(reverse_post_order(blocks)),
        place_(blocks.size()),
        leader_(blocks.size()),
        members_(blocks.size()),
        chance_(blocks.size(), 1.0) {
    for (std::uint32_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
    std::iota(leader_.begin(), leader_.end(), 0);
  }

  void run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const std::uint32_t block : order_) {
        if (block == 0 || !starts_[block]) continue;
        const std::uint32_t owner = owner_of(block);
        if (owner == BasicBlock::no_block || owner == block || !pays(block)) continue;
        if (rule_.join && !rule_.join(owner, block)) continue;
        merge(owner, block);
        changed = true;
      }
    }
  }

 private:
  // The start of the region that contains a block.
  std::uint32_t start_of(std::uint32_t block) {
    while (leader_[block] != block) block = leader_[block] = leader_[leader_[block]];
    return block;
  }

  // The start of the region that contains all predecessors of a block; no_block if there is none.
  std::uint32_t owner_of(std::uint32_t block) {
    std::uint32_t owner = BasicBlock::no_block;
    for (const std::uint32_t predecessor : blocks_[block].predecessors) {
      if (!reached_[predecessor]) continue;
      const std::uint32_t start = start_of(predecessor);
      if (owner != BasicBlock::no_block && owner != start) return BasicBlock::no_block;
      owner = start;
    }
    return owner;
  }

  // The probability that control reaches a block from the start of the region that contains all its predecessors.
  double chance_of(std::uint32_t block) const {
    std::vector<std::uint32_t> from;
    for (const std::uint32_t predecessor : blocks_[block].predecessors) {
      if (reached_[predecessor]) from.push_back(predecessor);
    }
    // Sums are rounded, so their order matters. The order of the region is used.
    std::ranges::sort(from, {}, [&](std::uint32_t one) { return place_[one]; });
    double chance = 0.0;
    for (const std::uint32_t one : from) {
      const bool copies = forks(instructions_[blocks_[one].end - 1]);
      const double share = copies ? 1.0 : 1.0 / static_cast<double>(blocks_[one].successors.size());
      chance = std::min(1.0, chance + chance_[one] * share);
    }
    return chance;
  }

  bool pays(std::uint32_t block) const {
    const double chance = chance_of(block);
    if (chance >= 1.0) return true;
    if (!rule_.bytes_per_instruction) return false;
    // A record is written and read; lanes that do not reach the block are idle.
    const double saved = 2.0 * rule_.record_bytes[block] * chance;
    return saved >= *rule_.bytes_per_instruction * (1.0 - chance) * (blocks_[block].end - blocks_[block].first);
  }

  void merge(std::uint32_t owner, std::uint32_t block) {
    starts_.reset(block);
    leader_[block] = owner;
    std::vector<std::uint32_t> more = std::exchange(members_[block], {});
    more.push_back(block);
    std::ranges::sort(more, {}, [&](std::uint32_t one) { return place_[one]; });
    for (const std::uint32_t one : more) chance_[one] = chance_of(one);
    members_[owner].insert(members_[owner].end(), more.begin(), more.end());
  }

  std::span<const BasicBlock> blocks_;
  std::span<const Instruction> instructions_;
  const MergeRule& rule_;
  BlockSet& starts_;
  BlockSet reached_;  // without blocks that end a thread, which have no successor
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> place_;                 // by block: in `order_`
  std::vector<std::uint32_t> leader_;                // by block: a link towards the start of its region
  std::vector<std::vector<std::uint32_t>> members_;  // by start: blocks merged into it
  std::vector<double> chance_;                       // by block: probability of reaching it from the start of its
                                                     // region
};

}  // namespace

/// Walks from `start` without entering other starts; `leave` gets blocks in post-order. Returns false, with the block
/// that a back edge leads to, if there is one.
template <typename Leave>
bool RegionWalk::walk(std::uint32_t start, const BlockSet& starts, std::uint32_t& back, const Leave& leave) {
  std::vector<std::pair<std::uint32_t, std::size_t>> path = {{start, 0}};
  visits_[start] = Visit::open;
  while (!path.empty()) {
    auto& [block, next] = path.back();
    if (next == blocks_[block].successors.size()) {
      visits_[block] = Visit::done;
      leave(block);
      path.pop_back();
      continue;
    }
    const std::uint32_t successor = blocks_[block].successors[next++];
    if (starts[successor]) continue;
    if (visits_[successor] == Visit::open) {
      back = successor;
      return false;
    }
    if (visits_[successor] == Visit::done) continue;
    visits_[successor] = Visit::open;
    path.emplace_back(successor, 0);
  }
  return true;
}

std::vector<std::uint32_t> RegionWalk::region_of(std::uint32_t start, const BlockSet& starts) {
  std::vector<std::uint32_t> order;
  std::uint32_t back = 0;
  walk(start, starts, back, [&](std::uint32_t block) { order.push_back(block); });
  for (const std::uint32_t block : order) visits_[block] = Visit::none;
  std::ranges::reverse(order);
  return order;
}

bool RegionWalk::has_no_cycle(std::uint32_t start, const BlockSet& starts, std::uint32_t& back) {
  return walk(start, starts, back, [](std::uint32_t) {});
}

std::vector<NodeWay> ways_of(const CutProgram& cut, std::uint32_t block, std::span<const std::uint32_t> number,
                             const std::function<std::uint32_t(std::uint32_t block, bool stack)>& leave) {
  const Program& program = cut.program;
  const std::span<const BasicBlock> blocks = cut.blocks;
  const BasicBlock& one = blocks[block];
  const Instruction& last = program.instructions[one.end - 1];
  std::vector<NodeWay> ways;
  const auto add = [&](NodeWay::Lanes lanes, std::uint32_t to, Pc target, bool stack) {
    const bool inside = !cut.starts[to];
    ways.push_back({lanes, inside, inside ? number[to] : leave(to, stack), target});
  };
  const auto in_table = [&](std::uint32_t to) {
    const std::vector<Pc>& table = program.branch_tables[last.target];
    return std::ranges::find(table, blocks[to].first) != table.end();
  };
  const bool more = block + 1 < blocks.size();
  if (forks(last)) {
    add(NodeWay::Lanes::taken, block_of(blocks, last.target), no_pc, static_cast<Fork>(last.variant) == Fork::stack);
    if (more) add(NodeWay::Lanes::all, block + 1, no_pc, false);
  } else if (last.opcode == Opcode::bra) {
    const bool both = last.guard.present() && one.successors.size() == 2;
    add(both ? NodeWay::Lanes::taken : NodeWay::Lanes::all, block_of(blocks, last.target), no_pc, false);
    if (both) add(NodeWay::Lanes::others, block + 1, no_pc, false);
  } else if (last.opcode == Opcode::brx) {
    for (const std::uint32_t to : one.successors) {
      const bool next = to == block + 1 && last.guard.present() && !in_table(to);
      if (!next) add(NodeWay::Lanes::indexed, to, blocks[to].first, false);
    }
    if (last.guard.present()) add(NodeWay::Lanes::others, block + 1, no_pc, false);
  } else if (!leaves_program(last) && more) {
    add(NodeWay::Lanes::all, block + 1, no_pc, false);
  }
  return ways;
}

bool cuts_all_cycles(std::span<const BasicBlock> blocks, const BlockSet& starts, std::uint32_t* within) {
  RegionWalk walk(blocks);
  std::uint32_t back = 0;
  for (auto start = starts.find_first(); start != BlockSet::npos; start = starts.find_next(start)) {
    if (walk.has_no_cycle(static_cast<std::uint32_t>(start), starts, back)) continue;
    if (within != nullptr) *within = back;
    return false;
  }
  return true;
}

void merge_blocks(std::span<const BasicBlock> blocks, std::span<const Instruction> instructions, const MergeRule& rule,
                  BlockSet& starts) {
  Merger(blocks, instructions, rule, starts).run();
}

}  // namespace reconverge::kernel

#include "models/kernel/streams/node_regions.hpp"

#include <algorithm>

#include "models/kernel/analysis/control_flow.hpp"

namespace reconverge::kernel {

namespace {

enum class Visit : std::uint8_t { none, open, done };

/// Walks from `start` without entering `avoided`; `leave` gets blocks in post-order. Returns false, with the block that
/// it came back to, where a way leads back.
template <typename Leave>
bool walk(std::span<const BasicBlock> blocks, std::uint32_t start, const BlockSet& avoided, std::vector<Visit>& visits,
          std::uint32_t& back, const Leave& leave) {
  std::vector<std::pair<std::uint32_t, std::size_t>> path = {{start, 0}};
  visits[start] = Visit::open;
  while (!path.empty()) {
    auto& [block, next] = path.back();
    if (next == blocks[block].successors.size()) {
      visits[block] = Visit::done;
      leave(block);
      path.pop_back();
      continue;
    }
    const std::uint32_t successor = blocks[block].successors[next++];
    if (avoided[successor]) continue;
    if (visits[successor] == Visit::open) {
      back = successor;
      return false;
    }
    if (visits[successor] == Visit::done) continue;
    visits[successor] = Visit::open;
    path.emplace_back(successor, 0);
  }
  return true;
}

/// The chance to come to each block of the region from its start.
std::vector<double> chances(std::span<const BasicBlock> blocks, std::span<const std::uint32_t> region,
                            std::span<const Instruction> instructions) {
  std::vector<double> chance(blocks.size(), 0.0);
  chance[region.front()] = 1.0;
  for (const std::uint32_t block : region) {
    const BasicBlock& one = blocks[block];
    const bool copies = forks(instructions[one.end - 1]);
    const double share = copies || one.successors.empty() ? 1.0 : 1.0 / static_cast<double>(one.successors.size());
    for (const std::uint32_t successor : one.successors) {
      if (successor != region.front()) chance[successor] = std::min(1.0, chance[successor] + chance[block] * share);
    }
  }
  return chance;
}

}  // namespace

std::vector<std::uint32_t> region_of(std::span<const BasicBlock> blocks, std::uint32_t start, const BlockSet& starts) {
  std::vector<Visit> visits(blocks.size(), Visit::none);
  std::vector<std::uint32_t> order;
  std::uint32_t back = 0;
  walk(blocks, start, starts, visits, back, [&](std::uint32_t block) { order.push_back(block); });
  std::ranges::reverse(order);
  return order;
}

std::vector<NodeWay> ways_of(std::span<const BasicBlock> blocks, const Program& program, std::uint32_t block,
                             std::span<const std::uint32_t> region, const BlockSet& starts,
                             const std::function<std::uint32_t(std::uint32_t block, bool stack)>& leave) {
  const BasicBlock& one = blocks[block];
  const Instruction& last = program.instructions[one.end - 1];
  std::vector<NodeWay> ways;
  const auto add = [&](NodeWay::Lanes lanes, std::uint32_t to, Pc target, bool stack) {
    NodeWay way{lanes, false, 0, target};
    const auto place = std::ranges::find(region, to);
    way.inside = !starts[to] && place != region.end();
    way.to = way.inside ? static_cast<std::uint32_t>(place - region.begin()) : leave(to, stack);
    ways.push_back(way);
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
  std::vector<Visit> visits(blocks.size(), Visit::none);
  std::uint32_t back = 0;
  for (auto start = starts.find_first(); start != BlockSet::npos; start = starts.find_next(start)) {
    if (walk(blocks, static_cast<std::uint32_t>(start), starts, visits, back, [](std::uint32_t) {})) continue;
    if (within != nullptr) *within = back;
    return false;
  }
  return true;
}

void merge_blocks(std::span<const BasicBlock> blocks, std::span<const Instruction> instructions, const MergeRule& rule,
                  BlockSet& starts) {
  const auto length = [&](std::uint32_t block) { return blocks[block].end - blocks[block].first; };
  /// By block, the start of the one region that all ways into it come from.
  const auto find_owners = [&] {
    std::vector<std::uint32_t> owners(blocks.size(), BasicBlock::no_block);
    BlockSet shared(blocks.size());
    for (auto start = starts.find_first(); start != BlockSet::npos; start = starts.find_next(start)) {
      const auto owner = static_cast<std::uint32_t>(start);
      for (const std::uint32_t one : region_of(blocks, owner, starts)) {
        for (const std::uint32_t successor : blocks[one].successors) {
          if (owners[successor] != BasicBlock::no_block && owners[successor] != owner) shared.set(successor);
          owners[successor] = owner;
        }
      }
    }
    for (auto block = shared.find_first(); block != BlockSet::npos; block = shared.find_next(block)) {
      owners[block] = BasicBlock::no_block;
    }
    return owners;
  };
  const auto pays = [&](std::uint32_t owner, std::uint32_t block) {
    const auto region = region_of(blocks, owner, starts);
    const double chance = chances(blocks, region, instructions)[block];
    if (chance >= 1.0) return true;
    if (!rule.bytes_per_instruction) return false;
    // A record is written and read; lanes that do not come here idle.
    const double saved = 2.0 * rule.record_bytes[block] * chance;
    return saved >= *rule.bytes_per_instruction * (1.0 - chance) * length(block);
  };
  std::vector<std::uint32_t> owners = find_owners();
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::uint32_t block : reverse_post_order(blocks)) {
      if (block == 0 || !starts[block]) continue;
      const std::uint32_t owner = owners[block];
      if (owner == BasicBlock::no_block || owner == block || !pays(owner, block)) continue;
      starts.reset(block);
      const bool fits = !rule.fits || rule.fits(region_of(blocks, owner, starts));
      if (fits && cuts_all_cycles(blocks, starts)) {
        changed = true;
        owners = find_owners();
      } else {
        starts.set(block);
      }
    }
  }
}

}  // namespace reconverge::kernel

// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/analysis/side_exits.hpp"

#include <algorithm>

#include "models/kernel/analysis/company.hpp"
#include "models/kernel/analysis/control_flow.hpp"
#include "models/kernel/analysis/cycles.hpp"
#include "models/kernel/analysis/postdominators.hpp"
#include "models/kernel/analysis/reachability.hpp"

namespace reconverge::kernel {

namespace {

bool ends_run(const Instruction& instruction) {
  const bool asserts =
      instruction.opcode == Opcode::host && static_cast<HostFunction>(instruction.variant) == HostFunction::assert_fail;
  return (instruction.opcode == Opcode::trap || asserts) && !instruction.guard.present();
}

class SideExits {
 public:
  SideExits(std::span<const Instruction> instructions, std::span<const BasicBlock> blocks)
      : instructions_(instructions),
        blocks_(blocks),
        cycles_(find_cycles(blocks)),
        end_(blocks.size()),
        bare_(blocks.size()),
        quiet_(blocks.size()) {}

  std::vector<FlowEdge> run() {
    find_ends();
    collect();
    if (candidates_.empty()) return {};
    left_out_.assign(candidates_.size(), false);
    leave_out_what_moves_meetings();
    leave_out_what_holds_others_up();
    return chosen();
  }

 private:
  std::span<const Instruction> body(std::uint32_t block) const {
    return instructions_.subspan(blocks_[block].first, blocks_[block].end - blocks_[block].first);
  }

  // A bare end contains only the exit.
  bool only_leaves(std::uint32_t block) const {
    const auto all = body(block);
    if (std::any_of(all.begin(), all.end(), ends_run)) return true;
    const Instruction& last = all.back();
    const bool goes = leaves_program(last) || (last.opcode == Opcode::bra && !last.guard.present());
    return goes && std::all_of(all.begin(), all.end() - 1, [](const Instruction& instruction) {
             return instruction.opcode == Opcode::st && instruction.space == Space::local;
           });
  }

  bool is_quiet(std::uint32_t block) const {
    const auto all = body(block);
    return std::none_of(all.begin(), all.end(), [](const Instruction& instruction) {
      return needs_company(instruction) || instruction.opcode == Opcode::call ||
             instruction.opcode == Opcode::extension;
    });
  }

  // Backwards from the blocks without successors, as long as all paths lead to ends.
  void find_ends() {
    std::vector<std::size_t> open(blocks_.size());
    std::vector<std::uint32_t> pending;
    for (std::uint32_t block = 0; block < blocks_.size(); ++block) {
      open[block] = blocks_[block].successors.size();
      if (open[block] == 0) pending.push_back(block);
    }
    while (!pending.empty()) {
      const std::uint32_t block = pending.back();
      pending.pop_back();
      const auto& successors = blocks_[block].successors;
      const auto all_are = [&](const BlockSet& kind) {
        return std::all_of(successors.begin(), successors.end(), [&](std::uint32_t next) { return kind[next]; });
      };
      end_.set(block);
      quiet_[block] = is_quiet(block) && all_are(quiet_);
      bare_[block] = only_leaves(block) && all_are(bare_);
      for (const std::uint32_t predecessor : blocks_[block].predecessors) {
        if (--open[predecessor] == 0) pending.push_back(predecessor);
      }
    }
  }

  // By cycle: whether lanes communicate in it.
  std::vector<bool> cycles_with_company() const {
    std::vector<bool> company(cycles_.count, false);
    for (std::uint32_t block = 0; block < blocks_.size(); ++block) {
      if (cycles_.of_block[block] == Cycles::none) continue;
      const auto all = body(block);
      if (std::any_of(all.begin(), all.end(), needs_company)) company[cycles_.of_block[block]] = true;
    }
    return company;
  }

  void collect() {
    const std::vector<bool> company = cycles_with_company();
    for (std::uint32_t block = 0; block < blocks_.size(); ++block) {
      const auto& successors = blocks_[block].successors;
      const bool all_bare = std::all_of(successors.begin(), successors.end(), [&](auto next) { return bare_[next]; });
      const std::uint32_t cycle = cycles_.of_block[block];
      const bool quiet_counts = cycle != Cycles::none && company[cycle];
      if (all_bare) continue;
      for (const std::uint32_t successor : successors) {
        if (bare_[successor] || (quiet_counts && quiet_[successor])) candidates_.push_back({block, successor});
      }
    }
  }

  // Whether all paths from `block` out of `graph` pass `meeting`.
  static bool passes(std::span<const std::uint32_t> postdominators, std::uint32_t block, std::uint32_t meeting) {
    while (block != meeting && block != BasicBlock::no_block) block = postdominators[block];
    return block == meeting;
  }

  // The blocks that lanes of the branch that ends `block` can execute before their reconvergence point.
  static BlockSet region_of(std::span<const BasicBlock> graph, std::uint32_t block, std::uint32_t meeting) {
    BlockSet region(graph.size());
    for (const std::uint32_t successor : graph[block].successors) {
      region |= reachable_blocks(graph, successor, meeting);
    }
    return region;
  }

  void leave_out_what_moves_meetings() {
    const std::vector<BasicBlock> kept = without(blocks_, candidates_);
    const std::vector<std::uint32_t> before = immediate_postdominators(blocks_);
    const std::vector<std::uint32_t> after = immediate_postdominators(kept);
    for (std::uint32_t block = 0; block < kept.size(); ++block) {
      const std::uint32_t meeting = after[block];
      if (kept[block].successors.size() < 2 || meeting == BasicBlock::no_block || meeting == before[block]) continue;
      // The end after a loop is not a reconvergence point: other lanes may wait for the lanes that wait there.
      if (cycles_.of_block[block] != Cycles::none && end_[meeting]) continue;
      BlockSet region = region_of(kept, block, meeting);
      region.set(block);  // of a jump table: includes lanes that leave from it
      for (std::size_t i = 0; i < candidates_.size(); ++i) {
        if (region[candidates_[i].from] && !passes(after, candidates_[i].to, meeting)) left_out_[i] = true;
      }
    }
  }

  void leave_out_what_holds_others_up() {
    BlockSet asking(blocks_.size());
    for (std::uint32_t block = 0; block < blocks_.size(); ++block) {
      const auto all = body(block);
      asking[block] = std::any_of(all.begin(), all.end(), waits_for_lanes);
    }
    if (asking.none()) return;
    const std::vector<BasicBlock> graph = without(blocks_, chosen());
    const std::vector<std::uint32_t> postdominators = immediate_postdominators(graph);
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const auto [from, to] = candidates_[i];
      if (left_out_[i] || !bare_[to]) continue;
      if (region_of(graph, from, postdominators[from]).intersects(asking)) left_out_[i] = true;
    }
  }

  std::vector<FlowEdge> chosen() const {
    std::vector<FlowEdge> edges;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (left_out_[i]) edges.push_back(candidates_[i]);
    }
    return edges;
  }

  std::span<const Instruction> instructions_;
  std::span<const BasicBlock> blocks_;
  Cycles cycles_;
  BlockSet end_;  // by block: control never returns from it
  BlockSet bare_;
  BlockSet quiet_;
  std::vector<FlowEdge> candidates_;
  std::vector<bool> left_out_;
};

}  // namespace

std::vector<BasicBlock> without(std::span<const BasicBlock> blocks, std::span<const FlowEdge> edges) {
  std::vector<BasicBlock> rest(blocks.begin(), blocks.end());
  for (const FlowEdge& edge : edges) {
    std::erase(rest[edge.from].successors, edge.to);
    std::erase(rest[edge.to].predecessors, edge.from);
  }
  return rest;
}

std::vector<FlowEdge> find_side_exits(std::span<const Instruction> instructions, std::span<const BasicBlock> blocks) {
  return SideExits(instructions, blocks).run();
}

}  // namespace reconverge::kernel

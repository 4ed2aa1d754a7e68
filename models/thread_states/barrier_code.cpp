#include "models/thread_states/barrier_code.hpp"

#include <algorithm>

#include "models/execution/operations/members.hpp"
#include "models/kernel/analysis/waiting_rounds.hpp"

namespace reconverge {

using kernel::BasicBlock;
using kernel::Pc;

namespace {

/// By block: whether some threads of a warp, or a function, may come there that part from the others by a branch, and
/// have not met them since: the blocks that depend on divergent branches.
std::vector<bool> parted_blocks(const kernel::Program& program, const kernel::Divergence& divergence) {
  const std::vector<BasicBlock>& blocks = program.blocks;
  std::vector<bool> parted(blocks.size(), false);
  std::vector<std::uint32_t> pending;
  for (std::uint32_t block = 0; block < blocks.size(); ++block) {
    if (divergence.branch[blocks[block].end - 1]) pending.push_back(block);
  }
  while (!pending.empty()) {
    const std::uint32_t branch = pending.back();
    pending.pop_back();
    const std::uint32_t meeting = blocks[branch].immediate_postdominator;
    for (std::uint32_t block : blocks[branch].successors) {
      for (; block != meeting && block != BasicBlock::no_block; block = blocks[block].immediate_postdominator) {
        if (parted[block]) continue;
        parted[block] = true;
        pending.push_back(block);
      }
    }
  }
  return parted;
}

/// By block: whether control gets from there to `end`.
std::vector<bool> blocks_before(std::span<const BasicBlock> blocks, std::uint32_t end) {
  std::vector<bool> before(blocks.size(), false);
  std::vector<std::uint32_t> pending = {end};
  before[end] = true;
  while (!pending.empty()) {
    const std::uint32_t block = pending.back();
    pending.pop_back();
    for (const std::uint32_t predecessor : blocks[block].predecessors) {
      if (before[predecessor]) continue;
      before[predecessor] = true;
      pending.push_back(predecessor);
    }
  }
  return before;
}

/// What BarrierCode::comes_before says, by exchange.
std::map<Pc, std::vector<Pc>> meetings_before(const kernel::Program& program, const kernel::Divergence& divergence,
                                              std::span<const kernel::ConvergenceRegion> regions) {
  std::map<Pc, std::vector<Pc>> result;
  if (std::ranges::none_of(program.instructions, is_for_whole_warp)) return result;
  const std::vector<bool> parted = parted_blocks(program, divergence);
  for (std::uint32_t block = 0; block < program.blocks.size(); ++block) {
    std::vector<Pc> exchanges;
    for (Pc pc = program.blocks[block].first; pc < program.blocks[block].end; ++pc) {
      if (is_for_whole_warp(program.instructions[pc])) exchanges.push_back(pc);
    }
    if (exchanges.empty()) continue;
    std::vector<bool> before = blocks_before(program.blocks, block);
    std::uint32_t sure = parted[block] ? program.blocks[block].immediate_postdominator : BasicBlock::no_block;
    for (; sure != BasicBlock::no_block; sure = program.blocks[sure].immediate_postdominator) before[sure] = false;
    std::vector<Pc> meetings;
    for (const kernel::ConvergenceRegion& region : regions) {
      if (before[region.meet]) meetings.push_back(program.blocks[region.meet].first);
    }
    std::ranges::sort(meetings);
    for (const Pc pc : exchanges) result[pc] = meetings;
  }
  return result;
}

}  // namespace

BarrierCode::BarrierCode(const kernel::Program& program, unsigned registers)
    : waiting_rounds_(kernel::find_waiting_rounds(program)) {
  const kernel::Divergence divergence = analyse_divergence(program);
  const kernel::ConvergenceBarriers placed =
      place_convergence_barriers(program, divergence, registers, kernel::BarriersInCalls::saved);
  barriers_ = placed.regions.size();
  moves_barriers_ = std::ranges::any_of(placed.regions, &kernel::ConvergenceRegion::spills);
  before_ = meetings_before(program, divergence, placed.regions);
  const auto pcs = static_cast<Pc>(program.instructions.size());
  auto action = placed.actions.begin();
  for (Pc pc = 0; pc < pcs; ++pc) {
    first_.push_back(static_cast<std::uint32_t>(operations_.size()));
    for (; action != placed.actions.end() && action->pc == pc; ++action) {
      operations_.push_back({action->kind, action->region});
    }
  }
  first_.push_back(static_cast<std::uint32_t>(operations_.size()));
  stops_.assign(pcs, kernel::no_pc);
  for (Pc pc = pcs; pc-- > 1;) stops_[pc - 1] = at(pc).empty() ? stops_[pc] : pc;
}

bool BarrierCode::comes_before(Pc meeting, Pc exchange) const {
  const auto found = before_.find(exchange);
  return found != before_.end() && std::ranges::binary_search(found->second, meeting);
}

}  // namespace reconverge

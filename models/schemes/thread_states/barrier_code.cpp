// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/thread_states/barrier_code.hpp"

#include <algorithm>

#include "models/execution/operations/members.hpp"
#include "models/kernel/analysis/control_flow.hpp"
#include "models/kernel/analysis/waiting_rounds.hpp"

namespace reconverge {

using kernel::BasicBlock;
using kernel::Pc;

namespace {

/// Visits the chain of post-dominators of a block, up to `end` or the exit. In a loop that no path leaves, the chain
/// returns to the block; then each is visited once.
template <typename Visit>
void for_postdominators(std::span<const BasicBlock> blocks, std::uint32_t block, std::uint32_t end, Visit visit) {
  for (std::size_t left = blocks.size(); left > 0 && block != end && block != BasicBlock::no_block; --left) {
    visit(block);
    block = blocks[block].immediate_postdominator;
  }
}

/// By basic block: whether it depends on a divergent branch, that is, whether only some threads of a warp or of a
/// function call may reach it before they reconverge.
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
    for (const std::uint32_t successor : blocks[branch].successors) {
      for_postdominators(blocks, successor, meeting, [&](std::uint32_t block) {
        if (parted[block]) return;
        parted[block] = true;
        pending.push_back(block);
      });
    }
  }
  return parted;
}

/// Whether control can reach block `to` from the top of block `from`.
bool leads_to(std::span<const BasicBlock> blocks, std::uint32_t from, std::uint32_t to) {
  std::vector<bool> reached(blocks.size(), false);
  std::vector<std::uint32_t> pending = {from};
  reached[from] = true;
  while (!reached[to] && !pending.empty()) {
    const std::uint32_t block = pending.back();
    pending.pop_back();
    for (const std::uint32_t successor : blocks[block].successors) {
      if (reached[successor]) continue;
      reached[successor] = true;
      pending.push_back(successor);
    }
  }
  return reached[to];
}

bool postdominates(std::span<const BasicBlock> blocks, std::uint32_t later, std::uint32_t block) {
  bool found = false;
  for_postdominators(blocks, blocks[block].immediate_postdominator, BasicBlock::no_block,
                     [&](std::uint32_t at) { found |= at == later; });
  return found;
}

}  // namespace

BarrierCode::BarrierCode(const kernel::Program& program, unsigned registers)
    : program_(&program), waiting_rounds_(kernel::find_waiting_rounds(program)) {
  const kernel::Divergence divergence = analyse_divergence(program);
  const kernel::ConvergenceBarriers placed =
      place_convergence_barriers(program, divergence, registers, kernel::BarriersInCalls::saved);
  barriers_ = placed.regions.size();
  moves_barriers_ = std::ranges::any_of(placed.regions, &kernel::ConvergenceRegion::spills);
  if (std::ranges::any_of(program.instructions, is_for_whole_warp)) parted_ = parted_blocks(program, divergence);
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
  if (!is_for_whole_warp(program_->instructions[exchange])) return false;
  const auto [known, is_new] = before_.try_emplace({meeting, exchange}, false);
  if (is_new) {
    const std::vector<BasicBlock>& blocks = program_->blocks;
    const std::uint32_t from = kernel::block_of(blocks, meeting);
    const std::uint32_t to = kernel::block_of(blocks, exchange);
    known->second = !(parted_[to] && postdominates(blocks, from, to)) && leads_to(blocks, from, to);
  }
  return known->second;
}

}  // namespace reconverge

// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/subwarp_interleaving/stall_estimate.hpp"

#include <algorithm>

#include "models/kernel/analysis/call_graph.hpp"
#include "models/kernel/analysis/control_flow.hpp"
#include "models/kernel/analysis/loops.hpp"
#include "models/kernel/analysis/reachability.hpp"
#include "models/kernel/analysis/scoreboard_allocation.hpp"

namespace reconverge {

using kernel::BasicBlock;
using kernel::Instruction;
using kernel::Opcode;
using kernel::Space;

namespace {

bool is_long(const Instruction& instruction) {
  const bool near = instruction.space == Space::shared || instruction.space == Space::constant;
  return kernel::has_variable_latency(instruction) && !near;
}

/// Larger than in any real program, and far from overflow.
constexpr std::uint64_t most = std::uint64_t{1} << 40U;

std::uint64_t weighted(std::uint64_t loads, std::uint32_t loops) {
  for (; loops != 0 && loads < most; --loops) loads *= StallEstimate::trips;
  return std::min(loads, most);
}

}  // namespace

StallEstimate::StallEstimate(const kernel::Program& program) : program_(&program) {
  const kernel::LoopForest loops = kernel::find_loops(program.blocks);
  const std::size_t blocks = program.blocks.size();
  std::vector<std::uint64_t> own(blocks, 0);
  for (std::uint32_t block = 0; block < blocks; ++block) {
    depth_.push_back(loops.depth_of(block));
    for (kernel::Pc pc = program.blocks[block].first; pc < program.blocks[block].end; ++pc) {
      if (is_long(program.instructions[pc])) ++own[block];
    }
  }
  // Adds called functions, to a call depth of the number of functions; this also bounds recursion.
  of_block_ = own;
  std::vector<std::uint64_t> of_function(program.functions.size(), 0);
  for (std::size_t round = 0; round < program.functions.size(); ++round) {
    std::fill(of_function.begin(), of_function.end(), 0);
    for (std::uint32_t block = 0; block < blocks; ++block) {
      std::uint64_t& sum = of_function[kernel::function_of(program, program.blocks[block].first)];
      sum = std::min(most, sum + weighted(of_block_[block], depth_[block]));
    }
    std::vector<std::uint64_t> next = own;
    for (std::uint32_t block = 0; block < blocks; ++block) {
      for (kernel::Pc pc = program.blocks[block].first; pc < program.blocks[block].end; ++pc) {
        const Instruction& instruction = program.instructions[pc];
        if (instruction.opcode != Opcode::call || instruction.target == kernel::no_pc) continue;
        next[block] = std::min(most, next[block] + of_function[kernel::function_of(program, instruction.target)]);
      }
    }
    if (next == of_block_) break;
    of_block_ = std::move(next);
  }
}

std::uint64_t StallEstimate::stalls(kernel::Pc branch, kernel::Pc to) {
  const auto [place, is_new] = known_.try_emplace({branch, to}, 0);
  if (!is_new) return place->second;
  const std::uint32_t from = kernel::block_of(program_->blocks, branch);
  const bool call = program_->instructions[branch].opcode == Opcode::call;
  const std::uint32_t meet = call ? BasicBlock::no_block : program_->blocks[from].immediate_postdominator;
  const kernel::BlockSet way = reachable_blocks(program_->blocks, kernel::block_of(program_->blocks, to), meet);
  std::uint64_t sum = 0;
  for (auto block = way.find_first(); block != kernel::BlockSet::npos; block = way.find_next(block)) {
    const std::uint32_t around = call ? 0 : depth_[from];
    const std::uint32_t within = depth_[block] > around ? depth_[block] - around : 0;
    sum = std::min(most, sum + weighted(of_block_[block], within));
  }
  return place->second = sum;
}

}  // namespace reconverge

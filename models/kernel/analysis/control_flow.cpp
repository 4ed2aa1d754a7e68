// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/analysis/control_flow.hpp"

#include <algorithm>
#include <utility>

#include "models/kernel/analysis/postdominators.hpp"
#include "models/kernel/analysis/side_exits.hpp"

namespace reconverge::kernel {

namespace {

// Pcs at which a block begins.
std::vector<Pc> leaders(std::span<const Instruction> instructions, std::span<const std::vector<Pc>> branch_tables) {
  std::vector<bool> is_leader(instructions.size() + 1, false);
  is_leader[0] = true;
  for (Pc pc = 0; pc < instructions.size(); ++pc) {
    const Instruction& instruction = instructions[pc];
    if (is_branch(instruction) || leaves_program(instruction) || forks(instruction)) is_leader[pc + 1] = true;
    // The target of an extension instruction (such as a micro-kernel to spawn) begins a block; no edge leads to it
    // unless the instruction forks.
    if (instruction.opcode != Opcode::brx && instruction.target != no_pc) is_leader[instruction.target] = true;
  }
  for (const std::vector<Pc>& table : branch_tables) {
    for (const Pc target : table) is_leader[target] = true;
  }
  std::vector<Pc> result;
  for (Pc pc = 0; pc < instructions.size(); ++pc) {
    if (is_leader[pc]) result.push_back(pc);
  }
  return result;
}

}  // namespace

bool leaves_program(const Instruction& instruction) {
  return (instruction.opcode == Opcode::ret || instruction.opcode == Opcode::exit ||
          instruction.opcode == Opcode::trap) &&
         !instruction.guard.present();
}

std::vector<BasicBlock> basic_blocks(std::span<const Instruction> instructions,
                                     std::span<const std::vector<Pc>> branch_tables,
                                     std::span<const std::pair<Pc, std::string>> labels) {
  std::vector<BasicBlock> blocks;
  const std::vector<Pc> starts = leaders(instructions, branch_tables);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    BasicBlock block;
    block.first = starts[i];
    block.end = i + 1 < starts.size() ? starts[i + 1] : static_cast<Pc>(instructions.size());
    const auto label = std::lower_bound(labels.begin(), labels.end(), block.first,
                                        [](const auto& one, Pc pc) { return one.first < pc; });
    if (label != labels.end() && label->first == block.first) block.label = label->second;
    blocks.push_back(std::move(block));
  }
  std::vector<std::uint32_t> successor_of(blocks.size(), BasicBlock::no_block);  // the last block with an edge to it
  for (std::uint32_t i = 0; i < blocks.size(); ++i) {
    const Instruction& last = instructions[blocks[i].end - 1];
    std::vector<std::uint32_t>& successors = blocks[i].successors;
    const auto add = [&](std::uint32_t successor) {
      if (std::exchange(successor_of[successor], i) != i) successors.push_back(successor);
    };
    if (last.opcode == Opcode::bra || forks(last)) add(block_of(blocks, last.target));
    if (last.opcode == Opcode::brx) {
      for (const Pc target : branch_tables[last.target]) add(block_of(blocks, target));
    }
    const bool falls_through = !leaves_program(last) && (!is_branch(last) || last.guard.present());
    if (falls_through && i + 1 < blocks.size()) add(i + 1);
    for (const std::uint32_t successor : successors) blocks[successor].predecessors.push_back(i);
  }
  return blocks;
}

std::vector<std::uint32_t> entry_blocks(std::span<const BasicBlock> blocks) {
  std::vector<std::uint32_t> entries;
  std::vector<bool> seen(blocks.size(), false);
  std::vector<std::uint32_t> pending;
  const auto reach = [&](std::uint32_t block) {
    if (seen[block]) return;
    seen[block] = true;
    pending.push_back(block);
  };
  const auto begin_at = [&](std::uint32_t entry) {
    if (seen[entry]) return;
    entries.push_back(entry);
    reach(entry);
    while (!pending.empty()) {
      const std::uint32_t block = pending.back();
      pending.pop_back();
      for (const std::uint32_t successor : blocks[block].successors) reach(successor);
    }
  };
  if (!blocks.empty()) begin_at(0);
  for (std::uint32_t block = 0; block < blocks.size(); ++block) {
    if (blocks[block].predecessors.empty()) begin_at(block);
  }
  for (std::uint32_t block = 0; block < blocks.size(); ++block) begin_at(block);
  return entries;
}

std::vector<std::uint32_t> reverse_post_order(std::span<const BasicBlock> blocks) {
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(blocks.size(), false);
  const auto walk = [&](std::uint32_t start) {
    if (seen[start]) return;
    seen[start] = true;
    const auto begin = static_cast<std::ptrdiff_t>(order.size());
    std::vector<std::pair<std::uint32_t, std::size_t>> path = {{start, 0}};
    while (!path.empty()) {
      auto& [block, next] = path.back();
      if (next < blocks[block].successors.size()) {
        const std::uint32_t successor = blocks[block].successors[next++];
        if (!seen[successor]) {
          seen[successor] = true;
          path.emplace_back(successor, 0);
        }
      } else {
        order.push_back(block);
        path.pop_back();
      }
    }
    std::reverse(order.begin() + begin, order.end());
  };
  for (const std::uint32_t entry : entry_blocks(blocks)) walk(entry);
  return order;
}

std::uint32_t block_of(std::span<const BasicBlock> blocks, Pc pc) {
  const auto after = std::upper_bound(blocks.begin(), blocks.end(), pc,
                                      [](Pc at, const BasicBlock& block) { return at < block.first; });
  return static_cast<std::uint32_t>(after - blocks.begin() - 1);
}

void fill_blocks(Program& program, std::span<const std::pair<Pc, std::string>> labels) {
  program.blocks = basic_blocks(program.instructions, program.branch_tables, labels);
}

void fill_meeting_points(Program& program) {
  const std::vector<FlowEdge> exits = find_side_exits(program.instructions, program.blocks);
  const std::vector<std::uint32_t> postdominators = immediate_postdominators(without(program.blocks, exits));
  for (std::size_t i = 0; i < program.blocks.size(); ++i) {
    BasicBlock& block = program.blocks[i];
    block.immediate_postdominator = postdominators[i];
    Instruction& last = program.instructions[block.end - 1];
    if (is_branch(last) && postdominators[i] != BasicBlock::no_block) {
      last.reconvergence = program.blocks[postdominators[i]].first;
    }
  }
}

}  // namespace reconverge::kernel

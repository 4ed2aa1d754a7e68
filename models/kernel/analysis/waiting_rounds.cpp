// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/analysis/waiting_rounds.hpp"

#include <algorithm>

#include "models/kernel/analysis/company.hpp"
#include "models/kernel/analysis/loops.hpp"

namespace reconverge::kernel {

namespace {

bool may_see_others(const Instruction& instruction) {
  if (instruction.opcode == Opcode::mbarrier) return true;
  if (instruction.operation_class == OperationClass::atomic) return instruction.destination[0].present();
  return is_strong_load(instruction);
}

/// By block: whether a thread there may observe an action of another thread.
std::vector<bool> blocks_that_see(const Program& program) {
  const bool any = std::ranges::any_of(program.instructions, may_see_others);
  std::vector<bool> see;
  for (const BasicBlock& block : program.blocks) {
    see.push_back(any && std::any_of(program.instructions.begin() + block.first,
                                     program.instructions.begin() + block.end, [](const Instruction& instruction) {
                                       return may_see_others(instruction) || instruction.opcode == Opcode::call;
                                     }));
  }
  return see;
}

/// The cycles in which a thread may observe an action of another thread.
class SeeingCycles {
 public:
  SeeingCycles(const Program& program, const std::vector<bool>& see)
      : loops_(find_loops(program.blocks)),
        loop_sees_(loops_.loops.size(), false),
        region_of_(program.blocks.size(), Loop::none) {
    for (std::uint32_t block = 0; block < program.blocks.size(); ++block) {
      if (see[block] && loops_.innermost[block] != Loop::none) loop_sees_[loops_.innermost[block]] = true;
    }
    // A loop precedes the loops inside it.
    for (std::size_t loop = loops_.loops.size(); loop-- > 0;) {
      const std::uint32_t parent = loops_.loops[loop].parent;
      if (parent != Loop::none && loop_sees_[loop]) loop_sees_[parent] = true;
    }
    for (const IrreducibleRegion& region : loops_.irreducible) {
      for (const std::uint32_t block : region.blocks)
        region_of_[block] = static_cast<std::uint32_t>(region_sees_.size());
      region_sees_.push_back(std::ranges::any_of(region.blocks, [&](std::uint32_t block) { return see[block]; }));
    }
  }

  /// Whether the smallest cycle that contains the edge is one of them.
  bool have_edge(std::uint32_t from, std::uint32_t to) const {
    const std::uint32_t loop = loops_.smallest_around(from, to);
    if (loop != Loop::none) return loop_sees_[loop];
    return region_of_[from] != Loop::none && region_of_[from] == region_of_[to] && region_sees_[region_of_[from]];
  }

 private:
  LoopForest loops_;
  std::vector<bool> loop_sees_;
  std::vector<std::uint32_t> region_of_;  // by block: index of its irreducible region
  std::vector<bool> region_sees_;
};

}  // namespace

// Every cycle has a branch backwards in program order.
std::vector<bool> find_waiting_rounds(const Program& program) {
  std::vector<bool> rounds(program.instructions.size(), false);
  const std::vector<bool> see = blocks_that_see(program);
  if (std::ranges::find(see, true) == see.end()) return rounds;
  const SeeingCycles cycles(program, see);
  for (std::uint32_t block = 0; block < program.blocks.size(); ++block) {
    for (const std::uint32_t successor : program.blocks[block].successors) {
      if (successor <= block && cycles.have_edge(block, successor)) rounds[program.blocks[block].end - 1] = true;
    }
  }
  return rounds;
}

}  // namespace reconverge::kernel

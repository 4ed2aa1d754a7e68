#include "models/thread_states/barrier_code.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"
#include "models/kernel/analysis/company.hpp"
#include "models/kernel/analysis/loops.hpp"

namespace reconverge {

using kernel::BasicBlock;
using kernel::Instruction;
using kernel::Opcode;
using kernel::Pc;

namespace {

kernel::ConvergenceBarriers barriers_of(const kernel::Program& program, unsigned registers) {
  return place_convergence_barriers(program, analyse_divergence(program), registers, kernel::BarriersInCalls::saved);
}

bool may_see_others(const Instruction& instruction) {
  if (instruction.opcode == Opcode::mbarrier) return true;
  if (instruction.operation_class == kernel::OperationClass::atomic) return instruction.destination[0].present();
  return instruction.opcode == Opcode::ld && kernel::is_volatile(instruction);
}

/// By block: whether a thread there may find out what another did.
std::vector<bool> blocks_that_see(const kernel::Program& program) {
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

/// The cycles in which a thread may find out what another did.
class SeeingCycles {
 public:
  SeeingCycles(const kernel::Program& program, const std::vector<bool>& see)
      : loops_(kernel::find_loops(program.blocks)),
        loop_sees_(loops_.loops.size(), false),
        region_of_(program.blocks.size(), kernel::Loop::none) {
    for (std::uint32_t block = 0; block < program.blocks.size(); ++block) {
      if (see[block] && loops_.innermost[block] != kernel::Loop::none) loop_sees_[loops_.innermost[block]] = true;
    }
    // A loop comes before those inside it.
    for (std::size_t loop = loops_.loops.size(); loop-- > 0;) {
      const std::uint32_t parent = loops_.loops[loop].parent;
      if (parent != kernel::Loop::none && loop_sees_[loop]) loop_sees_[parent] = true;
    }
    for (const kernel::IrreducibleRegion& region : loops_.irreducible) {
      for (const std::uint32_t block : region.blocks)
        region_of_[block] = static_cast<std::uint32_t>(region_sees_.size());
      region_sees_.push_back(std::ranges::any_of(region.blocks, [&](std::uint32_t block) { return see[block]; }));
    }
  }

  /// Whether the smallest cycle that an edge goes back in is one of them.
  bool have_edge(std::uint32_t from, std::uint32_t to) const {
    const std::uint32_t loop = loops_.smallest_around(from, to);
    if (loop != kernel::Loop::none) return loop_sees_[loop];
    return region_of_[from] != kernel::Loop::none && region_of_[from] == region_of_[to] &&
           region_sees_[region_of_[from]];
  }

 private:
  kernel::LoopForest loops_;
  std::vector<bool> loop_sees_;
  std::vector<std::uint32_t> region_of_;  // by block: index of its irreducible region
  std::vector<bool> region_sees_;
};

/// Every cycle has a branch that goes back in the order of the program.
std::vector<bool> find_waiting_rounds(const kernel::Program& program) {
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

}  // namespace

BarrierCode::BarrierCode(const kernel::Program& program, unsigned registers)
    : waiting_rounds_(find_waiting_rounds(program)) {
  const kernel::ConvergenceBarriers placed = barriers_of(program, registers);
  barriers_ = placed.regions.size();
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

void check_barrier_registers(const kernel::Program& program, unsigned registers) {
  for (const kernel::UnsynchronisedBranch& branch : barriers_of(program, registers).unsynchronised) {
    if (branch.reason != kernel::UnsynchronisedBranch::Reason::registers) continue;
    throw InputError({program.file, program.instructions[program.blocks[branch.block].end - 1].line, 0},
                     fmt::format("in kernel '{}', no convergence barrier register of {} is left for this branch",
                                 program.name, registers),
                     "set the scheme's `registers` to more (beyond 16 they stand for moved ones), or nest less");
  }
}

}  // namespace reconverge

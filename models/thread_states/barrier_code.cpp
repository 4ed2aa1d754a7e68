#include "models/thread_states/barrier_code.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"
#include "models/kernel/analysis/waiting_rounds.hpp"

namespace reconverge {

using kernel::Pc;

namespace {

kernel::ConvergenceBarriers barriers_of(const kernel::Program& program, unsigned registers) {
  return place_convergence_barriers(program, analyse_divergence(program), registers, kernel::BarriersInCalls::saved);
}

}  // namespace

BarrierCode::BarrierCode(const kernel::Program& program, unsigned registers)
    : waiting_rounds_(kernel::find_waiting_rounds(program)) {
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

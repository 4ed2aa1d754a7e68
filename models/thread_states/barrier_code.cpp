#include "models/thread_states/barrier_code.hpp"

#include <algorithm>

#include "models/kernel/analysis/waiting_rounds.hpp"

namespace reconverge {

using kernel::Pc;

BarrierCode::BarrierCode(const kernel::Program& program, unsigned registers)
    : waiting_rounds_(kernel::find_waiting_rounds(program)) {
  const kernel::Divergence divergence = analyse_divergence(program);
  const kernel::ConvergenceBarriers placed =
      place_convergence_barriers(program, divergence, registers, kernel::BarriersInCalls::saved);
  barriers_ = placed.regions.size();
  moves_barriers_ = std::ranges::any_of(placed.regions, &kernel::ConvergenceRegion::spills);
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

}  // namespace reconverge

// SPDX-License-Identifier: Apache-2.0
// A scheduler's notifications to its observer.

#include <algorithm>
#include <bit>

#include "models/sm/warp_scheduler.hpp"

namespace reconverge {

void WarpScheduler::note_issue(IssueRequest request, LaneMask lanes, bool separately) {
  const Warp& warp = *request.warp;
  entries_[entry_of(warp)].issued = warp.path.pc;
  observer_->issued({place_of(warp, warp.path.pc), lanes, separately, request.now, warp.path.lanes});
}

void WarpScheduler::note_branch(const SchemeRequest& branch, bool separately) {
  observer_->branched({{sm_, branch.slot, branch.pc}, branch.path.lanes, branch.lanes, branch.targets, separately});
}

void WarpScheduler::find_idle_place() {
  idle_place_ = {sm_, 0, kernel::no_pc};
  if (idle_cause_ == Cause::empty) return;
  // If units refuse ready warps, no warp is held for the cause.
  std::uint64_t left = held_[idle_cause_];
  if ((ready_ & eligible()) != 0 && refused_until_ >= accounted_) left = ready_ & eligible();
  const Entry* first = nullptr;
  Cycle due = never;
  for (; left != 0; left &= left - 1) {
    const auto entry = static_cast<unsigned>(std::countr_zero(left));
    const Entry& one = entries_[entry];
    const Cycle its_due = ring_.due(entry);
    if (first != nullptr && (its_due > due || (its_due == due && one.rank >= first->rank))) continue;
    first = &one;
    due = its_due;
  }
  if (first == nullptr) return;
  const Warp& warp = *first->warp;
  const bool of_scheme = std::ranges::binary_search(of_schemes_, idle_cause_);
  const bool before = (held_before_ & std::uint64_t{1} << entry_of(warp)) != 0;
  const bool for_others = (idle_cause_ == Cause::barrier || of_scheme) && !before;
  idle_place_ = place_of(warp, for_others && first->issued != kernel::no_pc ? first->issued : warp.path.pc);
}

void WarpScheduler::note_lost(Cycle from, Cycle cycles) {
  observer_->slots_lost({idle_place_, idle_cause_, from, cycles, cycles * parameters_.dispatch});
}

}  // namespace reconverge

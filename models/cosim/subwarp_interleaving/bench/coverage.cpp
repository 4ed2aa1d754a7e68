// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/subwarp_interleaving/bench/coverage.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace reconverge {

namespace {

enum BinNumber : std::size_t {
  stalls_alone,
  stalls_whole,
  stalls_part,
  stalls_for_different_counts,
  stalls_with_one_that_waits_for_none,
  stalls_and_all_are_there,
  stalls_full_counter,
  stalls_as_other_entries_change,
  stalls_as_it_is_taken,
  bypass_one,
  bypass_two,
  bypass_last,
  result_counts,
  result_wakes,
  two_results_count,
  two_results_wake,
  two_results_of_a_warp,
  two_results_of_two_warps,
  wakes_some,
  wakes_whole,
  result_of_another_scoreboard,
  result_of_another_entry,
  result_of_no_stall,
  last_result_as_entry_changes,
  several_warps_change,
  one_warp_parts,
  trigger_does_not_hold,
  trigger_by_warps_that_wait,
  lowest_of_several,
  behind_a_running_warp,
  leader_at_turn,
  leader_behind_turn,
  leader_comes_round,
  takes_one,
  takes_several,
  takes_all_that_are_ready,
  turn_passes_peers,
  turn_comes_round,
  not_taken,
  taken_as_results_wake,
  has_all_states,
  none_is_active,
  nobody_lives,
  all_live,
  bins_by_name
};
constexpr std::array<const char*, bins_by_name> names{
    "stall: no result for the warp in the cycle",
    "stall: of all that live of a warp",
    "stall: of some, others being READY, BLOCKED or STALLED",
    "stall: entries wait for different counts",
    "stall: an entry waits for none, and others do",
    "stall: all are there",
    "stall: for a counter that is full",
    "stall: other entries of the warp get a state",
    "stall: of entries that are taken in the cycle",
    "stall: one result in the cycle",
    "stall: two results in the cycle",
    "stall: the last result in the cycle",
    "result: takes one off",
    "result: wakes",
    "two results: take two off",
    "two results: wake",
    "two results: of one warp, for different entries or scoreboards",
    "two results: of two warps",
    "wakeup: of some STALLED entries of a warp",
    "wakeup: of all",
    "result: STALLED on another scoreboard",
    "result: STALLED, and not for it",
    "result: not STALLED",
    "result: the last, as the entry gets a state",
    "states: of several warps",
    "states: one warp gets several",
    "selection: a warp could, and the trigger does not hold",
    "selection: the trigger holds for warps that wait",
    "selection: the lowest of several warps",
    "selection: a lower warp runs",
    "selection: led by the entry whose turn it is",
    "selection: led by a later entry",
    "selection: led by one round the end",
    "selection: takes one entry",
    "selection: takes several",
    "selection: takes all that are READY, several",
    "selection: the turn passes peers",
    "selection: the turn goes round the end",
    "selection: offered, and not taken",
    "selection: taken, as results wake entries of the warp",
    "warp: has entries in all five states",
    "warps: none is ACTIVE, and some live",
    "warps: none lives",
    "warps: all live",
};

/// A transition of an entry by divergence handling. With fewer entries than threads, entries are allocated and freed;
/// an entry that is allocated may become BLOCKED in the same cycle.
struct Transition {
  ThreadState from, to;
  const char* name;
};
constexpr std::array<Transition, 11> transitions{{
    {ThreadState::inactive, ThreadState::active, "state: INACTIVE to ACTIVE"},
    {ThreadState::inactive, ThreadState::ready, "state: INACTIVE to READY, an entry is lent"},
    {ThreadState::active, ThreadState::inactive, "state: ACTIVE to INACTIVE"},
    {ThreadState::active, ThreadState::ready, "state: ACTIVE to READY"},
    {ThreadState::active, ThreadState::blocked, "state: ACTIVE to BLOCKED"},
    {ThreadState::ready, ThreadState::active, "state: READY to ACTIVE, not by selection"},
    {ThreadState::ready, ThreadState::blocked, "state: READY to BLOCKED, as it is taken"},
    {ThreadState::blocked, ThreadState::inactive, "state: BLOCKED to INACTIVE, an entry is given back"},
    {ThreadState::blocked, ThreadState::active, "state: BLOCKED to ACTIVE"},
    {ThreadState::blocked, ThreadState::ready, "state: BLOCKED to READY"},
    {ThreadState::stalled, ThreadState::active, "state: STALLED to ACTIVE"},
}};

ThreadState state_in(const StatePlanes& planes, unsigned entry) {
  unsigned state = 0;
  for (unsigned bit = 0; bit < 3; ++bit) state |= (planes[bit] >> entry & 1U) << bit;
  return static_cast<ThreadState>(state);
}

}  // namespace

SubwarpCoverage::SubwarpCoverage() {
  for (const char* name : names) bins_.push_back({name});
  transitions_ = bins_.size();
  for (const Transition& transition : transitions) bins_.push_back({transition.name});
}

void SubwarpCoverage::look(const SubwarpScheduler& model) {
  warps_.resize(model.table().warps());
  next_.resize(model.table().warps());
  entries_ = model.table().entries();
  for (std::uint32_t warp = 0; warp < warps_.size(); ++warp) {
    for (unsigned entry = 0; entry < entries_; ++entry) warps_[warp].entries[entry] = model.table().entry(warp, entry);
    next_[warp] = model.selection().next(warp);
  }
  waiting_ = model.selection().waiting();
}

void SubwarpCoverage::cycle(const SubwarpScheduler& model, const SubwarpInputs& inputs, const SubwarpOutputs& outputs) {
  if (warps_.size() == model.table().warps() && entries_ == model.table().entries()) {
    see_sets(inputs);
    if (inputs.stall != 0) see_stall(inputs);
    see_results(model, inputs);
    see_selection(model, inputs, outputs);
    see_states(outputs);
  }
  look(model);
}

unsigned SubwarpCoverage::matches(const SubwarpInputs& inputs, std::uint32_t warp, unsigned entry,
                                  unsigned scoreboard) {
  return static_cast<unsigned>(std::ranges::count_if(inputs.results, [&](const WriteBack& result) {
    return result.warp == warp && result.scoreboard == scoreboard && (result.entries >> entry & 1U) != 0;
  }));
}

void SubwarpCoverage::see_sets(const SubwarpInputs& inputs) {
  unsigned changed = 0;
  for (std::uint32_t warp = 0; warp < warps_.size(); ++warp) {
    unsigned states = 0;
    for_each_entry(inputs.set[warp], [&](unsigned entry) {
      const ThreadState from = warps_[warp].entries[entry].state;
      const ThreadState to = state_in(inputs.set_state[warp], entry);
      for (std::size_t i = 0; i < transitions.size(); ++i) {
        if (transitions[i].from == from && transitions[i].to == to) hit(transitions_ + i);
      }
      states |= 1U << static_cast<unsigned>(to);
    });
    changed += inputs.set[warp] != 0 ? 1 : 0;
    if (std::popcount(states) > 1) hit(one_warp_parts);
  }
  if (changed > 1) hit(several_warps_change);
}

void SubwarpCoverage::see_stall(const SubwarpInputs& inputs) {
  const std::uint32_t warp = inputs.stall_warp;
  const bool results = std::ranges::any_of(
      inputs.results, [&](const WriteBack& result) { return result.entries != 0 && result.warp == warp; });
  if (!results) hit(stalls_alone);
  EntryMask others = 0, waiting = 0, left = 0, live = 0;
  unsigned lowest = most_outstanding, highest = 0;
  for (unsigned entry = 0; entry < entries_; ++entry) {
    const EntryMask bit = EntryMask{1} << entry;
    if (warps_[warp].entries[entry].state != ThreadState::inactive) live |= bit;
    if ((inputs.stall & bit) == 0) continue;
    const unsigned count = inputs.stall_count[entry];
    lowest = std::min(lowest, count);
    highest = std::max(highest, count);
    const unsigned now = matches(inputs, warp, entry, inputs.stall_scoreboard);
    if (now != 0) hit(count == now ? bypass_last : now == 2 ? bypass_two : bypass_one);
    if (count != 0) waiting |= bit;
    if (count != now) left |= bit;
    if (count == most_outstanding) hit(stalls_full_counter);
    if (warps_[warp].entries[entry].state == ThreadState::ready && inputs.take) hit(stalls_as_it_is_taken);
  }
  others = live & ~inputs.stall;
  hit(others == 0 ? stalls_whole : stalls_part);
  if (lowest != highest && lowest != 0) hit(stalls_for_different_counts);
  if (waiting != 0 && waiting != inputs.stall) hit(stalls_with_one_that_waits_for_none);
  if (left == 0) hit(stalls_and_all_are_there);
  if (inputs.set[warp] != 0) hit(stalls_as_other_entries_change);
}

void SubwarpCoverage::see_results(const SubwarpScheduler& model, const SubwarpInputs& inputs) {
  const WriteBack &one = inputs.results[0], &other = inputs.results[1];
  if (one.entries != 0 && other.entries != 0) {
    if (one.warp != other.warp) hit(two_results_of_two_warps);
    const bool apart = one.scoreboard != other.scoreboard || (one.entries & other.entries) == 0;
    if (one.warp == other.warp && apart) hit(two_results_of_a_warp);
  }
  std::uint64_t warps = 0;
  for (const WriteBack& result : inputs.results) {
    if (result.entries != 0) warps |= std::uint64_t{1} << result.warp;
  }
  for (; warps != 0; warps &= warps - 1) {
    const auto warp = static_cast<std::uint32_t>(std::countr_zero(warps));
    unsigned woken = 0, stalled = 0;
    for (unsigned entry = 0; entry < entries_; ++entry) {
      const StatusEntry& held = warps_[warp].entries[entry];
      const bool looked_for = (one.warp == warp && (one.entries >> entry & 1U) != 0) ||
                              (other.warp == warp && (other.entries >> entry & 1U) != 0);
      if (held.state != ThreadState::stalled) {
        if (looked_for) hit(result_of_no_stall);
        continue;
      }
      ++stalled;
      const unsigned count = matches(inputs, warp, entry, held.scoreboard);
      if (count == 0) hit(looked_for ? result_of_another_scoreboard : result_of_another_entry);
      if (count == 0) continue;
      const bool set = (inputs.set[warp] >> entry & 1U) != 0;
      if (count == held.count && set) hit(last_result_as_entry_changes);
      const bool wakes = model.table().entry(warp, entry).state == ThreadState::ready && !set;
      woken += wakes ? 1 : 0;
      hit(count == 2 ? (wakes ? two_results_wake : two_results_count) : (wakes ? result_wakes : result_counts));
    }
    if (woken != 0) hit(woken == stalled ? wakes_whole : wakes_some);
    if (woken != 0 && inputs.take && model.table().entries_in(warp, ThreadState::active) != 0) {
      hit(taken_as_results_wake);
    }
  }
}

void SubwarpCoverage::see_selection(const SubwarpScheduler& model, const SubwarpInputs& inputs,
                                    const SubwarpOutputs& outputs) {
  std::uint64_t live = 0, active = 0, ready = 0;
  for (std::uint32_t warp = 0; warp < warps_.size(); ++warp) {
    for (unsigned entry = 0; entry < entries_; ++entry) {
      const std::uint64_t bit = std::uint64_t{1} << warp;
      const ThreadState state = warps_[warp].entries[entry].state;
      if (state != ThreadState::inactive) live |= bit;
      if (state == ThreadState::active) active |= bit;
      if (state == ThreadState::ready) ready |= bit;
    }
  }
  const std::uint64_t could = ready & ~active;
  if (live == 0) hit(nobody_lives);
  if (std::popcount(live) == static_cast<int>(warps_.size())) hit(all_live);
  if (live != 0 && active == 0) hit(none_is_active);
  if (!outputs.offer) {
    if (could != 0) hit(trigger_does_not_hold);
    return;
  }
  const auto [warp, leader] = *outputs.offer;
  if (inputs.trigger == SelectTrigger::all && (active & live) != 0) hit(trigger_by_warps_that_wait);
  if (std::popcount(could) > 1) hit(lowest_of_several);
  if ((active & ((std::uint64_t{1} << warp) - 1)) != 0) hit(behind_a_running_warp);
  hit(leader == next_[warp] ? leader_at_turn : leader > next_[warp] ? leader_behind_turn : leader_comes_round);
  if (!inputs.take) return hit(not_taken);
  const int peers = std::popcount(inputs.peers);
  hit(peers == 1 ? takes_one : takes_several);
  if (peers > 1 && model.entries_in(warp, ThreadState::ready) == 0) hit(takes_all_that_are_ready);
  const unsigned next = model.selection().next(warp);
  if (next > leader + 1) hit(turn_passes_peers);
  if (next <= leader) hit(turn_comes_round);
}

void SubwarpCoverage::see_states(const SubwarpOutputs& outputs) {
  for (std::uint32_t warp = 0; warp < warps_.size(); ++warp) {
    unsigned states = 0;
    for (unsigned entry = 0; entry < entries_; ++entry) {
      states |= 1U << static_cast<unsigned>(state_in(outputs.states[warp], entry));
    }
    if (states == (1U << thread_states) - 1) hit(has_all_states);
  }
}

std::string SubwarpCoverage::text() const {
  std::string text;
  for (const Bin& bin : bins_) text += fmt::format("{:>12} {}\n", bin.count, bin.name);
  return text;
}

std::vector<std::string> SubwarpCoverage::empty_bins() const {
  std::vector<std::string> empty;
  for (const Bin& bin : bins_) {
    if (bin.count == 0) empty.push_back(bin.name);
  }
  return empty;
}

}  // namespace reconverge

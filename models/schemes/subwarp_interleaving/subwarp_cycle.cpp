// SPDX-License-Identifier: Apache-2.0
// Subwarp interleaving at the end of a cycle: stalls, results and selections, in this order.

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "models/schemes/subwarp_interleaving/subwarp_interleaving.hpp"

namespace reconverge {

void SubwarpInterleaving::tick(Cycle now) {
  next_event_ = never;
  for (Block& block : blocks_) {
    go_on_with_woken(block, now);
    take_stalls(block, now);
    write_results(block, now);
    broadcast(block);
    select_subwarp(block, now);
    end_cycle(block, now);
    if (!block.results.empty()) tick_at(block.results.top().written);
    if (!block.broadcasts.empty() || block.woken != 0) tick_at(now + 1);
  }
  if (watcher_) watcher_(now);
}

void SubwarpInterleaving::go_on_with_woken(Block& block, Cycle now) {
  for_each_slot(block, std::exchange(block.woken, 0), [&](std::uint32_t slot) {
    const WarpThreads& threads = warps_[slot].threads;
    if (threads.active() == 0 && can_activate(slot)) {
      switch_to(slot, next_ready(warps_[slot]), now);
    } else {
      tell_states(slot);
    }
  });
}

bool SubwarpInterleaving::is_waiting(std::uint32_t slot) const {
  const Own& own = own_[slot];
  LaneMask pending = 0;
  for (std::uint32_t left = uses_[own.stalled_at].waits_for; left != 0; left &= left - 1) {
    pending |= own.real.pending(static_cast<unsigned>(std::countr_zero(left)));
  }
  return (pending & warps_[slot].threads.active()) != 0;
}

std::uint8_t SubwarpInterleaving::awaited(std::uint32_t slot) const {
  const Own& own = own_[slot];
  const LaneMask lanes = warps_[slot].threads.active();
  std::uint8_t found = 0;
  std::uint32_t most = 0;
  for (std::uint32_t left = uses_[own.stalled_at].waits_for; left != 0; left &= left - 1) {
    const auto scoreboard = static_cast<std::uint8_t>(std::countr_zero(left));
    if ((own.real.pending(scoreboard) & lanes) == 0) continue;
    const std::uint32_t count = own.announced.most(scoreboard, lanes);
    if (count <= most) continue;
    most = count;
    found = scoreboard;
  }
  return found;
}

void SubwarpInterleaving::take_stalls(Block& block, Cycle now) {
  for_each_slot(block, block.waiting, [&](std::uint32_t slot) {
    Own& own = own_[slot];
    if (own.current_stalled) return;
    if (own.stalls_from > now) {
      tick_at(own.stalls_from);
      return;
    }
    if (!is_waiting(slot)) {
      stop_waiting(slot);
      return;
    }
    if (!has_others(slot)) return set_waits(slot, true);
    const WarpThreads& threads = warps_[slot].threads;
    const EntryMask entries = own.entries_map.entries_of(threads.active());
    const std::uint8_t scoreboard = awaited(slot);
    const std::uint32_t count = own.announced.most(scoreboard, threads.active());
    const bool fits = entries != 0 && count <= most_outstanding;
    if (!fits || !block.unit->can_stall(index_of(slot))) {
      set_waits(slot, true);
      if (fits) tick_at(now + 1);
      return;
    }
    set_waits(slot, false);
    block.unit->stall(index_of(slot), entries, scoreboard, static_cast<std::uint8_t>(count));
    block.said = true;
    ++statistics_.stalls;
    own.current_stalled = true;
    own.told.active &= ~entries;
    own.told.stalled |= entries;
    block.stalled |= bit_of(slot);
    own.stalled.push_back({threads.active(), scoreboard});
  });
}

void SubwarpInterleaving::write_results(Block& block, Cycle now) {
  std::uint64_t changed = 0;
  while (!block.results.empty() && block.results.top().written <= now) {
    const Result& result = block.results.top();
    own_[result.slot].real.write_back(result.scoreboard, result.lanes);
    changed |= bit_of(result.slot);
    block.broadcasts.push(result);
    block.results.pop();
  }
  // Subwarps that no longer wait issue in the next cycle.
  for_each_slot(block, block.waiting & changed, [&](std::uint32_t slot) {
    if (own_[slot].stalls_from <= now && !own_[slot].current_stalled && !is_waiting(slot)) stop_waiting(slot);
  });
}

void SubwarpInterleaving::broadcast(Block& block) {
  for (unsigned port = 0; port < write_back_ports && !block.broadcasts.empty();) {
    const Result result = block.broadcasts.front();
    block.broadcasts.pop();
    Own& own = own_[result.slot];
    if (own.stalled.empty()) {
      own.announced.write_back(result.scoreboard, result.lanes);
      continue;  // no entry waits for the result
    }
    // A subwarp waits for the last result of its threads, so its entry holds the largest count.
    std::vector<std::uint32_t> before;
    for (const StalledSubwarp& one : own.stalled) before.push_back(own.announced.most(result.scoreboard, one.lanes));
    own.announced.write_back(result.scoreboard, result.lanes);
    EntryMask counted = 0;
    for (std::size_t i = 0; i < own.stalled.size(); ++i) {
      const StalledSubwarp& one = own.stalled[i];
      if (one.scoreboard != result.scoreboard) continue;
      if (own.announced.most(result.scoreboard, one.lanes) == before[i]) continue;
      counted |= own.entries_map.entries_of(one.lanes);
    }
    if (counted == 0) continue;
    block.unit->write_back(port++, {index_of(result.slot), result.scoreboard, counted});
    block.said = true;
  }
}

void SubwarpInterleaving::select_subwarp(Block& block, Cycle now) {
  const std::optional<SubwarpChoice> offer = block.unit->offer();
  if (!offer) return;
  const auto slot =
      static_cast<std::uint32_t>(offer->warp * blocks() + static_cast<std::size_t>(&block - blocks_.data()));
  Own& own = own_[slot];
  WarpState& warp = warps_[slot];
  // The results that the current subwarp waited for may have arrived; then it issues.
  if (!own.current_stalled || !is_waiting(slot)) return;
  const LaneMask leader = own.entries_map.lanes_of(EntryMask{1} << offer->leader) & warp.threads.ready();
  if (leader == 0) return;
  const unsigned lane = first_lane(leader);
  const LaneMask subwarp = warp.threads.subwarp_of(lane);
  const EntryMask peers = own.entries_map.entries_of(subwarp) & block.unit->entries_in(offer->warp, ThreadState::ready);
  block.unit->take(peers);
  block.said = true;
  own.told.ready &= ~peers;
  own.told.active |= peers;
  ++statistics_.selections;
  own.current_stalled = false;
  stop_waiting(slot);
  warp.threads.stall(warp.path);
  switch_to(slot, lane, now);
}

void SubwarpInterleaving::switch_to(std::uint32_t slot, unsigned lane, Cycle now) {
  SchemeRequest request;
  request.event = SchemeEvent::release;
  request.slot = slot;
  request.path = warps_[slot].path;
  request.now = now;
  activate(request, lane);
  if (request.path.lanes != 0) {
    run_after_switch(request);
  } else {
    choose(request);
  }
  wait_for_latencies(request);
  warps_[slot].path = request.path;
  tell_states(slot);
  ResumeRequest resume;
  resume.slot = slot;
  resume.path = request.path;
  resume.now = now;
  resume.cause = request.cause;
  if (request.answer == SchemeAnswer::run) resume.cycle = request.from;
  if (request.answer == SchemeAnswer::wait) resume.until = request.until;
  send(resumed, resume);
}

void SubwarpInterleaving::end_cycle(Block& block, Cycle now) {
  if (!block.said) return;
  block.unit->step();
  block.said = false;
  for_each_slot(block, block.stalled, [&](std::uint32_t slot) {
    Own& own = own_[slot];
    if (own.told.stalled == 0) {
      block.stalled &= ~bit_of(slot);
      return;
    }
    const EntryMask woken = own.told.stalled & block.unit->entries_in(index_of(slot), ThreadState::ready);
    if (woken == 0) return;
    own.told.stalled &= ~woken;
    own.told.ready |= woken;
    const LaneMask lanes = own.entries_map.lanes_of(woken);
    std::erase_if(own.stalled, [&](const StalledSubwarp& one) {
      if ((one.lanes & lanes) == 0) return false;
      ++statistics_.wakeups;
      return true;
    });
    WarpThreads& threads = warps_[slot].threads;
    threads.wake(lanes & threads.stalled());
    if (own.current_stalled && (lanes & threads.active()) != 0) {
      own.current_stalled = false;
      if (!is_waiting(slot)) stop_waiting(slot);
    }
    block.woken |= bit_of(slot);
  });
  // An offer that exists now is taken in the next cycle.
  if (block.unit->offer()) tick_at(now + 1);
}

}  // namespace reconverge

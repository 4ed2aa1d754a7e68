// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/subwarp_interleaving/thread_status_table.hpp"

#include <stdexcept>

namespace reconverge {

ThreadStatusTable::ThreadStatusTable(sc_core::sc_module_name name, std::uint32_t warps, unsigned entries)
    : sc_module(name),
      changes("changes"),
      captures("captures"),
      stalled("stalled"),
      updates("updates"),
      states("states"),
      ready("ready"),
      entries_(entries),
      now_(warps),
      next_(warps) {
  if (warps < 1 || warps > most_warps || entries < 2 || entries > most_entries) {
    throw std::logic_error("thread status tables are for 1 to 64 warps of 2 to 32 entries");
  }
  changes.bind(static_cast<ControlTarget<StateChange>&>(*this));
  captures.bind(static_cast<ControlTarget<StallCapture>&>(*this));
  stalled.bind(static_cast<ControlTarget<StalledEntries>&>(*this));
  updates.bind(static_cast<ControlTarget<StatusUpdate>&>(*this));
  states.bind(static_cast<ControlTarget<BlockStates>&>(*this));
  ready.bind(static_cast<ControlTarget<ReadyEntries>&>(*this));
  begin();
}

void ThreadStatusTable::begin() {
  Row empty;
  empty.by_state[static_cast<unsigned>(ThreadState::inactive)] = all_entries(entries_);
  now_.assign(now_.size(), empty);
  next_ = now_;
  changed_ = 0;
  states_ = {};
}

void ThreadStatusTable::step() {
  for (std::uint64_t left = changed_; left != 0; left &= left - 1) {
    const auto warp = static_cast<std::uint32_t>(std::countr_zero(left));
    now_[warp] = next_[warp];
    const std::uint64_t bit = std::uint64_t{1} << warp;
    const auto note = [&](std::uint64_t& warps, bool some) { warps = some ? warps | bit : warps & ~bit; };
    note(states_.live, now_[warp].in(ThreadState::inactive) != all_entries(entries_));
    note(states_.active, now_[warp].in(ThreadState::active) != 0);
    note(states_.ready, now_[warp].in(ThreadState::ready) != 0);
  }
  changed_ = 0;
}

void ThreadStatusTable::Row::move(EntryMask entries, ThreadState to) {
  for (EntryMask& state : by_state) state &= ~entries;
  by_state[static_cast<unsigned>(to)] |= entries;
}

StatusEntry ThreadStatusTable::Row::entry(unsigned entry) const {
  StatusEntry holding{ThreadState::inactive, scoreboard[entry], count[entry]};
  for (unsigned state = 0; state < thread_states; ++state) {
    if ((by_state[state] >> entry & 1U) != 0) holding.state = static_cast<ThreadState>(state);
  }
  return holding;
}

void ThreadStatusTable::require_transition(const Row& row, EntryMask entries, ThreadState to) const {
  if ((entries & ~all_entries(entries_)) != 0) throw std::logic_error("a thread status table has no such entry");
  if (entries_ != most_entries) return;  // entries are reused by different subwarps
  for (unsigned from = 0; from < thread_states; ++from) {
    if ((row.by_state[from] & entries) != 0 && !has_transition(static_cast<ThreadState>(from), to)) {
      throw std::logic_error("a thread changes to a state to which there is no transition");
    }
  }
}

void ThreadStatusTable::b_transport(StateChange& message, sc_core::sc_time& /*delay*/) {
  if (message.to == ThreadState::stalled) throw std::logic_error("an entry stalls without a scoreboard");
  Row& row = change(message.warp);
  require_transition(row, message.entries, message.to);
  row.move(message.entries, message.to);
}

void ThreadStatusTable::b_transport(StallCapture& capture, sc_core::sc_time& /*delay*/) {
  Row& row = change(capture.warp);
  row.move(capture.entries, ThreadState::stalled);
  for_each_entry(capture.entries, [&](unsigned entry) {
    row.scoreboard[entry] = capture.scoreboard;
    row.count[entry] = capture.count;
  });
}

void ThreadStatusTable::b_transport(StalledEntries& look, sc_core::sc_time& /*delay*/) {
  const Row& row = next_[look.warp];
  look.entries = row.in(ThreadState::stalled);
  for_each_entry(look.entries, [&](unsigned entry) {
    look.holding[entry] = {ThreadState::stalled, row.scoreboard[entry], row.count[entry]};
  });
}

void ThreadStatusTable::b_transport(StatusUpdate& update, sc_core::sc_time& /*delay*/) {
  Row& row = change(update.warp);
  for_each_entry(update.counted, [&](unsigned entry) { row.count[entry] = update.count[entry]; });
  row.move(update.woken, ThreadState::ready);
}

void ThreadStatusTable::b_transport(ReadyEntries& look, sc_core::sc_time& /*delay*/) {
  look.entries = now_[look.warp].in(ThreadState::ready);
}

}  // namespace reconverge

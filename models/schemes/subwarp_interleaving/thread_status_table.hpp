// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The thread status tables of a sub-core (Damani et al., HPCA 2022, section III-C.1, Fig. 8a): for each entry of each
/// warp, its state, the scoreboard on which it stalled, and the number of results that it waits for.

#include <vector>

#include "models/protocols/control.hpp"
#include "models/schemes/subwarp_interleaving/messages.hpp"

namespace reconverge {

/// Changes made in a cycle take effect in the next.
class ThreadStatusTable : public sc_core::sc_module,
                          private ControlTarget<StateChange>,
                          private ControlTarget<StallCapture>,
                          private ControlTarget<StalledEntries>,
                          private ControlTarget<StatusUpdate>,
                          private ControlTarget<BlockStates>,
                          private ControlTarget<ReadyEntries> {
 public:
  ControlTargetSocket<StateChange> changes;
  ControlTargetSocket<StallCapture> captures;
  ControlTargetSocket<StalledEntries> stalled;
  ControlTargetSocket<StatusUpdate> updates;
  ControlTargetSocket<BlockStates> states;
  ControlTargetSocket<ReadyEntries> ready;

  /// `warps`: 1 to most_warps. `entries` per warp: 2 to most_entries; with most_entries, an entry is a thread.
  ThreadStatusTable(sc_core::sc_module_name name, std::uint32_t warps, unsigned entries);

  void begin();
  void step();

  std::uint32_t warps() const { return static_cast<std::uint32_t>(now_.size()); }
  unsigned entries() const { return entries_; }
  /// Storage of the whole table.
  std::uint64_t storage_bits() const { return std::uint64_t{warps()} * entries_ * entry_bits; }

  EntryMask entries_in(std::uint32_t warp, ThreadState state) const { return now_[warp].in(state); }
  /// Entries that are in `state`, or were set to it in this cycle.
  EntryMask entries_to_be_in(std::uint32_t warp, ThreadState state) const { return next_[warp].in(state); }
  StatusEntry entry(std::uint32_t warp, unsigned entry) const { return now_[warp].entry(entry); }

 private:
  /// The table of a warp: a mask of entries for each state. Each entry is in one mask.
  struct Row {
    std::array<EntryMask, thread_states> by_state{};
    std::array<std::uint8_t, most_entries> scoreboard{};
    std::array<std::uint8_t, most_entries> count{};

    EntryMask in(ThreadState state) const { return by_state[static_cast<unsigned>(state)]; }
    void move(EntryMask entries, ThreadState to);
    StatusEntry entry(unsigned entry) const;
  };

  void b_transport(StateChange& change, sc_core::sc_time& delay) override;
  void b_transport(StallCapture& capture, sc_core::sc_time& delay) override;
  void b_transport(StalledEntries& look, sc_core::sc_time& delay) override;
  void b_transport(StatusUpdate& update, sc_core::sc_time& delay) override;
  void b_transport(BlockStates& look, sc_core::sc_time& /*delay*/) override { look = states_; }
  void b_transport(ReadyEntries& look, sc_core::sc_time& delay) override;
  /// The row of the next cycle.
  Row& change(std::uint32_t warp) {
    changed_ |= std::uint64_t{1} << warp;
    return next_[warp];
  }
  /// Throws std::logic_error if Fig. 7 has no such transition.
  void require_transition(const Row& row, EntryMask entries, ThreadState to) const;

  unsigned entries_;
  std::vector<Row> now_;
  std::vector<Row> next_;
  std::uint64_t changed_ = 0;  // warps whose current and next rows may differ
  BlockStates states_;
};

}  // namespace reconverge

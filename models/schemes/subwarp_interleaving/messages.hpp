// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Messages between the parts of the subwarp scheduler. They are values that live within one cycle; the fields that a
/// target fills come last. Plain data, no SystemC.

#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include "models/protocols/thread_state.hpp"

namespace reconverge {

/// Entries of a warp's thread status table: bit `i` represents entry `i`. With 32 entries, an entry is a thread and the
/// mask is a lane mask; with fewer, an entry is a subwarp.
using EntryMask = std::uint32_t;
inline constexpr unsigned most_entries = 32;
inline constexpr std::uint32_t most_warps = 64;  ///< of a sub-core

/// Calls `visit(entry)` for every entry of `mask`, lowest first.
template <typename Visit>
constexpr void for_each_entry(EntryMask mask, Visit&& visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<unsigned>(std::countr_zero(mask)));
}
constexpr EntryMask all_entries(unsigned entries) { return ~EntryMask{0} >> (most_entries - entries); }

/// Bits of an entry in addition to its state (Damani et al., HPCA 2022, section III-C.2: s = 3, t = 6).
inline constexpr unsigned scoreboard_bits = 3;
inline constexpr unsigned count_bits = 6;
inline constexpr unsigned most_outstanding = (1U << count_bits) - 1;
/// Writebacks that can be broadcast in a cycle: one from the texture units, one from the load/store units (Fig. 8b).
inline constexpr unsigned write_back_ports = 2;

/// The condition for a stalled warp to switch to a READY subwarp. N is the share of live warps that are stalled
/// (section III-C.3).
enum class SelectTrigger : std::uint8_t {
  any,   ///< N > 0
  half,  ///< N >= 0.5
  all    ///< N = 1
};

/// The contents of an entry.
struct StatusEntry {
  ThreadState state = ThreadState::inactive;
  std::uint8_t scoreboard = 0;  ///< scoreboard on which the entry last stalled
  std::uint8_t count = 0;       ///< results that the entry still waits for
  bool operator==(const StatusEntry&) const = default;
};
/// Bits of an entry.
inline constexpr unsigned entry_bits = 3 + scoreboard_bits + count_bits;

// To the thread status table.

/// Divergence handling or selection moves entries to a state other than STALLED.
struct StateChange {
  std::uint32_t warp = 0;  ///< slot in the sub-core
  EntryMask entries = 0;
  ThreadState to = ThreadState::inactive;
};
/// The input of wakeup: the STALLED entries of a warp, including those that stall in this cycle.
struct StalledEntries {
  std::uint32_t warp = 0;
  EntryMask entries = 0;                            ///< filled
  std::array<StatusEntry, most_entries> holding{};  ///< filled for these entries
};
/// The result of wakeup.
struct StatusUpdate {
  std::uint32_t warp = 0;
  EntryMask counted = 0;                           ///< entries with a new count
  EntryMask woken = 0;                             ///< entries that become READY
  std::array<std::uint8_t, most_entries> count{};  ///< new counts of `counted`
};
/// The input of selection: a bit for each warp, by the state at the start of the cycle.
struct BlockStates {
  std::uint64_t live = 0;    ///< filled: has an entry that is not INACTIVE
  std::uint64_t active = 0;  ///< filled: has an ACTIVE entry
  std::uint64_t ready = 0;   ///< filled: has a READY entry
};
struct ReadyEntries {
  std::uint32_t warp = 0;
  EntryMask entries = 0;  ///< filled
};

// To subwarp stall, and on to the table.

/// ACTIVE entries stall and record the scoreboard and the counts that they wait for.
struct StallCapture {
  std::uint32_t warp = 0;
  EntryMask entries = 0;
  std::uint8_t scoreboard = 0;
  std::uint8_t count =
      0;  ///< the counter of each entry, before results of this cycle are subtracted; 0 to most_outstanding
};

// To subwarp wakeup.

/// Writeback of a result that a scoreboard counts.
struct WriteBack {
  std::uint32_t warp = 0;
  std::uint8_t scoreboard = 0;
  EntryMask entries = 0;  ///< entries whose counters decrease by one
  bool operator==(const WriteBack&) const = default;
};
/// Broadcast of a writeback at a port.
struct Broadcast {
  unsigned port = 0;
  WriteBack result;
};

// To subwarp selection.

/// Whether the ACTIVE subwarp of a warp cannot issue. Takes effect in the next cycle.
struct WarpWaits {
  std::uint32_t warp = 0;
  bool waits = false;
};
/// The warp that switches to a READY subwarp, and the leader entry of that subwarp.
struct SubwarpChoice {
  std::uint32_t warp = 0;
  unsigned leader = 0;
  bool operator==(const SubwarpChoice&) const = default;
};
struct SubwarpOffer {
  std::optional<SubwarpChoice> choice = {};  ///< filled
};
/// Accepts the offer: these entries, the leader and the entries at its pc, become ACTIVE.
struct SubwarpTake {
  EntryMask peers = 0;
};

}  // namespace reconverge

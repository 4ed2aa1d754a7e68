#pragma once
/// What the parts of the subwarp scheduler tell each other over their sockets: values, all within one cycle. What a
/// target fills stands last. Plain data, no SystemC.

#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include "models/protocols/thread_state.hpp"

namespace reconverge {

/// Entries of a warp's thread status table: bit `i` stands for entry `i`. With 32 entries an entry is a thread, and the
/// mask one of lanes; with fewer an entry is a subwarp.
using EntryMask = std::uint32_t;
inline constexpr unsigned most_entries = 32;
inline constexpr std::uint32_t most_warps = 64;  ///< of a processing block

/// Calls `visit(entry)` for every entry of `mask`, lowest first.
template <typename Visit>
constexpr void for_each_entry(EntryMask mask, Visit&& visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<unsigned>(std::countr_zero(mask)));
}
constexpr EntryMask all_entries(unsigned entries) { return ~EntryMask{0} >> (most_entries - entries); }

/// Bits of an entry beside its state (Damani et al., HPCA 2022, section III-C.2: s = 3, t = 6).
inline constexpr unsigned scoreboard_bits = 3;
inline constexpr unsigned count_bits = 6;
inline constexpr unsigned most_outstanding = (1U << count_bits) - 1;
/// Writebacks that can be broadcast in a cycle: one from the texture units, one from the load/store units (Fig. 8b).
inline constexpr unsigned write_back_ports = 2;

/// When a stalled warp changes to a READY subwarp, N being the share of stalled warps among those that live (section
/// III-C.3).
enum class SelectTrigger : std::uint8_t {
  any,   ///< N > 0
  half,  ///< N >= 0.5
  all    ///< N = 1
};

/// What an entry holds.
struct StatusEntry {
  ThreadState state = ThreadState::inactive;
  std::uint8_t scoreboard = 0;  ///< on which it stalled last
  std::uint8_t count = 0;       ///< results that it still waits for
  bool operator==(const StatusEntry&) const = default;
};
/// Bits of one.
inline constexpr unsigned entry_bits = 3 + scoreboard_bits + count_bits;

// To the thread status table.

/// Divergence handling, or selection, moves entries to a state other than STALLED.
struct StateChange {
  std::uint32_t warp = 0;  ///< slot in the processing block
  EntryMask entries = 0;
  ThreadState to = ThreadState::inactive;
};
/// What wakeup looks at: the STALLED entries of a warp, those of stalls in this cycle included.
struct StalledEntries {
  std::uint32_t warp = 0;
  EntryMask entries = 0;                            ///< filled
  std::array<StatusEntry, most_entries> holding{};  ///< filled, of these
};
/// What wakeup makes of them.
struct StatusUpdate {
  std::uint32_t warp = 0;
  EntryMask counted = 0;                           ///< entries that have a new count
  EntryMask woken = 0;                             ///< and those that become READY
  std::array<std::uint8_t, most_entries> count{};  ///< of those counted
};
/// What selection looks at: warps with a bit each, as the cycle began.
struct BlockStates {
  std::uint64_t live = 0;    ///< filled: they have an entry that is not INACTIVE
  std::uint64_t active = 0;  ///< filled: an ACTIVE one
  std::uint64_t ready = 0;   ///< filled: a READY one
};
struct ReadyEntries {
  std::uint32_t warp = 0;
  EntryMask entries = 0;  ///< filled
};

// To subwarp stall, and on to the table.

/// ACTIVE entries stall, and record what they wait for.
struct StallCapture {
  std::uint32_t warp = 0;
  EntryMask entries = 0;
  std::uint8_t scoreboard = 0;
  std::uint8_t count = 0;  ///< the counter of each of them, results of this cycle not taken off; 0 to most_outstanding
};

// To subwarp wakeup.

/// A result that a scoreboard counts is written.
struct WriteBack {
  std::uint32_t warp = 0;
  std::uint8_t scoreboard = 0;
  EntryMask entries = 0;  ///< whose counters fall by one
  bool operator==(const WriteBack&) const = default;
};
/// It is broadcast at a port.
struct Broadcast {
  unsigned port = 0;
  WriteBack result;
};

// To subwarp selection.

/// Whether the ACTIVE subwarp of a warp cannot issue; from the next cycle on.
struct WarpWaits {
  std::uint32_t warp = 0;
  bool waits = false;
};
/// The warp that changes to a READY subwarp, and the entry that leads this.
struct SubwarpChoice {
  std::uint32_t warp = 0;
  unsigned leader = 0;
  bool operator==(const SubwarpChoice&) const = default;
};
struct SubwarpOffer {
  std::optional<SubwarpChoice> choice = {};  ///< filled
};
/// What is offered is done: these entries, the leader and those that have its pc, become ACTIVE.
struct SubwarpTake {
  EntryMask peers = 0;
};

}  // namespace reconverge

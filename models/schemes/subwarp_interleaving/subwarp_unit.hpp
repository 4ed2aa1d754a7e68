// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Interface of a sub-core's thread status tables with subwarp stall, wakeup and selection (Damani et al., HPCA 2022,
/// section III-C, Figs. 6 to 8). Implementations are the model (SubwarpScheduler), its RTL, and both in lock step.

#include <systemc>

#include "models/schemes/subwarp_interleaving/messages.hpp"

namespace reconverge {

/// Calls of a cycle take effect at its end and are visible from the next cycle on; reads return the state at the start
/// of the cycle. A cycle without calls needs no `step`: the state changes only by calls.
///
/// If an entry is set to two states in a cycle, the last one applies. An entry that was set to a state must not be
/// taken later in the same cycle. An entry of `set` or `take` is not woken in this cycle.
class SubwarpUnit : public sc_core::sc_module {
 public:
  /// Resets all tables: every entry is INACTIVE, no warp waits.
  virtual void begin() = 0;

  /// Divergence handling sets entries of a warp to a state other than STALLED. With 32 entries, the transition must be
  /// in Fig. 7.
  virtual void set(std::uint32_t warp, EntryMask entries, ThreadState state) = 0;
  /// Whether a warp can stall in this cycle. One warp can stall in each cycle; it may call `stall` several times for
  /// entries that differ only in their count.
  virtual bool can_stall(std::uint32_t warp) const = 0;
  /// ACTIVE entries of a warp stall for a scoreboard (0 to 7). `count` (0 to 63) is the counter of each entry before
  /// the results of this cycle, which the unit subtracts. Entries that then wait for no result become READY
  /// immediately.
  virtual void stall(std::uint32_t warp, EntryMask entries, std::uint8_t scoreboard, std::uint8_t count) = 0;
  /// A result is written, at most one for each port (below `write_back_ports`) in a cycle. The entries' counters of
  /// that scoreboard must not be zero; both ports may name the same counter if it is at least two.
  virtual void write_back(unsigned port, const WriteBack& result) = 0;
  /// Sets whether the ACTIVE subwarp of a warp cannot issue, until the next call. A warp that cannot issue counts as
  /// stalled, and so does a warp without an ACTIVE entry; a warp with only INACTIVE entries does not count.
  virtual void waits(std::uint32_t warp, bool waits) = 0;

  /// If the trigger holds, the lowest-numbered warp that has a READY entry and no ACTIVE one, and the first of its
  /// READY entries by round robin, starting after the last leader. The offer is the same throughout a cycle.
  virtual std::optional<SubwarpChoice> offer() = 0;
  /// Accepts the offer: the leader and its peers, all READY, become ACTIVE.
  virtual void take(EntryMask peers) = 0;

  /// Ends a cycle in which any of these calls happened.
  virtual void step() = 0;

  /// Entries of a warp that are in `state`.
  virtual EntryMask entries_in(std::uint32_t warp, ThreadState state) const = 0;

 protected:
  explicit SubwarpUnit(sc_core::sc_module_name name) : sc_module(name) {}
};

}  // namespace reconverge

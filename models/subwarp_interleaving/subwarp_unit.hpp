#pragma once
/// The thread status tables of a processing block with subwarp stall, wakeup and selection (Damani et al., HPCA 2022,
/// section III-C, Figs. 6 to 8), as subwarp interleaving knows them: the model (SubwarpScheduler), its RTL, or both in
/// lock step.

#include <systemc>

#include "models/subwarp_interleaving/messages.hpp"

namespace reconverge {

/// What is said in a cycle happens at its end, and is seen from the next on; what is read is as the cycle began. Of a
/// cycle in which nothing is said nobody need hear: nothing changes by itself.
///
/// Of an entry that is told two states in a cycle, the last holds; none is taken that was told another before. An entry
/// of `set` or `take` is not woken in it.
class SubwarpUnit : public sc_core::sc_module {
 public:
  /// Empties all tables: every entry is INACTIVE, no warp waits.
  virtual void begin() = 0;

  /// Divergence handling: entries of a warp get a state, which is not STALLED. With 32 entries, it is one to which Fig.
  /// 7 has a transition.
  virtual void set(std::uint32_t warp, EntryMask entries, ThreadState state) = 0;
  /// Whether a warp can stall in this cycle: in each one can, which may call several times for entries that differ in
  /// their count alone.
  virtual bool can_stall(std::uint32_t warp) const = 0;
  /// ACTIVE entries of a warp stall for a scoreboard (0 to 7), whose counter is `count` (0 to 63) for each of them
  /// before results of this cycle are taken off: that is done here. Those that then wait for none become READY at once.
  virtual void stall(std::uint32_t warp, EntryMask entries, std::uint8_t scoreboard, std::uint8_t count) = 0;
  /// A result is written. Once for each port (below `write_back_ports`) in a cycle, for entries whose counter of that
  /// scoreboard is not zero; both may be for the same, where it is two at least.
  virtual void write_back(unsigned port, const WriteBack& result) = 0;
  /// The ACTIVE subwarp of a warp cannot issue, or can again. Such a warp counts as stalled, as does one without an
  /// ACTIVE entry. Holds until the next; a warp that is INACTIVE does not count.
  virtual void waits(std::uint32_t warp, bool waits) = 0;

  /// The lowest-numbered warp that has no ACTIVE entry and a READY one, if the trigger holds; of its READY entries the
  /// first, round and round from behind those that were taken last. The same throughout a cycle.
  virtual std::optional<SubwarpChoice> offer() = 0;
  /// Does what is offered: the leader and its peers, all READY, become ACTIVE.
  virtual void take(EntryMask peers) = 0;

  /// Ends a cycle in which any of this happened.
  virtual void step() = 0;

  /// Entries of a warp that are in a state.
  virtual EntryMask entries_in(std::uint32_t warp, ThreadState state) const = 0;

 protected:
  explicit SubwarpUnit(sc_core::sc_module_name name) : sc_module(name) {}
};

}  // namespace reconverge

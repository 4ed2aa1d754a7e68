#pragma once
/// Which entry of the thread status table a thread lies in. With 32 entries each thread has its own; with fewer, a
/// subwarp has one (Damani et al., HPCA 2022, section III-C.2, "binning").

#include "models/subwarp_interleaving/messages.hpp"
#include "models/thread_states/warp_threads.hpp"

namespace reconverge {

class EntryMap {
 public:
  explicit EntryMap(unsigned entries) : count_(entries) {}

  void begin() { lanes_.fill(0); }
  /// Follows what the threads did. With fewer than 32: subwarps that are ACTIVE, READY or STALLED have an entry, as far
  /// as there are any; the ACTIVE one takes that of a READY one if need be.
  void update(const WarpThreads& threads);
  /// Of those that have one.
  EntryMask entries_of(LaneMask lanes) const;
  LaneMask lanes_of(EntryMask entries) const;
  /// Whether a subwarp that becomes ACTIVE has an entry, or can take one.
  bool has_room(const WarpThreads& threads) const;

 private:
  bool is_by_thread() const { return count_ == most_entries; }
  void claim(LaneMask subwarp, LaneMask evictable);

  unsigned count_;
  std::array<LaneMask, most_entries> lanes_{};  // by entry
};

}  // namespace reconverge

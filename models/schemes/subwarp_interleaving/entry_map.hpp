// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Maps threads to entries of the thread status table. With 32 entries, each thread has an entry; with fewer entries,
/// each subwarp has one (Damani et al., HPCA 2022, section III-C.2, "binning").

#include "models/schemes/subwarp_interleaving/messages.hpp"
#include "models/schemes/thread_states/warp_threads.hpp"

namespace reconverge {

class EntryMap {
 public:
  explicit EntryMap(unsigned entries) : count_(entries) {}

  void begin() { lanes_.fill(0); }
  /// Updates the map from the threads' states. With fewer than 32 entries, subwarps that are ACTIVE, READY or STALLED
  /// get entries while entries are free; the ACTIVE subwarp takes the entry of a READY one if necessary.
  void update(const WarpThreads& threads);
  /// The entries of those `lanes` that have an entry.
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

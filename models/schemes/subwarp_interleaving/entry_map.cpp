// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/subwarp_interleaving/entry_map.hpp"

#include <algorithm>
#include <span>

namespace reconverge {

EntryMask EntryMap::entries_of(LaneMask lanes) const {
  if (is_by_thread()) return lanes;
  EntryMask entries = 0;
  for (unsigned entry = 0; entry < count_; ++entry) {
    if ((lanes_[entry] & lanes) != 0) entries |= EntryMask{1} << entry;
  }
  return entries;
}

LaneMask EntryMap::lanes_of(EntryMask entries) const {
  if (is_by_thread()) return entries;
  LaneMask lanes = 0;
  for_each_entry(entries, [&](unsigned entry) { lanes |= lanes_[entry]; });
  return lanes;
}

bool EntryMap::has_room(const WarpThreads& threads) const {
  if (is_by_thread()) return true;
  const auto used = std::span(lanes_).first(count_);
  return std::ranges::any_of(used, [&](LaneMask lanes) { return (lanes & threads.stalled()) == 0; });
}

void EntryMap::claim(LaneMask subwarp, LaneMask evictable) {
  const auto used = std::span(lanes_).first(count_);
  auto own = std::ranges::find_if(used, [&](LaneMask lanes) { return (lanes & subwarp) != 0; });
  if (own == used.end()) own = std::ranges::find(used, LaneMask{0});
  if (own == used.end()) own = std::ranges::find_if(used, [&](LaneMask lanes) { return (lanes & evictable) != 0; });
  if (own == used.end()) return;
  for (LaneMask& lanes : used) lanes &= ~subwarp;
  *own = subwarp;
}

void EntryMap::update(const WarpThreads& threads) {
  if (is_by_thread()) return;
  // Threads that are BLOCKED or have ended release their entry. If a subwarp diverged, its ACTIVE side keeps the entry.
  for (LaneMask& lanes : std::span(lanes_).first(count_)) {
    lanes &= threads.active() | threads.ready() | threads.stalled();
    if ((lanes & threads.active()) != 0) lanes &= threads.active();
    if ((lanes & threads.ready()) != 0) lanes &= threads.subwarp_of(first_lane(lanes & threads.ready()));
  }
  if (threads.active() != 0) claim(threads.active(), threads.ready());
  for (LaneMask left = threads.ready(); left != 0;) {
    const LaneMask subwarp = threads.subwarp_of(first_lane(left));
    claim(subwarp, 0);
    left &= ~subwarp;
  }
}

}  // namespace reconverge

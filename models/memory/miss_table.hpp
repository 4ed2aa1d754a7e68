// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Miss status holding registers (MSHRs): what a cache has requested from the next level, and which requests wait for
/// it.

#include <tlm>
#include <utility>
#include <vector>

#include "models/core/cycle.hpp"
#include "models/memory/sector_tags.hpp"

namespace reconverge {

class MissTable {
 public:
  /// One outstanding fetch.
  struct Miss {
    std::uint32_t line = SectorTags::none;  ///< line of the tags that it fills; none: the data is not kept
    std::uint32_t next = SectorTags::none;  ///< another fetch for the same line
    SectorMask sectors = 0;
    Cycle filled = never;  ///< when the data arrives, once the next level has reported it
    std::vector<tlm::tlm_generic_payload*> waiting;
  };

  explicit MissTable(std::uint64_t entries) : misses_(entries) {
    for (std::uint32_t index = static_cast<std::uint32_t>(entries); index != 0; --index) free_.push_back(index - 1);
  }

  bool full() const { return free_.empty(); }

  /// Allocates an entry for a line of the tags, or for none of them; the table must not be full.
  std::uint32_t take(SectorTags& tags, std::uint32_t line, SectorMask sectors) {
    const std::uint32_t index = free_.back();
    free_.pop_back();
    Miss& miss = misses_[index];
    miss.line = line;
    miss.sectors = sectors;
    miss.filled = never;
    if (line != SectorTags::none) miss.next = std::exchange(tags.line(line).miss, index);
    return index;
  }
  void release(SectorTags& tags, std::uint32_t index) {
    Miss& miss = misses_[index];
    miss.waiting.clear();
    free_.push_back(index);
    if (miss.line == SectorTags::none) return;
    // The entry may belong to a launch that was stopped, and its tags may have been cleared since.
    std::uint32_t* link = &tags.line(miss.line).miss;
    while (*link != index && *link != SectorTags::none) link = &misses_[*link].next;
    if (*link == index) *link = miss.next;
  }

  Miss& operator[](std::uint32_t index) { return misses_[index]; }

  /// Calls `visit(miss)` for each outstanding fetch of a line, whose Line::miss is `first`.
  template <typename Visit>
  void for_each_of(std::uint32_t first, Visit&& visit) {
    for (std::uint32_t index = first; index != SectorTags::none; index = misses_[index].next) visit(misses_[index]);
  }

 private:
  std::vector<Miss> misses_;
  std::vector<std::uint32_t> free_;
};

}  // namespace reconverge

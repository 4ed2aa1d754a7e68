#pragma once
/// Miss status holding registers (MSHRs): what a cache has asked the next level for, and which requests wait for it.

#include <tlm>
#include <vector>

#include "models/core/cycle.hpp"
#include "models/memory/sector_tags.hpp"

namespace reconverge {

class MissTable {
 public:
  /// One fetch on its way.
  struct Miss {
    SectorTags::Line* place = nullptr;  ///< the line that takes it; nullptr: none does
    SectorMask sectors = 0;
    Cycle filled = never;  ///< when it will be there, once the next level has said so
    std::vector<tlm::tlm_generic_payload*> waiting;
  };

  explicit MissTable(std::uint64_t entries) : misses_(entries), line_of_(entries, unused) {
    for (std::uint32_t index = static_cast<std::uint32_t>(entries); index != 0; --index) free_.push_back(index - 1);
  }

  bool full() const { return free_.empty(); }

  /// Takes an entry; the table must not be full.
  std::uint32_t take(DeviceAddress line, SectorMask sectors, SectorTags::Line* place) {
    const std::uint32_t index = free_.back();
    free_.pop_back();
    Miss& miss = misses_[index];
    miss.place = place;
    miss.sectors = sectors;
    miss.filled = never;
    line_of_[index] = line;
    return index;
  }
  void release(std::uint32_t index) {
    line_of_[index] = unused;
    misses_[index].waiting.clear();
    free_.push_back(index);
  }

  Miss& operator[](std::uint32_t index) { return misses_[index]; }

  /// Calls `visit(index, miss)` for each fetch of `line` that is on its way.
  template <typename Visit>
  void for_each_of(DeviceAddress line, Visit&& visit) {
    for (std::uint32_t index = 0; index < line_of_.size(); ++index) {
      if (line_of_[index] == line) visit(index, misses_[index]);
    }
  }

 private:
  static constexpr DeviceAddress unused = ~DeviceAddress{0};

  std::vector<Miss> misses_;
  std::vector<DeviceAddress> line_of_;  // by entry, apart so that a search stays short
  std::vector<std::uint32_t> free_;
};

}  // namespace reconverge

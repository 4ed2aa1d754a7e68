// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The instruction lines that a cache holds or has requested. Lines are read-only, so only the cycle is stored from
/// which a line is available.

#include <algorithm>
#include <optional>
#include <vector>

#include "models/core/cycle.hpp"
#include "models/memory/sector_tags.hpp"

namespace reconverge {

class LineStore {
 public:
  LineStore(std::uint64_t capacity, std::uint64_t line_bytes, std::uint64_t ways, const char* block)
      : tags_(capacity, line_bytes, ways, block) {}

  void clear() {
    tags_.clear();
    coming_.clear();
  }

  enum class Found : std::uint8_t { here, coming, nowhere };
  struct Place {
    Found found = Found::nowhere;
    Cycle filled = 0;  ///< the cycle from which the line is available; `never`: not yet known
  };
  Place find(DeviceAddress line, Cycle now) {
    let_in(now);
    if (const std::uint32_t index = tags_.find(line, line); index != SectorTags::none) {
      tags_.touch(index);
      return {Found::here, now};
    }
    const auto coming = find_coming(line);
    if (coming == coming_.end()) return {};
    return {Found::coming, coming->filled};
  }

  /// Adds a requested line, which is available from `filled` on.
  void expect(DeviceAddress line, Cycle filled) { coming_.push_back({line, filled}); }
  /// Sets when a requested line is available; returns false if it was not requested here.
  bool fill(DeviceAddress line, Cycle filled) {
    const auto coming = find_coming(line);
    if (coming == coming_.end()) return false;
    coming->filled = filled;
    return true;
  }

 private:
  struct Coming {
    DeviceAddress line;
    Cycle filled;
  };

  std::vector<Coming>::iterator find_coming(DeviceAddress line) {
    return std::find_if(coming_.begin(), coming_.end(), [&](const Coming& one) { return one.line == line; });
  }

  void let_in(Cycle now) {
    if (coming_.empty()) return;
    for (const Coming& one : coming_) {
      if (one.filled <= now) tags_.replace(tags_.victim(one.line), one.line);
    }
    std::erase_if(coming_, [&](const Coming& one) { return one.filled <= now; });
  }

  SectorTags tags_;
  std::vector<Coming> coming_;
};

}  // namespace reconverge

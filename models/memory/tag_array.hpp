#pragma once
/// Tags of a set-associative cache with least-recently-used replacement. Lines may be on their way: `filled` says
/// from which cycle on their data is there.

#include <cstdint>
#include <vector>

#include "models/core/cycle.hpp"
#include "models/memory/device_memory.hpp"

namespace reconverge {

class TagArray {
 public:
  struct Line {
    DeviceAddress address = ~DeviceAddress{0};  ///< of its first byte; all ones: empty
    Cycle filled = 0;
    std::uint64_t used = 0;  ///< when it was last touched, in accesses
    bool modified = false;

    bool empty() const { return address == ~DeviceAddress{0}; }
  };

  /// Sets need not be a power of two. Throws InputError naming `block` when the geometry gives no whole set.
  TagArray(std::uint64_t capacity, std::uint64_t line_bytes, std::uint64_t ways, const char* block);

  /// The line that begins at `address`, marked as used; nullptr when it is not there.
  Line* find(DeviceAddress address);

  /// Gives `address` a place; returns what was there before.
  struct Replaced {
    Line* line;
    Line victim;
  };
  Replaced replace(DeviceAddress address);

  void clear();

 private:
  Line* set_of(DeviceAddress address);

  std::uint64_t line_shift_;
  std::uint64_t sets_;
  std::uint64_t ways_;
  std::uint64_t accesses_ = 0;
  std::vector<Line> lines_;
};

}  // namespace reconverge

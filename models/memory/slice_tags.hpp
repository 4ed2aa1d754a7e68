#pragma once
/// Tags of one slice of a cache whose lines have sectors, each valid, modified or on its way on its own; least recently
/// used lines are replaced.

#include <cstdint>
#include <vector>

#include "models/memory/address_map.hpp"
#include "models/memory/sectors.hpp"

namespace reconverge {

class SliceTags {
 public:
  static constexpr std::uint32_t no_miss = ~0U;

  struct Line {
    std::uint64_t used = 0;        ///< when it was last touched, in accesses
    std::uint32_t miss = no_miss;  ///< its entry in the SliceMisses; its line may not be replaced until that is gone
    SectorMask valid = 0;
    SectorMask modified = 0;
    SectorMask asked = 0;  ///< on their way
  };

  /// Sets need not be a power of two. Throws InputError when the geometry gives no whole set.
  SliceTags(std::uint64_t capacity, std::uint64_t line_bytes, std::uint64_t ways);

  /// Index of the line that begins at `address`, at `offset` in the slice; `none` when it is not there.
  std::uint32_t find(DeviceAddress address, std::uint64_t offset) const;
  /// Index of the line that would make room; `none` when all of the set are on their way.
  std::uint32_t victim(std::uint64_t offset) const;
  /// Gives that line to `address`.
  void replace(std::uint32_t line, DeviceAddress address);

  Line& line(std::uint32_t index) { return lines_[index]; }
  DeviceAddress address(std::uint32_t index) const { return addresses_[index]; }
  void touch(std::uint32_t index) { lines_[index].used = ++accesses_; }

  static constexpr std::uint32_t none = ~0U;

 private:
  std::uint64_t first_of_set(std::uint64_t offset) const;

  unsigned line_shift_;
  std::uint64_t ways_;
  std::uint64_t sets_;
  Divisor by_sets_;
  std::uint64_t accesses_ = 0;
  std::vector<DeviceAddress> addresses_;  // apart from the rest: a lookup reads nothing else
  std::vector<Line> lines_;
};

}  // namespace reconverge

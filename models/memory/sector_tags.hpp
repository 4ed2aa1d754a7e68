// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Tags of a set-associative cache, or of a slice of one, whose lines have sectors of 32 bytes. Each sector is
/// separately valid, modified or being fetched; replacement is least recently used.

#include <cstdint>
#include <vector>

#include "models/core/divisor.hpp"
#include "models/core/state_archive.hpp"
#include "models/execution/device_memory.hpp"

namespace reconverge {

/// Bit i stands for bytes [32 i, 32 i + 32) of a line.
using SectorMask = std::uint8_t;
inline constexpr unsigned sector_bytes = 32;
inline constexpr unsigned max_sectors = 8;  ///< of a line

/// The mask of all sectors of a line of `line_bytes`.
constexpr SectorMask all_sectors(std::uint64_t line_bytes) {
  return static_cast<SectorMask>((1U << (line_bytes / sector_bytes)) - 1);
}

class SectorTags {
 public:
  static constexpr std::uint32_t none = ~0U;

  struct Line {
    std::uint64_t used = 0;     ///< when it was last touched, in accesses
    std::uint32_t miss = none;  ///< an entry in the cache's table of misses: the line cannot be replaced until that is
                                ///< gone
    SectorMask valid = 0;
    SectorMask modified = 0;
    SectorMask asked = 0;  ///< being fetched, if the cache records that here
  };

  /// The number of sets need not be a power of two; without a capacity there are none, and no lookup is allowed. Throws
  /// InputError naming `block` and the nearest possible values if the geometry gives no whole set. `capacity` is that
  /// of all `slices`, of which this is one.
  SectorTags(std::uint64_t capacity, std::uint64_t line_bytes, std::uint64_t ways, const char* block,
             std::uint64_t slices = 1);

  /// Index of the line that begins at `address`; `none` if it is not present. Lines are distributed over the sets by
  /// their `place`: the address itself, or the offset within a slice.
  std::uint32_t find(DeviceAddress address, std::uint64_t place) const;
  /// Index of the line to replace, an empty one or the least recently used; `none` if all lines of the set are being
  /// fetched.
  std::uint32_t victim(std::uint64_t place) const;
  /// Fetches what `find` and `victim` will need into the host's first-level cache, which does not hold all sets.
  /// Without sets it does nothing.
  void prefetch(std::uint64_t place) const;
  /// Assigns the line to `address`, with no valid sector.
  void replace(std::uint32_t index, DeviceAddress address);

  Line& line(std::uint32_t index) { return lines_[index]; }
  DeviceAddress address(std::uint32_t index) const { return addresses_[index]; }
  void touch(std::uint32_t index) { lines_[index].used = ++accesses_; }

  void clear();
  void archive(StateArchive& state) { state(accesses_, addresses_, lines_); }

 private:
  std::uint64_t first_of_set(std::uint64_t place) const {
    // Bits above the index are folded in, so that power-of-two strides spread over the sets.
    const std::uint64_t line = place >> line_shift_;
    const std::uint64_t number = line ^ line >> 13U;
    return (set_mask_ != 0 ? number & set_mask_ : by_sets_.divide(number).rest) * ways_;
  }

  unsigned line_shift_;
  std::uint64_t ways_;
  std::uint64_t sets_;
  Divisor by_sets_;
  std::uint64_t set_mask_;  // of a power of two; 0: divide
  std::uint64_t accesses_ = 0;
  std::vector<DeviceAddress> addresses_;  // separate, so that a lookup reads nothing else
  std::vector<Line> lines_;
};

}  // namespace reconverge

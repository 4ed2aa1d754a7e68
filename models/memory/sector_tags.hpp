#pragma once
/// Tags of a set-associative cache whose lines consist of sectors of 32 bytes, with least-recently-used replacement. A
/// line is pinned, that is never replaced, while sectors of it are on their way.

#include <cstdint>
#include <vector>

#include "models/memory/device_memory.hpp"

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
  struct Line {
    DeviceAddress address = ~DeviceAddress{0};  ///< of its first byte; all ones: empty
    std::uint64_t used = 0;                     ///< when it was last touched, in accesses
    std::uint16_t pins = 0;                     ///< fetches on their way
    SectorMask valid = 0;
    SectorMask modified = 0;

    bool empty() const { return address == ~DeviceAddress{0}; }
  };

  /// Sets need not be a power of two. Throws InputError naming `block` when the geometry gives no whole set.
  SectorTags(std::uint64_t capacity, std::uint64_t line_bytes, std::uint64_t ways, const char* block);

  /// The line that begins at `address`, marked as used; nullptr when it is not there.
  Line* find(DeviceAddress address);
  /// The line that `address` would replace, an empty one or the one used least recently; nullptr when all are pinned.
  Line* victim(DeviceAddress address);
  /// Gives `line`, a victim for it, to `address`: no sector is valid.
  void assign(Line& line, DeviceAddress address) { line = {address, ++accesses_, 0, 0, 0}; }

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

#include "models/memory/sector_tags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "models/core/error.hpp"

namespace reconverge {

namespace {

constexpr DeviceAddress empty = ~DeviceAddress{0};

}  // namespace

SectorTags::SectorTags(std::uint64_t capacity, std::uint64_t line_bytes, std::uint64_t ways, const char* block)
    : line_shift_(static_cast<unsigned>(std::countr_zero(line_bytes))),
      ways_(ways),
      sets_(capacity / (line_bytes * ways)),
      by_sets_(std::max<std::uint64_t>(1, sets_)),
      addresses_(sets_ * ways, empty),
      lines_(sets_ * ways) {
  if (!std::has_single_bit(line_bytes)) {
    throw InputError({}, fmt::format("{}: a line of {} bytes", block, line_bytes), "line must be a power of two");
  }
  if (sets_ * ways * line_bytes != capacity) {
    throw InputError({},
                     fmt::format("{}: {} ways of {}-byte lines do not divide a capacity of {} bytes", block, ways,
                                 line_bytes, capacity),
                     "make capacity a multiple of ways x line, in each slice if there are any");
  }
}

std::uint32_t SectorTags::find(DeviceAddress address, std::uint64_t place) const {
  const std::uint64_t first = first_of_set(place);
  for (std::uint64_t line = first; line < first + ways_; ++line) {
    if (addresses_[line] == address) return static_cast<std::uint32_t>(line);
  }
  return none;
}

std::uint32_t SectorTags::victim(std::uint64_t place) const {
  const std::uint64_t first = first_of_set(place);
  std::uint32_t oldest = none;
  for (std::uint64_t line = first; line < first + ways_; ++line) {
    if (lines_[line].miss != none) continue;
    if (oldest == none || lines_[line].used < lines_[oldest].used) oldest = static_cast<std::uint32_t>(line);
  }
  return oldest;
}

void SectorTags::replace(std::uint32_t index, DeviceAddress address) {
  addresses_[index] = address;
  lines_[index] = {};
  touch(index);
}

void SectorTags::clear() {
  std::fill(addresses_.begin(), addresses_.end(), empty);
  std::fill(lines_.begin(), lines_.end(), Line{});
  accesses_ = 0;
}

}  // namespace reconverge

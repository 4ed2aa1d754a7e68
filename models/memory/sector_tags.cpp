#include "models/memory/sector_tags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "models/core/error.hpp"

namespace reconverge {

SectorTags::SectorTags(std::uint64_t capacity, std::uint64_t line_bytes, std::uint64_t ways, const char* block)
    : line_shift_(static_cast<std::uint64_t>(std::countr_zero(line_bytes))),
      sets_(capacity / (line_bytes * ways)),
      ways_(ways),
      lines_(sets_ * ways) {
  if (!std::has_single_bit(line_bytes)) {
    throw InputError({}, fmt::format("{}: a line of {} bytes", block, line_bytes), "line must be a power of two");
  }
  if (sets_ == 0 || sets_ * ways * line_bytes != capacity) {
    throw InputError({},
                     fmt::format("{}: {} ways of {}-byte lines do not divide a capacity of {} bytes", block, ways,
                                 line_bytes, capacity),
                     "make capacity a multiple of ways x line");
  }
}

SectorTags::Line* SectorTags::set_of(DeviceAddress address) {
  // Bits above the index are folded in, so that power-of-two strides spread over the sets.
  const std::uint64_t number = address >> line_shift_;
  return &lines_[(number ^ number >> 13U) % sets_ * ways_];
}

SectorTags::Line* SectorTags::find(DeviceAddress address) {
  Line* set = set_of(address);
  for (Line* line = set; line != set + ways_; ++line) {
    if (line->address == address) {
      line->used = ++accesses_;
      return line;
    }
  }
  return nullptr;
}

SectorTags::Line* SectorTags::victim(DeviceAddress address) {
  Line* set = set_of(address);
  Line* oldest = nullptr;
  for (Line* line = set; line != set + ways_; ++line) {
    if (line->pins == 0 && (oldest == nullptr || line->used < oldest->used)) oldest = line;
  }
  return oldest;
}

void SectorTags::clear() {
  std::fill(lines_.begin(), lines_.end(), Line{});
  accesses_ = 0;
}

}  // namespace reconverge

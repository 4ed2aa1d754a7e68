#include "models/memory/slice_tags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "models/core/error.hpp"

namespace reconverge {

namespace {

constexpr DeviceAddress empty = ~DeviceAddress{0};

}  // namespace

SliceTags::SliceTags(std::uint64_t capacity, std::uint64_t line_bytes, std::uint64_t ways)
    : line_shift_(static_cast<unsigned>(std::countr_zero(line_bytes))),
      ways_(ways),
      sets_(capacity / (line_bytes * ways)),
      by_sets_(std::max<std::uint64_t>(1, sets_)),
      addresses_(sets_ * ways, empty),
      lines_(sets_ * ways) {
  if (!std::has_single_bit(line_bytes)) {
    throw InputError({}, fmt::format("a line of {} bytes", line_bytes), "line must be a power of two");
  }
  if (sets_ * ways * line_bytes != capacity) {
    throw InputError(
        {}, fmt::format("{} ways of {}-byte lines do not divide {} bytes of a slice", ways, line_bytes, capacity),
        "make capacity a multiple of slices x ways x line");
  }
}

std::uint64_t SliceTags::first_of_set(std::uint64_t offset) const {
  // Bits above the index are folded in, so that power-of-two strides spread over the sets.
  const std::uint64_t number = offset >> line_shift_;
  return by_sets_.divide(number ^ number >> 13U).rest * ways_;
}

std::uint32_t SliceTags::find(DeviceAddress address, std::uint64_t offset) const {
  const std::uint64_t first = first_of_set(offset);
  for (std::uint64_t line = first; line < first + ways_; ++line) {
    if (addresses_[line] == address) return static_cast<std::uint32_t>(line);
  }
  return none;
}

std::uint32_t SliceTags::victim(std::uint64_t offset) const {
  const std::uint64_t first = first_of_set(offset);
  std::uint32_t oldest = none;
  for (std::uint64_t line = first; line < first + ways_; ++line) {
    if (lines_[line].miss != no_miss) continue;
    if (oldest == none || lines_[line].used < lines_[oldest].used) oldest = static_cast<std::uint32_t>(line);
  }
  return oldest;
}

void SliceTags::replace(std::uint32_t line, DeviceAddress address) {
  addresses_[line] = address;
  lines_[line] = {};
  touch(line);
}

}  // namespace reconverge

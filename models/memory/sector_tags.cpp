// SPDX-License-Identifier: Apache-2.0
#include "models/memory/sector_tags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>

#include "models/core/error.hpp"
#include "models/core/quantity.hpp"

namespace reconverge {

namespace {

constexpr DeviceAddress empty = ~DeviceAddress{0};
constexpr std::uint64_t most_ways = 64;  // as in the block files

/// `96 KiB or 144 KiB`; without what is zero.
std::string either(const std::string& below, const std::string& above) {
  if (below.empty() || above.empty()) return below + above;
  return fmt::format("{} or {}", below, above);
}

/// The capacities next to one that is not possible, and the numbers of ways that would make it possible.
std::string legal_geometry(std::uint64_t capacity, std::uint64_t line_bytes, std::uint64_t ways, std::uint64_t slices) {
  const std::uint64_t unit = slices * ways * line_bytes;
  const std::uint64_t below = capacity / unit * unit;
  const auto divides = [&](std::uint64_t number) { return capacity % (slices * number * line_bytes) == 0; };
  std::uint64_t fewer = ways - 1;
  while (fewer > 0 && !divides(fewer)) --fewer;
  std::uint64_t more = ways + 1;
  while (more <= most_ways && !divides(more)) ++more;
  const std::string possible = either(fewer == 0 ? std::string() : std::to_string(fewer),
                                      more > most_ways ? std::string() : std::to_string(more));
  return fmt::format("make capacity {}, a multiple of {}ways x line{}",
                     either(below == 0 ? std::string() : format_bytes(below), format_bytes(below + unit)),
                     slices == 1 ? "" : "slices x ",
                     possible.empty() ? possible : fmt::format(", or ways {}", possible));
}

}  // namespace

SectorTags::SectorTags(std::uint64_t capacity, std::uint64_t line_bytes, std::uint64_t ways, const char* block,
                       std::uint64_t slices)
    : line_shift_(static_cast<unsigned>(std::countr_zero(line_bytes))),
      ways_(ways),
      sets_(capacity / (slices * line_bytes * ways)),
      by_sets_(std::max<std::uint64_t>(1, sets_)),
      set_mask_(std::has_single_bit(sets_) ? sets_ - 1 : 0),
      addresses_(sets_ * ways, empty),
      lines_(sets_ * ways) {
  if (!std::has_single_bit(line_bytes)) {
    throw InputError({}, fmt::format("{}: a line of {} bytes", block, line_bytes),
                     fmt::format("make line a power of two: {} or {}", format_bytes(std::bit_floor(line_bytes)),
                                 format_bytes(std::bit_ceil(line_bytes))));
  }
  if (slices * sets_ * ways * line_bytes != capacity) {
    throw InputError({},
                     fmt::format("{}: {} of {}-byte lines{} do not divide a capacity of {}", block,
                                 ways == 1 ? "sets" : fmt::format("{} ways", ways), line_bytes,
                                 slices == 1 ? "" : fmt::format(" in {} slices", slices), format_bytes(capacity)),
                     legal_geometry(capacity, line_bytes, ways, slices));
  }
}

std::uint32_t SectorTags::find(DeviceAddress address, std::uint64_t place) const {
  const std::uint64_t first = first_of_set(place);
  const DeviceAddress* const set = addresses_.data() + first;
  for (std::uint64_t way = 0; way < ways_; ++way) {
    if (set[way] == address) return static_cast<std::uint32_t>(first + way);
  }
  return none;
}

std::uint32_t SectorTags::victim(std::uint64_t place) const {
  const std::uint64_t first = first_of_set(place);
  std::uint32_t oldest = none;
  std::uint64_t least = ~std::uint64_t{0};
  for (std::uint64_t line = first; line < first + ways_; ++line) {
    const bool older = lines_[line].miss == none && lines_[line].used < least;
    oldest = older ? static_cast<std::uint32_t>(line) : oldest;
    least = older ? lines_[line].used : least;
  }
  return oldest;
}

void SectorTags::prefetch(std::uint64_t place) const {
  if (sets_ == 0) return;
  const std::uint64_t first = first_of_set(place);
  constexpr std::uint64_t host_line = 64;
  for (std::uint64_t way = 0; way < ways_; way += host_line / sizeof(DeviceAddress))
    __builtin_prefetch(&addresses_[first + way]);
  for (std::uint64_t way = 0; way < ways_; way += host_line / sizeof(Line)) __builtin_prefetch(&lines_[first + way]);
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

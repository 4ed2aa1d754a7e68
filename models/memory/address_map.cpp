// SPDX-License-Identifier: Apache-2.0
#include "models/memory/address_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>

#include "models/core/error.hpp"
#include "models/core/quantity.hpp"

namespace reconverge {

namespace {

/// `12 or 24, `; zero is none.
std::string nearest_multiples(std::uint64_t number, std::uint64_t of) {
  const std::uint64_t below = number / of * of;
  return below == 0 ? fmt::format("{}, ", of) : fmt::format("{} or {}, ", below, below + of);
}

}  // namespace

AddressMap::AddressMap(const L2CacheParameters& l2, std::uint64_t channels)
    : slices_(static_cast<unsigned>(l2.slices)),
      channels_(static_cast<unsigned>(channels)),
      slices_a_channel_(slices_ / channels_),
      shift_(static_cast<unsigned>(std::countr_zero(l2.interleave))),
      fold_(l2.hash == L2CacheHash::fold),
      by_slices_(l2.slices),
      by_channels_(channels) {
  if (l2.slices % channels != 0) {
    throw ParameterError("gpu.l2.slices", fmt::format("{} slices for {} channels of memory", l2.slices, channels),
                         fmt::format("every channel has the same number of slices: make slices {}a multiple of "
                                     "gpu.dram.channels",
                                     nearest_multiples(l2.slices, channels)));
  }
  if (!std::has_single_bit(l2.interleave) || l2.interleave < l2.line) {
    throw ParameterError("gpu.l2.interleave",
                         fmt::format("an interleave of {} bytes, with lines of {}", l2.interleave, l2.line),
                         fmt::format("make interleave a power of two that is no less than the line, such as {}",
                                     format_bytes(std::max(std::bit_ceil(l2.interleave), std::bit_ceil(l2.line)))));
  }
}

}  // namespace reconverge

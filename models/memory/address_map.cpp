#include "models/memory/address_map.hpp"

#include <fmt/format.h>

#include <bit>

#include "models/core/error.hpp"

namespace reconverge {

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
                         "every channel has the same number of slices: make slices a multiple of gpu.dram.channels");
  }
  if (!std::has_single_bit(l2.interleave) || l2.interleave < l2.line) {
    throw ParameterError("gpu.l2.interleave",
                         fmt::format("an interleave of {} bytes, with lines of {}", l2.interleave, l2.line),
                         "make interleave a power of two that is no less than the line");
  }
}

}  // namespace reconverge

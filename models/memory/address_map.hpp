// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Maps an address to its slice of the second-level cache, its channel of memory, and its offset in each. Every slice
/// belongs to one channel, and the offsets in a slice or channel have no gaps.

#include <cstdint>

#include "blocks/l2_cache.hpp"
#include "models/core/divisor.hpp"
#include "models/execution/device_memory.hpp"

namespace reconverge {

class AddressMap {
 public:
  /// Throws ParameterError if the numbers of slices and channels, or the sizes of lines and slices, are inconsistent.
  AddressMap(const L2CacheParameters& l2, std::uint64_t channels);

  unsigned slices() const { return slices_; }
  unsigned channels() const { return channels_; }
  unsigned channel_of(unsigned slice) const { return slice % channels_; }

  struct Place {
    unsigned slice;
    std::uint64_t offset;  ///< of the byte within the slice
  };
  Place in_slice(DeviceAddress address) const {
    const auto [turn, next] = by_slices_.divide(address >> shift_);
    // `fold` starts each round through the slices at another slice, selected by all higher bits.
    std::uint64_t slice = next;
    if (fold_) {
      std::uint64_t bits = turn ^ turn >> 32U;
      bits ^= bits >> 16U;
      bits ^= bits >> 8U;
      slice = by_slices_.divide(next + (bits & 0xffU)).rest;
    }
    return {static_cast<unsigned>(slice), turn << shift_ | within(address)};
  }

  /// Offset of the byte within its channel.
  std::uint64_t offset_in_channel(DeviceAddress address) const {
    const auto [slice, offset] = in_slice(address);
    const std::uint64_t chunk = (offset >> shift_) * slices_a_channel_ + by_channels_.divide(slice).quotient;
    return chunk << shift_ | within(address);
  }

 private:
  std::uint64_t within(DeviceAddress address) const { return address & ((std::uint64_t{1} << shift_) - 1); }

  unsigned slices_;
  unsigned channels_;
  unsigned slices_a_channel_;
  unsigned shift_;
  bool fold_;
  Divisor by_slices_;
  Divisor by_channels_;
};

}  // namespace reconverge

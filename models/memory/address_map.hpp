#pragma once
/// Where an address lies: slice of the second-level cache, channel of memory, and the place in each. Every slice
/// belongs to one channel, and the places in a slice or channel are numbered without gaps.

#include <cstdint>

#include "blocks/l2_cache.hpp"
#include "models/core/divisor.hpp"
#include "models/execution/device_memory.hpp"

namespace reconverge {

class AddressMap {
 public:
  /// Throws ParameterError when slices and channels, or lines and slices, do not fit each other.
  AddressMap(const L2CacheParameters& l2, std::uint64_t channels);

  unsigned slices() const { return slices_; }
  unsigned channels() const { return channels_; }
  unsigned channel_of(unsigned slice) const { return slice % channels_; }

  struct Place {
    unsigned slice;
    std::uint64_t offset;  ///< of the byte among those of the slice
  };
  Place in_slice(DeviceAddress address) const {
    const auto [turn, next] = by_slices_.divide(address >> shift_);
    // `fold` begins each turn through the slices elsewhere, by all bits above.
    std::uint64_t slice = next;
    if (fold_) {
      std::uint64_t bits = turn ^ turn >> 32U;
      bits ^= bits >> 16U;
      bits ^= bits >> 8U;
      slice = by_slices_.divide(next + (bits & 0xffU)).rest;
    }
    return {static_cast<unsigned>(slice), turn << shift_ | within(address)};
  }

  /// Of the byte among those of its channel.
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

#pragma once
/// Which parts of a range of device memory kernels have taken with malloc. The books are the host's: no kernel can
/// spoil them.

#include <cstdint>
#include <map>

namespace reconverge {

using DeviceAddress = std::uint64_t;

class DeviceHeap {
 public:
  /// The `bytes` at `begin`, both multiples of `granule`.
  DeviceHeap(DeviceAddress begin, std::uint64_t bytes) : free_{{begin, bytes}} {}

  /// What malloc(bytes) returns: the lowest place with room, or zero when there is none. A part is never empty.
  DeviceAddress allocate(std::uint64_t bytes);
  /// free(address); false when no part that is taken begins there.
  bool release(DeviceAddress address);

  /// Parts begin at multiples of this.
  static constexpr std::uint64_t granule = 16;

 private:
  using Parts = std::map<DeviceAddress, std::uint64_t>;  // begin, bytes
  Parts free_;                                           // no two touch
  Parts taken_;
};

}  // namespace reconverge

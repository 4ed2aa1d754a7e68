// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Tracks the parts of a range of device memory that kernels have allocated with malloc. The table is kept by the host,
/// so kernels cannot corrupt it.

#include <cstdint>
#include <map>

#include "models/core/state_archive.hpp"

namespace reconverge {

using DeviceAddress = std::uint64_t;

class DeviceHeap {
 public:
  /// The `bytes` at `begin`, both multiples of `granule`.
  DeviceHeap(DeviceAddress begin, std::uint64_t bytes) : free_{{begin, bytes}} {}

  /// The result of malloc(bytes): the lowest free place that is large enough, or zero if there is none. A part of zero
  /// bytes occupies space, too.
  DeviceAddress allocate(std::uint64_t bytes);
  /// free(address); false if no allocated part begins there.
  bool release(DeviceAddress address);
  void archive(StateArchive& state) { state(free_, taken_); }

  /// Parts begin at multiples of this.
  static constexpr std::uint64_t granule = 16;

 private:
  using Parts = std::map<DeviceAddress, std::uint64_t>;  // begin, bytes
  Parts free_;                                           // no two adjoin
  Parts taken_;
};

}  // namespace reconverge

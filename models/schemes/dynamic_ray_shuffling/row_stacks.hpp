// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Where caches find the stacks of rays if contexts move with the rays: each lane of a row has a stack in local memory,
/// and the stacks of a row are interleaved, entry by entry.

#include <cstddef>

#include "models/execution/launch.hpp"

namespace reconverge {

class RowStacks {
 public:
  RowStacks() = default;
  explicit RowStacks(const RayStacks& memory) : memory_(memory) {}

  /// Whether the access is to the stacks of the launch.
  bool hold(const MemoryAccess& access) const;
  /// Replaces the address of each lane by that of the same entry in the stack of the row's lane. `local_address`: of
  /// the local memory of the SM.
  void place(std::size_t row, DeviceAddress local_address, MemoryAccess& access) const;

 private:
  RayStacks memory_;
};

}  // namespace reconverge

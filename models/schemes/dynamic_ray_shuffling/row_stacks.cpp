// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_ray_shuffling/row_stacks.hpp"

namespace reconverge {

namespace {

/// Local memory of the threads of an SM has fewer bytes, and each SM has twice as many addresses.
constexpr DeviceAddress above_threads = DeviceAddress{1} << 31U;

}  // namespace

bool RowStacks::hold(const MemoryAccess& access) const {
  if (access.lanes == 0) return false;
  return access.address[first_lane(access.lanes)] - memory_.begin < memory_.bytes;
}

void RowStacks::place(std::size_t row, DeviceAddress local_address, MemoryAccess& access) const {
  const std::uint64_t entries = std::uint64_t{warp_size} * access.bytes;  // bytes of the entries of one depth
  const std::uint64_t stacks = warp_size * memory_.place_bytes;
  const DeviceAddress of_row = local_address + above_threads + row * stacks;
  for_each_lane(access.lanes, [&](unsigned lane) {
    const std::uint64_t in_stacks = (access.address[lane] - memory_.begin) % stacks;
    access.address[lane] = of_row + in_stacks / entries * entries + lane * access.bytes;
  });
  access.space = kernel::Space::local;
}

}  // namespace reconverge

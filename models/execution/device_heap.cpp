// SPDX-License-Identifier: Apache-2.0
#include "models/execution/device_heap.hpp"

#include <algorithm>
#include <iterator>

namespace reconverge {

DeviceAddress DeviceHeap::allocate(std::uint64_t bytes) {
  if (bytes > ~std::uint64_t{0} - granule) return 0;
  const std::uint64_t size = std::max(granule, (bytes + granule - 1) / granule * granule);
  const auto room = std::find_if(free_.begin(), free_.end(), [&](const auto& part) { return part.second >= size; });
  if (room == free_.end()) return 0;
  const auto [begin, all] = *room;
  free_.erase(room);
  if (all != size) free_.emplace(begin + size, all - size);
  taken_.emplace(begin, size);
  return begin;
}

bool DeviceHeap::release(DeviceAddress address) {
  const auto part = taken_.find(address);
  if (part == taken_.end()) return false;
  auto [begin, bytes] = *part;
  taken_.erase(part);
  const auto after = free_.upper_bound(begin);
  if (after != free_.end() && begin + bytes == after->first) {
    bytes += after->second;
    free_.erase(after);
  }
  const auto next = free_.upper_bound(begin);
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == begin) {
      before->second += bytes;
      return true;
    }
  }
  free_.emplace(begin, bytes);
  return true;
}

}  // namespace reconverge

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Finds the lines and sectors that the addresses of a warp touch.

#include <algorithm>
#include <array>
#include <boost/container/small_vector.hpp>
#include <span>

#include "blocks/load_store.hpp"
#include "models/core/divisor.hpp"
#include "models/execution/operations/operation.hpp"
#include "models/memory/sector_tags.hpp"
#include "models/protocols/first_level.hpp"

namespace reconverge {

/// One request to the L1 cache.
struct LineRequest {
  DeviceAddress line = 0;  ///< address of the line's first byte
  SectorMask sectors = 0;
  bool local = false;  ///< local memory
  FirstLevel cache = FirstLevel::data;
  SectorMask padding = 0;  ///< of its sectors, the ones that complete a line: no lane accesses them
};

/// Requests, ordered by the lowest lane that needs each.
class LineList {
 public:
  void clear() { lines_.clear(); }
  LineRequest& push(LineRequest request) { return lines_.emplace_back(request); }
  std::span<const LineRequest> lines() const { return {lines_.data(), lines_.size()}; }
  std::span<LineRequest> from(std::size_t first) { return {lines_.data() + first, lines_.size() - first}; }
  std::size_t size() const { return lines_.size(); }

 private:
  // Local accesses of 16 bytes take four rows of words; only bulk copies take more.
  boost::container::small_vector<LineRequest, 4 * warp_size> lines_;
};

/// How the addresses of a warp become requests.
struct CoalescingRule {
  LoadStoreCoalescing requests = LoadStoreCoalescing::lines;
  unsigned parts = 1;  ///< parts of the warp, each of which makes its own requests
};

/// The lanes of the first of `parts` parts of a warp.
constexpr unsigned lanes_of_part(unsigned parts) { return (warp_size + parts - 1) / parts; }

/// Appends the requests of `access` to `lines`; a line has `line_bytes` (a power of two). The coalescing mode is
/// - `lines`: distinct lines, each as a whole;
/// - `sectors`: distinct lines, each with the sectors that lanes touch;
/// - `half_warp_segments`: for each half-warp and each 128 bytes, the smallest aligned segment of 32, 64 or 128 bytes
///   that contains all bytes touched there (compute capability 1.2 and 1.3: CUDA C Programming Guide 4.2, section
///   F.3.2).
///
/// No lane straddles a sector: accesses are aligned and at most 16 bytes.
void coalesce(const MemoryAccess& access, FirstLevel cache, unsigned line_bytes, const CoalescingRule& rule,
              LineList& lines);

/// Calls `visit(address)` for each distinct address in `access`, ordered by the lowest lane with this address.
template <typename Visit>
void for_each_address(const MemoryAccess& access, Visit&& visit) {
  std::array<DeviceAddress, warp_size> seen;
  auto end = seen.begin();
  for_each_lane(access.lanes, [&](unsigned lane) {
    const DeviceAddress address = access.address[lane];
    if (std::find(seen.begin(), end, address) != end) return;
    *end++ = address;
    visit(address);
  });
}

/// The banks of shared memory, 4 bytes wide, and how they serve an access.
struct SharedBanks {
  Divisor banks{32};
  unsigned lanes = 32;  ///< lanes served together, if each accesses a word
  unsigned ports = 1;   ///< words that a bank serves in a cycle
  LoadStoreSharedWide wide = LoadStoreSharedWide::words;
};

/// Cycles of a shared-memory access. For each group of lanes that is served together, take the largest number of
/// distinct words that one bank must serve; the result is the sum over the groups, divided by the ports, rounded up.
/// With `pairs`, the groups of a load wider than a word have twice as many lanes if pairs of lanes share addresses:
/// each active lane n with n xor 1, or each with n xor 2, unless that lane is inactive.
unsigned shared_memory_cycles(const MemoryAccess& access, const SharedBanks& memory);

/// The largest number of lanes with the same address; 1 if there are no lanes.
unsigned most_lanes_together(const MemoryAccess& access);

}  // namespace reconverge

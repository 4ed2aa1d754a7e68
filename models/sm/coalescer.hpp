// SPDX-License-Identifier: Apache-2.0
#pragma once
/// From the addresses of a warp to the lines and sectors that they touch.

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

/// What one request to the first-level cache asks for.
struct LineRequest {
  DeviceAddress line = 0;  ///< of its first byte
  SectorMask sectors = 0;
  bool local = false;  ///< local memory
  FirstLevel cache = FirstLevel::data;
};

/// Requests in the order of the lowest lane that needs each.
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

/// Adds what `access` needs of `cache` to `lines`, in lines of `line_bytes` (a power of two): distinct lines whole
/// (`lines`), of distinct lines the sectors that lanes touch (`sectors`), or for each half of the warp the smallest
/// aligned segments of 32, 64 or 128 bytes that hold what its lanes touch in 128 (`half_warp_segments`, compute
/// capability 1.2 and 1.3: CUDA C Programming Guide 4.2, section F.3.2). No lane straddles a sector: accesses are
/// aligned and at most 16 bytes.
void coalesce(const MemoryAccess& access, FirstLevel cache, unsigned line_bytes, LoadStoreCoalescing rule,
              LineList& lines);

/// Calls `visit(address)` for each distinct address of the lanes of `access`, in the order of the lowest lane with it.
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

/// Banks of shared memory, of 4 bytes, and how they serve an access.
struct SharedBanks {
  Divisor banks{32};
  unsigned lanes = 32;      ///< lanes served together, if each accesses a word
  unsigned ports = 1;       ///< words that a bank serves in a cycle
  bool first_word = false;  ///< an access needs only the bank of its first word
};

/// Cycles that a shared-memory access takes: for each group of lanes that is served together, the largest number of
/// distinct words that one bank has to serve; summed over the groups, divided by the ports and rounded up.
unsigned shared_memory_cycles(const MemoryAccess& access, const SharedBanks& memory);

/// The largest number of lanes with one address; 1 if there are no lanes.
unsigned most_lanes_together(const MemoryAccess& access);

}  // namespace reconverge

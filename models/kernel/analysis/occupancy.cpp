// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/analysis/occupancy.hpp"

#include <algorithm>

#include "models/core/lane_mask.hpp"

namespace reconverge::kernel {

std::string_view name_of(Resource resource) {
  switch (resource) {
    case Resource::registers:
      return "registers";
    case Resource::shared_memory:
      return "shared memory";
    case Resource::warp_slots:
      return "warp slots";
    case Resource::block_slots:
      return "block slots";
    default:
      return "?";
  }
}

Occupancy occupancy(const LaunchNeeds& needs, const SmLimits& limits, LaunchUnit unit) {
  const std::uint64_t warps_per_block = (needs.threads_per_block + warp_size - 1) / warp_size;
  const std::uint64_t units =
      (needs.registers_per_thread * warp_size + limits.register_unit - 1) / limits.register_unit;
  const bool whole_blocks = unit == LaunchUnit::block;

  Occupancy result;
  const auto allow = [&](Resource resource, std::uint64_t warps) {
    // All warps of a block start together.
    if (whole_blocks && warps != Occupancy::unlimited) warps -= warps % warps_per_block;
    result.warps_by_resource[static_cast<std::size_t>(resource)] = warps;
  };
  allow(Resource::registers, units == 0 ? Occupancy::unlimited : limits.registers / limits.register_unit / units);
  if (needs.shared_bytes == 0) {
    allow(Resource::shared_memory, Occupancy::unlimited);
  } else if (whole_blocks) {
    allow(Resource::shared_memory, limits.shared_memory / needs.shared_bytes * warps_per_block);
  } else {
    allow(Resource::shared_memory, limits.shared_memory * warps_per_block / needs.shared_bytes);
  }
  allow(Resource::warp_slots, limits.warp_slots);
  allow(Resource::block_slots, whole_blocks ? limits.block_slots * warps_per_block : Occupancy::unlimited);

  const auto& by_resource = result.warps_by_resource;
  const auto scarcest = std::min_element(by_resource.begin(), by_resource.end());
  result.limit = static_cast<Resource>(scarcest - by_resource.begin());
  result.warps = *scarcest;
  result.blocks = result.warps / warps_per_block;
  // The last warp of a block may be partly filled.
  const std::uint64_t rest = result.warps % warps_per_block;
  result.threads = result.blocks * needs.threads_per_block + rest * warp_size;
  return result;
}

}  // namespace reconverge::kernel

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The number of threads that can be resident in an SM, and the resource that limits it.

#include <array>
#include <cstdint>
#include <string_view>

namespace reconverge::kernel {

/// The resources of an SM. `register_unit`: registers are allocated to a warp in multiples of this number.
struct SmLimits {
  std::uint64_t registers = 0;
  std::uint64_t register_unit = 1;
  std::uint64_t shared_memory = 0;  ///< bytes
  std::uint64_t warp_slots = 0;
  std::uint64_t block_slots = 0;
};

/// The resources that a launch needs.
struct LaunchNeeds {
  std::uint64_t registers_per_thread = 0;
  std::uint64_t shared_bytes = 0;  ///< static and dynamic shared memory of a block
  std::uint64_t threads_per_block = 1;
};

/// The unit in which threads start: whole blocks, or single warps as resources become free ("block scheduling" and
/// "thread scheduling" of Steffen and Zambreno, MICRO 2010, section VI).
enum class LaunchUnit : std::uint8_t { block, warp };

enum class Resource : std::uint8_t { registers, shared_memory, warp_slots, block_slots, count };

std::string_view name_of(Resource resource);

struct Occupancy {
  std::uint64_t blocks = 0;  ///< LaunchUnit::warp: number of whole blocks among the warps
  std::uint64_t warps = 0;
  std::uint64_t threads = 0;
  Resource limit = Resource::registers;  ///< the scarcest resource; the first in Resource's order if several are equal
  /// Warps that each resource would allow if it were the only limit (unlimited if the launch needs none of it), by
  /// Resource.
  std::array<std::uint64_t, static_cast<std::size_t>(Resource::count)> warps_by_resource = {};

  static constexpr std::uint64_t unlimited = ~std::uint64_t{0};
};

/// `needs.threads_per_block` and the units of `limits` must be at least one. A warp that starts separately takes no
/// block slot, and only its share of the block's shared memory.
Occupancy occupancy(const LaunchNeeds& needs, const SmLimits& limits, LaunchUnit unit);

}  // namespace reconverge::kernel

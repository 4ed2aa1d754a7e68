// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The values of earlier passes that kernels read, and the values that they write for later passes (Lashari 2008,
/// section 3.2).

#include <functional>
#include <span>
#include <vector>

#include "models/kernel/analysis/liveness.hpp"
#include "models/kernel/partition/partition.hpp"

namespace reconverge::kernel {

/// Basic blocks of a kernel.
struct PassRegion {
  std::vector<std::uint32_t> blocks;      ///< in the order of region_of; threads enter at the first
  std::vector<std::uint32_t> successors;  ///< regions
};

/// Values of one region: register rows, then predicates.
struct RegionValues {
  ValueSet written;    ///< some instruction writes it
  ValueSet inputs;     ///< upward exposed: read before they are written, or kept on a path that does not write them
  ValueSet outputs;    ///< downward exposed: written, and needed by later regions
  ValueSet constants;  ///< values that the region reads and all threads share
  ValueSet live_in;    ///< values that arrays must hold when threads enter
  ValueSet live_out;
};

/// `shared(region, row)`: whether the row is a constant of the kernel, which it need not read.
std::vector<RegionValues> region_values(const Program& program, std::span<const BasicBlock> blocks,
                                        std::span<const PassRegion> regions,
                                        const std::function<bool(std::uint32_t region, std::uint16_t row)>& shared);

/// Arrays for all values between passes, with elements of at most `words` words. Values share an array if the same
/// regions write them, and the same regions read and then write them.
std::vector<PassArray> make_arrays(std::span<const RegionValues> regions, std::uint32_t words);

}  // namespace reconverge::kernel

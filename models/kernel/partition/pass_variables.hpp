// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Which values of earlier passes kernels read, and which they leave (Lashari 2008, section 3.2).

#include <functional>
#include <span>
#include <vector>

#include "models/kernel/analysis/liveness.hpp"
#include "models/kernel/partition/partition.hpp"

namespace reconverge::kernel {

/// Basic blocks of a kernel.
struct PassRegion {
  std::vector<std::uint32_t> blocks;      ///< as region_of gives them; threads come in at the first
  std::vector<std::uint32_t> successors;  ///< regions
};

/// Values of one region: register rows, then predicates.
struct RegionValues {
  ValueSet written;    ///< by some instruction
  ValueSet inputs;     ///< upward exposed: read before they are written, or kept on a path that does not write them
  ValueSet outputs;    ///< downward exposed: written, and needed by later regions
  ValueSet constants;  ///< values that it would read, but that all threads share
  ValueSet live_in;    ///< that arrays must hold when threads come in
  ValueSet live_out;
};

/// `shared(region, row)`: whether the row is a constant of the kernel, which it need not read.
std::vector<RegionValues> region_values(const Program& program, std::span<const BasicBlock> blocks,
                                        std::span<const PassRegion> regions,
                                        const std::function<bool(std::uint32_t region, std::uint16_t row)>& shared);

/// Arrays for all values between passes, of at most `words` words: values are in one array if the same regions write
/// them, and the same regions read and then write them.
std::vector<PassArray> make_arrays(std::span<const RegionValues> regions, std::uint32_t words);

}  // namespace reconverge::kernel

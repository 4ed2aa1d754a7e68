// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Random traffic through model and RTL of dynamic ray shuffling, in several configurations.

#include <array>
#include <cstdint>
#include <string_view>

namespace reconverge {
class RayCoverage;
}

namespace reconverge::tests {

/// A configuration that has RTL in this build.
struct LockStepConfiguration {
  std::string_view name;
  std::size_t warps;
  unsigned width;
  std::uint64_t backup_rows;
  std::uint64_t swap_buffers;
  std::uint64_t ray_registers;
};
inline constexpr std::array<LockStepConfiguration, 4> lock_step_configurations{{
    {"58 warps, as by default", 58, 32, 1, 6, 17},
    {"60 warps, eight backup rows, eighteen buffers", 60, 32, 8, 18, 17},
    {"two warps of eight lanes, two buffers", 2, 8, 1, 2, 17},
    {"one warp of eight lanes, three registers in eight buffers", 1, 8, 1, 8, 3},
}};

/// Runs blocks one after the other, each from reset until all rays have ended, until `cycles` cycles have been
/// compared; the seed determines everything else. Returns the cycles. Throws LockStepDifference, and std::runtime_error
/// if model and RTL agree on something illegal: a ray lost or duplicated, or a warp with rays of two states.
std::uint64_t run_lock_step(std::size_t configuration, std::uint64_t seed, std::uint64_t cycles, RayCoverage& coverage);

}  // namespace reconverge::tests

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The results of the passes over a program, in readable form.

#include <cstdint>
#include <span>
#include <string>

#include "models/kernel/analysis/occupancy.hpp"
#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// Loops, indented by depth, and irreducible regions.
std::string loops_text(const Program& program);

/// The registers and predicates that are live before each instruction, and their maximum number.
std::string liveness_text(const Program& program);

/// The reconvergence point of each branch.
std::string reconvergence_text(const Program& program);

/// The branches that may split a warp, and the live rows that may differ at the top of each block.
std::string divergence_text(const Program& program);

/// Convergence barriers, each before its instruction, and the branches without a barrier.
std::string barriers_text(const Program& program);

/// The scoreboards that instructions report to and wait for.
std::string scoreboards_text(const Program& program);

/// The parameters of an occupancy query.
struct OccupancyQuestion {
  SmLimits limits;
  std::span<const std::uint32_t> block_sizes;  ///< threads; one line each
  std::uint64_t dynamic_shared_bytes = 0;
  LaunchUnit unit = LaunchUnit::block;
};

/// Resident blocks, warps and threads by block size, the limiting resource, and whether the kernel's declarations are
/// met.
std::string occupancy_text(const Program& program, const OccupancyQuestion& question);

}  // namespace reconverge::kernel

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A small machine so narrow that every limit of it is reached, and two launches that use all of it.

#include <string>
#include <vector>

#include "platforms/configuration/configuration.hpp"
#include "tests/microbench/microbench.hpp"

namespace reconverge::tests {

/// `path=value`, as on the command line, from below `gpu`.
using Overrides = std::vector<std::string>;

GpuParameters narrow_machine(const Overrides& overrides = {});
/// The same, and where its values come from.
configuration::Configuration narrow_configuration(const Overrides& overrides, GpuParameters& parameters);

/// Blocks whose threads depend on each other.
Statistics run_medley(const GpuParameters& parameters);
/// Independent threads that end one by one.
Statistics run_alone(const GpuParameters& parameters);

inline constexpr std::uint32_t rays_of_narrow_machine = 3000;
inline constexpr std::uint32_t ray_blocks = 24;
inline constexpr std::uint32_t ray_block_threads = 96;
/// Rays that hardware moves between threads; the machine must have dynamic ray shuffling.
Measurement run_rays(const GpuParameters& parameters);

/// Threads of the grid, in blocks of 88.
inline constexpr std::uint32_t spawning_threads = 8 * 88;
/// Threads that create one each, which adds one to the word of its number; the machine must have dynamic micro-kernels.
Measurement run_spawns(const GpuParameters& parameters);

/// Threads of the grid that trace, in blocks of 96, and the number of rays.
inline constexpr std::uint32_t tracing_threads = 8 * 96;
inline constexpr std::uint32_t traced_rays = 512;
inline constexpr std::uint32_t traced_rounds = 6;
/// Rays through a tree that is larger than every cache here; the machine must have a traversal unit.
Measurement run_traces(const GpuParameters& parameters);

}  // namespace reconverge::tests

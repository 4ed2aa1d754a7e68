// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A machine with parameters so small that launches reach each of its limits, and launches that use all its blocks.

#include <string>
#include <vector>

#include "platforms/configuration/configuration.hpp"
#include "tests/microbench/microbench.hpp"

namespace reconverge::tests {

/// `path=value`, as on the command line; paths are relative to `gpu`.
using Overrides = std::vector<std::string>;

GpuParameters narrow_machine(const Overrides& overrides = {});
/// The narrow machine, and the origins of its values.
configuration::Configuration narrow_configuration(const Overrides& overrides, GpuParameters& parameters);

/// Runs thread blocks whose threads depend on each other.
Statistics run_medley(const GpuParameters& parameters);
/// Runs independent threads that end one by one.
Statistics run_alone(const GpuParameters& parameters);

inline constexpr std::uint32_t rays_of_narrow_machine = 3000;
inline constexpr std::uint32_t ray_blocks = 24;
inline constexpr std::uint32_t ray_block_threads = 96;
/// Runs rays that hardware moves between threads. The machine must have dynamic ray shuffling.
Measurement run_rays(const GpuParameters& parameters);

/// The number of threads of the grid, in blocks of 88.
inline constexpr std::uint32_t spawning_threads = 8 * 88;
/// Runs threads that spawn one thread each; spawned thread n adds one to word n. The machine must have dynamic
/// micro-kernels.
Measurement run_spawns(const GpuParameters& parameters);

/// The number of tracing threads, in blocks of 96, and the number of rays.
inline constexpr std::uint32_t tracing_threads = 8 * 96;
inline constexpr std::uint32_t traced_rays = 512;
inline constexpr std::uint32_t traced_rounds = 6;
/// Traces rays through a tree that is larger than every cache. The machine must have a traversal unit.
Measurement run_traces(const GpuParameters& parameters);

}  // namespace reconverge::tests

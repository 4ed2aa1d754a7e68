// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The host memory that launches need.

#include <cstdint>

#include "blocks/experiment.hpp"
#include "platforms/host/memory_need.hpp"
#include "platforms/launch/plan.hpp"
#include "platforms/machines/machines.hpp"

namespace reconverge::launch {

/// Of the program itself, bytes.
inline constexpr std::uint64_t program_bytes = std::uint64_t{32} << 20U;

/// An estimate for a plan that was read: buffers with their contents on the host and on the device, expected contents,
/// pictures, and the registers of machines that keep those of all threads. Memory that a kernel never touches is
/// included; memory allocated by malloc in kernels is not.
MemoryNeed memory_need(const LaunchPlan& plan, const ExperimentParameters& parameters, Kinds kinds);

/// What the user can do about a plan that is too large.
inline constexpr const char* smaller_plan = "make buffers or grids smaller";

}  // namespace reconverge::launch

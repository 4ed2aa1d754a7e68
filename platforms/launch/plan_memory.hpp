#pragma once
/// What launches take of the host's memory.

#include "blocks/experiment.hpp"
#include "platforms/host/memory_need.hpp"
#include "platforms/launch/plan.hpp"

namespace reconverge::launch {

/// An estimate for a plan that was read: buffers with their contents on the host and on the device, what is expected,
/// pictures, and the registers of machines that keep those of all threads. Memory that a kernel never touches is
/// counted, too; that of malloc in kernels is not.
MemoryNeed memory_need(const LaunchPlan& plan, const ExperimentParameters& parameters);

/// What to do about a plan that is too large.
inline constexpr const char* smaller_plan = "make the buffers smaller";

}  // namespace reconverge::launch

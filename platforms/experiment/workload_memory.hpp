// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Estimates the host memory that the ray-tracing workload needs.

#include <cstdint>

#include "blocks/experiment.hpp"
#include "platforms/experiment/acceleration.hpp"
#include "platforms/host/memory_need.hpp"
#include "platforms/machines/machines.hpp"
#include "scenes/light/path_tracer.hpp"

namespace reconverge {

/// The inputs of the estimate, besides the platform.
struct WorkloadSize {
  std::uint64_t vertices = 0;
  std::uint64_t triangles = 0;
  std::uint64_t structure_bytes = 0;  ///< of its arrays on the device
  std::uint64_t textures_bytes = 0;   ///< of a megakernel
  std::uint64_t pixels = 0;
  std::uint64_t paths = 0;    ///< that are followed
  std::uint64_t rays = 0;     ///< of all streams, or made by a megakernel
  std::uint64_t streams = 0;  ///< each has one entry for every pixel

  /// The same scene for another picture size: the number of rays for each path is unchanged.
  WorkloadSize with_picture(const WorkloadParameters& workload) const;
};

/// An estimate, calibrated by measurement: between the actual use and twice that (tests/system/memory_test.cpp).
MemoryNeed memory_need(const WorkloadSize& size, const ExperimentParameters& parameters, Kinds kinds);

/// What the user can do about a workload that is too large.
inline constexpr const char* smaller_workload =
    "lower workload.width, height, samples or bounces, set workload.max_rays, or take a scene with fewer triangles";

/// Everything except the rays, which are known once they are traced.
WorkloadSize size_of(const WorkloadParameters& workload, const scenes::Mesh& mesh, const AccelerationFacts& structure);

/// Refuses, by an InputError, a need that exceeds the host's memory, and reports a large one.
void check_workload_memory(const MemoryNeed& need);
/// The same for streams whose rays are not traced yet. Follows a few paths if the number of rays matters.
void check_workload_memory(WorkloadSize size, const scenes::Mesh& mesh, const scenes::PathTracerOptions& options,
                           const ExperimentParameters& parameters, Kinds kinds);

/// The same for recording the streams, without a platform.
void check_recording_memory(const scenes::Mesh& mesh, const scenes::PathTracerOptions& options);

}  // namespace reconverge

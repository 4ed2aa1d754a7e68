// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Runs the ray-tracing workload on a machine: upload, trace stream by stream, check every hit, shade, resolve the
/// picture.

#include <cstdint>
#include <string>
#include <vector>

#include "blocks/experiment.hpp"
#include "models/core/cycle.hpp"
#include "models/core/statistics_tree.hpp"
#include "models/protocols/scheme_list.hpp"
#include "platforms/experiment/acceleration.hpp"
#include "platforms/experiment/workload_memory.hpp"
#include "platforms/launch/session.hpp"
#include "platforms/run_control.hpp"
#include "scenes/mesh.hpp"
#include "scenes/structures/hit_comparison.hpp"

namespace reconverge {

/// The name, in messages and in the report's folder, of PTX that was made of the tracing kernel.
inline constexpr const char* microkernels_name = "microkernels.ptx";

/// One launch of the workload.
struct Stage {
  std::string name;             ///< "bounce 1", "bounce 1 shadow", "shade", "resolve"
  std::string kernel;           ///< kernel entry
  std::uint64_t rays = 0;       ///< traced by this stage; zero for shading
  std::uint64_t rays_done = 0;  ///< all of them, or the rays done when `stop_after` ended the stage
  /// Not completed: stopped before its end, or before all its hits were checked.
  launch::LaunchResult cost = {};
  scenes::HitComparison hits = {};  ///< for tracing stages that completed
};

/// The inputs of the workload, for the report and the manifest.
struct WorkloadFacts {
  std::string scene;
  std::uint64_t triangles = 0;
  AccelerationFacts structure;
  std::uint64_t rays = 0;
  std::uint64_t repaired_triangles = 0;  ///< dropped by the loader
  WorkloadSize size{};                   ///< for an estimate of memory
};

struct RayTracingResult {
  WorkloadFacts facts;
  std::vector<Stage> stages;
  bool completed = false;  ///< false: stopped; stages contain the completed work
  bool cut = false;        ///< stopped by `stop_after`
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint32_t> rgba;  ///< the picture that the machine resolved; empty if it was stopped earlier
  std::string microkernels;         ///< PTX that was made of the tracing kernel; empty: the kernel ran unchanged
  double picture_error = 0;         ///< largest difference of a linear channel from the host's sum over the same hits
};

/// Warnings, with file and line, about programs that may behave differently on these schemes than their authors intend.
/// Throws InputError.
std::vector<std::string> program_warnings(const ExperimentParameters& parameters,
                                          SchemeList schemes = built_in_schemes());

/// Loads programs, scene and rays before it makes the machine and runs. Throws InputError for inputs that cannot run,
/// ExecutionError for a program that fails.
RayTracingResult run_ray_tracing(const ExperimentParameters& parameters, const RunControl& control = {});

}  // namespace reconverge

#pragma once
/// The ray-tracing workload on a machine: upload, trace stream by stream, check every hit, shade, resolve the picture.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "blocks/experiment.hpp"
#include "models/core/cycle.hpp"
#include "platforms/experiment/acceleration.hpp"
#include "platforms/experiment/workload_memory.hpp"
#include "platforms/gpu/schemes.hpp"
#include "platforms/machine.hpp"
#include "platforms/profile/recorded_run.hpp"
#include "platforms/run_control.hpp"
#include "scenes/mesh.hpp"
#include "scenes/structures/hit_comparison.hpp"

namespace reconverge {

/// What PTX that was made of the kernel that traces is called, in messages and in the folder of the report.
inline constexpr const char* microkernels_name = "microkernels.ptx";

/// One launch of the workload and what it took.
struct Stage {
  std::string name;              ///< "bounce 1", "bounce 1 shadow", "shade", "resolve"
  std::string kernel;            ///< entry that ran
  std::uint64_t rays = 0;        ///< traced by this stage; zero for shading
  std::uint64_t rays_done = 0;   ///< all of them, or those that were done when `stop_after` ended the stage
  bool completed = false;        ///< false: stopped before its end
  Statistics totals;             ///< what this stage alone counted
  RunHistory history;            ///< of this stage, where the experiment asks for one
  std::vector<Traffic> traffic;  ///< between the parts of the kernel, on machines that cut it
  scenes::HitComparison hits;    ///< for tracing stages that completed
  std::optional<InstructionProfile> profile;  ///< as the history
};

/// What the workload is built from, for the report and the manifest.
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
  bool completed = false;  ///< false: stopped; stages hold what was done
  bool cut = false;        ///< stopped by `stop_after`
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint32_t> rgba;  ///< the picture that the machine resolved, empty when stopped before
  std::string microkernels;         ///< PTX that was made of the kernel that traces; empty: that ran itself
  double picture_error = 0;         ///< largest difference of a linear channel from the host's sum over the same hits
};

/// Where a run is, for progress display.
struct RunProgress {
  std::string_view stage;
  std::uint64_t rays_done = 0;  ///< of all rays of the run: in finished blocks, or taken by threads that stay
  std::uint64_t rays = 0;
  Cycle cycles = 0;  ///< simulated so far, all stages
};

/// Asked now and then; false stops the run.
using KeepRunning = std::function<bool(const RunProgress&)>;

/// What may go otherwise in its programs than their authors mean, on these schemes, with file and line. Throws
/// InputError.
std::vector<std::string> program_warnings(const ExperimentParameters& parameters,
                                          SchemeList schemes = built_in_schemes());

/// What the experiment records of its launches.
Recording recording_of(const ExperimentParameters& parameters);

/// Loads programs, scene and rays, and only then makes the machine and runs. Throws InputError for what cannot run,
/// ExecutionError for a program that goes wrong. Needs a SimulationContext.
RayTracingResult run_ray_tracing(const ExperimentParameters& parameters, const KeepRunning& keep_running = {},
                                 const RunControl& control = {});

}  // namespace reconverge

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// One experiment of the tree as a benchmark: simulated up to a number of cycles, without a report.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "models/core/cycle_count.hpp"
#include "platforms/configuration/configuration.hpp"
#include "platforms/experiment/ray_tracing.hpp"
#include "platforms/machines/gpu/gpu.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "platforms/machines/machines.hpp"

namespace reconverge {

struct TimedRun {
  std::string experiment;             ///< below yaml/experiments
  std::vector<std::string> settings;  ///< as of --set
  Cycle cycles = 0;                   ///< that are simulated
  unsigned threads = 1;
};

struct RunTime {
  /// Without the time for the scene and its rays, with checks of results.
  double seconds = 0;
  /// From the first report of progress to the last: without these checks if there is one launch.
  double simulating = 0;
  std::uint64_t cycles = 0;
  std::uint64_t warp_instructions = 0;
};

/// `prepare`: called before the first launch.
inline RunTime time_run(const TimedRun& run, const std::function<void(Gpu&)>& prepare = {}) {
  using HostClock = std::chrono::steady_clock;
  ExperimentParameters parameters;
  configuration::load(with_kinds(experiment_block), &parameters,
                      std::filesystem::path(RECONVERGE_SOURCE_DIR) / "yaml/experiments" / (run.experiment + ".yaml"),
                      run.settings);
  RunControl control;
  control.most_cycles = run.cycles;
  HostClock::time_point begun;
  HostClock::time_point first;
  HostClock::time_point last;
  Cycle reported = 0;
  control.keep_running = [&](const RunProgress& progress) {
    if (progress.cycles > reported) last = HostClock::now();
    if (reported == 0) first = last;
    reported = std::max(reported, progress.cycles);
    return true;
  };
  control.prepare = [&](Machine& machine) {
    auto& gpu = dynamic_cast<Gpu&>(machine);
    gpu.use_threads(run.threads);
    if (prepare) prepare(gpu);
    begun = HostClock::now();
  };
  const RayTracingResult result = run_ray_tracing(parameters, control);
  RunTime time;
  time.seconds = std::chrono::duration<double>(HostClock::now() - begun).count();
  time.simulating = std::chrono::duration<double>(last - first).count();
  for (const Stage& stage : result.stages) {
    time.cycles += stage.cost.counters->of<GpuStatistics>().cycles;
    time.warp_instructions += stage.cost.instructions.warp_instructions;
  }
  return time;
}

}  // namespace reconverge

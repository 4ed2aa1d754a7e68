// SPDX-License-Identifier: Apache-2.0
// How far the time that is left, as progress shows it after a tenth of a run, is from the time that the run then takes.
// One JSON object for each run; with an argument, only for runs whose EXPERIMENT/SCENE contains it. Rays of later
// bounces take longer than camera rays; shares of rays ignore this.

#include <fmt/format.h>

#include <cstdio>
#include <vector>

#include "benchmarks/timed_run.hpp"

extern "C" int sc_main(int /*argc*/, char** /*argv*/) { return 0; }

namespace reconverge {
namespace {

struct Moment {
  double seconds = 0;  // since the first
  double share = 0;    // of the expected time
  double rays = 0;     // share of them
};

/// The time that was left is predicted from the share that has passed.
double error(double share, const Moment& moment, double all) {
  return ((1 - share) / share * moment.seconds) / (all - moment.seconds) - 1;
}

void report(const std::string& experiment, const std::string& scene) {
  using HostClock = std::chrono::steady_clock;
  ExperimentParameters parameters;
  const std::vector<std::string> settings{"workload.scene=" + scene, "workload.max_rays=16384", "workload.bounces=4"};
  configuration::load(with_kinds(experiment_block), &parameters,
                      std::filesystem::path(RECONVERGE_SOURCE_DIR) / "yaml/experiments" / (experiment + ".yaml"),
                      settings);
  std::vector<Moment> moments;
  HostClock::time_point first;
  RunControl control;
  control.keep_running = [&](const RunProgress& progress) {
    const HostClock::time_point now = HostClock::now();
    if (moments.empty()) first = now;
    moments.push_back({std::chrono::duration<double>(now - first).count(), progress.share.value_or(0),
                       ratio(static_cast<double>(progress.done), static_cast<double>(progress.all))});
    return true;
  };
  run_ray_tracing(parameters, control);
  const double all = moments.back().seconds;
  const auto tenth = std::ranges::find_if(moments, [&](const Moment& moment) { return moment.seconds >= all / 10; });
  fmt::print(R"({{"experiment": "{}", "scene": "{}", "seconds": {:.1f}, "error": {:.3f}, "error_by_rays": {:.3f}}})"
             "\n",
             experiment, scene, all, error(tenth->share, *tenth, all), error(tenth->rays, *tenth, all));
  std::fflush(stdout);
}

}  // namespace
}  // namespace reconverge

int main(int argc, char** argv) {
  const std::string chosen = argc > 1 ? argv[1] : "";
  for (const char* const experiment : {"simulated_software", "simulated_compaction", "simulated_microkernels",
                                       "simulated_shuffling", "conference_mimd"}) {
    for (const char* const scene : {"conference", "forest", "sponza", "plants"}) {
      const bool wanted = fmt::format("{}/{}", experiment, scene).find(chosen) != std::string::npos;
      if (wanted) reconverge::report(experiment, scene);
    }
  }
  return 0;
}

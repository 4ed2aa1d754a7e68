#pragma once
/// Runs what a file asks for: buffers, launches one after the other, then what is expected and what is written.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/launch/plan.hpp"
#include "platforms/launch/session.hpp"

namespace reconverge::launch {

struct PlanResult {
  bool completed = false;              ///< false: stopped; the run that was under way is then incomplete
  std::vector<LaunchResult> launches;  ///< those that began, in order, each as the sum of its runs
  std::vector<Comparison> checks;      ///< parallel to the plan's; empty when stopped
  std::vector<std::string> outputs;    ///< the bytes of each file, parallel to the plan's; empty when stopped
};

/// Where a run is, for progress display.
struct PlanProgress {
  std::string_view launch;
  std::uint64_t blocks_ended = 0;
  std::uint64_t blocks = 0;
  Cycle cycles = 0;  ///< simulated so far, all launches
};

/// Asked now and then; false stops the run.
using KeepRunning = std::function<bool(const PlanProgress&)>;

/// Gets what the launch of that name prints, piece by piece.
using PlanPrint = std::function<void(std::string_view launch, std::string_view text)>;

/// Throws InputError for a launch that the platform cannot hold, ExecutionError for a program that goes wrong.
PlanResult run_plan(const LaunchPlan& plan, Machine machine, const Platform& platform,
                    const KeepRunning& keep_running = {}, const PlanPrint& print = {},
                    SchemeList schemes = built_in_schemes(), const Recording& recording = {},
                    const PrepareMachine& prepare = {});

/// Starts each launch by itself on a platform of its own and stops it soon, so that one that does not fit is found
/// without running. Throws InputError.
void rehearse_plan(const LaunchPlan& plan, Machine machine, const Platform& platform,
                   SchemeList schemes = built_in_schemes());

}  // namespace reconverge::launch

#pragma once
/// Runs what a file asks for: buffers, launches one after the other, then what is expected and what is written.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/launch/plan.hpp"
#include "platforms/launch/session.hpp"
#include "platforms/run_control.hpp"

namespace reconverge::launch {

/// The bytes of a file: some of its own, then those of a buffer, which are not copied.
struct PlanOutput {
  std::string head;
  std::span<const std::byte> data;
};

struct PlanResult {
  bool completed = false;              ///< false: stopped; the run that was under way is then incomplete
  std::vector<LaunchResult> launches;  ///< those that began, in order, each as the sum of its runs
  std::vector<Comparison> checks;      ///< parallel to the plan's; empty when stopped
  std::vector<PlanOutput> outputs;     ///< parallel to the plan's; empty when stopped
  /// Holds the data of the outputs.
  std::shared_ptr<const DeviceMemory> memory;
};

/// Where a run is, for progress display.
struct PlanProgress {
  std::string_view launch;
  std::uint64_t blocks_ended = 0;  ///< of all launches, repeated ones each time, as all below
  std::uint64_t blocks = 0;
  Cycle cycles = 0;  ///< simulated so far
};

/// Asked now and then; false stops the run.
using KeepRunning = std::function<bool(const PlanProgress&)>;

/// Gets what the launch of that name prints, piece by piece.
using PlanPrint = std::function<void(std::string_view launch, std::string_view text)>;

/// Throws InputError for a launch that the platform cannot hold, ExecutionError for a program that goes wrong.
PlanResult run_plan(const LaunchPlan& plan, Machine machine, const Platform& platform,
                    const KeepRunning& keep_running = {}, const PlanPrint& print = {}, const RunControl& control = {},
                    const Recording& recording = {});

/// Starts each launch by itself on a platform of its own and stops it soon, so that one that does not fit is found
/// without running. Throws InputError.
void rehearse_plan(const LaunchPlan& plan, Machine machine, const Platform& platform,
                   SchemeList schemes = built_in_schemes());

}  // namespace reconverge::launch

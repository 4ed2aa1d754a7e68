// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Runs a plan: buffers, launches in sequence, then comparison with expected contents and output.

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "models/protocols/scheme_list.hpp"
#include "platforms/launch/plan.hpp"
#include "platforms/launch/session.hpp"
#include "platforms/run_control.hpp"

namespace reconverge::launch {

/// The bytes of a file: a header, followed by the bytes of a buffer, which are not copied.
struct PlanOutput {
  std::string head;
  std::span<const std::byte> data;
};

struct PlanResult {
  bool completed = false;              ///< false: stopped; the run in progress is then incomplete
  std::vector<LaunchResult> launches;  ///< launches that began, in order, each as the sum of its runs
  std::vector<Comparison> checks;      ///< parallel to the plan's; empty when stopped
  std::vector<PlanOutput> outputs;     ///< parallel to the plan's; empty when stopped
  /// Holds the data of the outputs.
  std::shared_ptr<const DeviceMemory> memory;
};

/// Selects the simulated part of the launches, and the recordings.
struct PlanScope {
  Recording recording{};
  SamplingParameters sampling{};
};

/// Throws InputError for a launch that the platform cannot hold, ExecutionError for a program that fails.
PlanResult run_plan(const LaunchPlan& plan, const MachineKind& machine, const Platform& platform,
                    const RunControl& control = {}, const PlanScope& scope = {});

/// Starts each launch on a separate platform and stops it soon, to find launches that do not fit without running them.
/// Throws InputError.
void rehearse_plan(const LaunchPlan& plan, const MachineKind& machine, const Platform& platform,
                   SchemeList schemes = built_in_schemes());

}  // namespace reconverge::launch

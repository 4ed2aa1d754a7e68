// SPDX-License-Identifier: Apache-2.0
#include "platforms/launch/plan_memory.hpp"

#include <algorithm>

namespace reconverge::launch {

namespace {

// Measured on the shipped experiments.
constexpr std::uint64_t of_pixel = 9;  // three bytes, filtered, and encoded

/// Of the threads of a launch, twice: before and after a pass.
std::uint64_t bytes_of_registers(const PlannedLaunch& launch) {
  return launch.grid.count() * launch.block.count() * launch.program->register_rows * sizeof(std::uint32_t) * 2;
}

}  // namespace

MemoryNeed memory_need(const LaunchPlan& plan, const ExperimentParameters& parameters, Kinds kinds) {
  MemoryNeed need;
  need.add("program", program_bytes);
  need.add("platform", host_bytes(parameters, kinds));
  for (const PlannedBuffer& buffer : plan.buffers) {
    need.add("contents of buffers", buffer.contents.size());
    need.add("device memory", buffer.bytes());
  }
  for (const PlannedCheck& check : plan.checks) need.add("expected contents", check.expected.size());
  std::uint64_t registers = 0;
  for (const PlannedLaunch& launch : plan.launches) {
    need.add("device memory", launch.array_bytes);
    registers = std::max(registers, bytes_of_registers(launch));
  }
  if (machine_of(parameters, kinds).traits.keeps_threads) need.add("registers", registers);
  for (const PlannedOutput& output : plan.outputs) {
    if (output.format == OutputFormat::png) need.add("pictures", of_pixel * output.shape[0] * output.shape[1]);
  }
  return need;
}

}  // namespace reconverge::launch

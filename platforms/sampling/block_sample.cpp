// SPDX-License-Identifier: Apache-2.0
#include "platforms/sampling/block_sample.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "blocks/gpu.hpp"
#include "models/kernel/analysis/company.hpp"

namespace reconverge::sampling {

namespace {

/// Whether the instruction may read what another block wrote.
bool sees_other_blocks(const kernel::Instruction& instruction) {
  if (instruction.space == kernel::Space::shared || instruction.space == kernel::Space::local) return false;
  if (instruction.operation_class == kernel::OperationClass::atomic) return instruction.destination[0].present();
  return kernel::is_strong_load(instruction);
}

}  // namespace

std::string in_full_because(const kernel::Program& program) {
  for (const kernel::Instruction& instruction : program.instructions) {
    if (instruction.extension != kernel::no_extension)
      return fmt::format("line {} has an instruction that only a scheme executes", instruction.line);
    if (sees_other_blocks(instruction))
      return fmt::format("line {} may read what another block writes", instruction.line);
  }
  return {};
}

BlockSelection selection_of(const SamplingParameters& sampling, std::uint64_t resident) {
  const std::uint64_t length = std::max<std::uint64_t>(sampling.consecutive != 0 ? sampling.consecutive : resident, 1);
  return {length * sampling.every, length};
}

Work work_of(const Launch& launch, const Machine& machine) {
  return {"blocks", launch.grid.count(), launch.blocks(), machine.blocks_at_once(launch),
          [](const Statistics& so_far) { return so_far.of<GpuStatistics>().blocks_launched; }};
}

}  // namespace reconverge::sampling

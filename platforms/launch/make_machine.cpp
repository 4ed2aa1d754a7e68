#include "platforms/launch/make_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "models/kernel/analysis/waiting_rounds.hpp"
#include "platforms/machines/gpu/gpu.hpp"
#include "platforms/machines/gpu/residency.hpp"
#include "platforms/machines/multi_pass/multi_pass_machine.hpp"
#include "platforms/machines/stream_processor/stream_machine.hpp"

namespace reconverge::launch {

namespace {

/// A warning if threads may wait for each other and their forward progress differs from that under the GPU's scheme.
std::vector<std::string> functional_warnings(const kernel::Program& program, const GpuParameters& gpu,
                                             SchemeList schemes) {
  const SchemeKind& paths = *schemes_of(gpu.sm, schemes).front();
  // The first scheme is the stack, which warps use here unless their lanes progress independently.
  if (paths.traits.lanes_alone || paths.traits.independent || &paths == schemes.front()) return {};
  const std::vector<bool> rounds = kernel::find_waiting_rounds(program);
  const auto first = std::ranges::find(rounds, true);
  if (first == rounds.end()) return {};
  return {
      fmt::format("{}: threads of kernel '{}' may wait for each other in this loop; the functional machine runs "
                  "warps as {} does, so that the kernel may end here and not on a GPU with {}, or the reverse",
                  kernel::place_of(program, static_cast<kernel::Pc>(first - rounds.begin())), program.name,
                  schemes.front()->part.name, paths.part.name)};
}

/// A kernel that reads the workspace of its grid, which only a cooperative launch has.
std::vector<std::string> workspace_warnings(const PlannedLaunch& launch) {
  if (launch.cooperative) return {};
  const kernel::Program& program = *launch.program;
  const auto reads = [](const kernel::Instruction& instruction) {
    return std::ranges::any_of(instruction.source, [](kernel::Operand operand) {
      if (!operand.present() || operand.bank() != kernel::Bank::special) return false;
      const auto row = static_cast<kernel::SpecialRow>(operand.row());
      return row == kernel::SpecialRow::envreg1 || row == kernel::SpecialRow::envreg2;
    });
  };
  const auto found = std::ranges::find_if(program.instructions, reads);
  if (found == program.instructions.end()) return {};
  return {
      fmt::format("{}: kernel '{}' reads the address of its grid's workspace, which is zero here; write "
                  "`cooperative: true` for launch '{}' if its blocks meet at barriers of the grid",
                  kernel::place_of(program, *found), program.name, launch.name)};
}

}  // namespace

FunctionalParameters functional_parameters(const GpuParameters& gpu, SchemeList schemes) {
  const SchemeTraits paths = schemes_of(gpu.sm, schemes).front()->traits;
  FunctionalParameters parameters;
  if (paths.lanes_alone) {
    parameters.progress = ForwardProgress::lanes;
  } else if (paths.independent) {
    parameters.progress = ForwardProgress::waiting_lanes;
  }
  parameters.resident_blocks = [gpu, paths](const Launch& launch) {
    return gpu.sms * blocks_at_once(launch, gpu.sm, paths, gpu.sm.register_file.registers);
  };
  return parameters;
}

std::unique_ptr<reconverge::Machine> make_machine(ExperimentMachine kind, const Platform& platform,
                                                  SchemeList schemes) {
  switch (kind) {
    case ExperimentMachine::functional:
      return std::make_unique<FunctionalMachine>(functional_parameters(platform.gpu, schemes));
    case ExperimentMachine::streams:
      return std::make_unique<StreamMachine>(platform.stream_processor);
    case ExperimentMachine::multi_pass:
      return std::make_unique<MultiPassMachine>(platform.multi_pass);
    case ExperimentMachine::timed:
      break;
  }
  return std::make_unique<Gpu>("gpu", platform.gpu, schemes);
}

std::vector<std::string> warnings_of(const LaunchPlan& plan, ExperimentMachine kind, const GpuParameters& gpu,
                                     SchemeList schemes) {
  std::vector<std::string> warnings = plan.warnings;
  if (kind != ExperimentMachine::timed && kind != ExperimentMachine::functional) return warnings;
  const auto kinds = schemes_of(gpu.sm, schemes);
  std::set<const kernel::Program*> told;
  for (const PlannedLaunch& launch : plan.launches) {
    const auto add = [&](const std::vector<std::string>& more) {
      warnings.insert(warnings.end(), more.begin(), more.end());
    };
    add(workspace_warnings(launch));
    if (!told.insert(launch.program.get()).second) continue;
    add(kind == ExperimentMachine::timed ? scheme_warnings(kinds, *launch.program, gpu.sm)
                                         : functional_warnings(*launch.program, gpu, schemes));
  }
  return warnings;
}

}  // namespace reconverge::launch

// SPDX-License-Identifier: Apache-2.0
#include "platforms/launch/plan_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace reconverge::launch {

namespace {

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

std::vector<std::string> warnings_of(const LaunchPlan& plan, const MachineKind& machine, const Platform& platform,
                                     SchemeList schemes) {
  std::vector<std::string> warnings = plan.warnings;
  const auto add = [&](const std::vector<std::string>& more) {
    warnings.insert(warnings.end(), more.begin(), more.end());
  };
  std::set<const kernel::Program*> told;
  for (const PlannedLaunch& launch : plan.launches) {
    if (machine.traits.warps) add(workspace_warnings(launch));
    if (!told.insert(launch.program.get()).second || machine.warnings == nullptr) continue;
    add(machine.warnings(*launch.program, platform, schemes));
  }
  return warnings;
}

}  // namespace reconverge::launch

// SPDX-License-Identifier: Apache-2.0
#include "platforms/machines/functional/functional_kind.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/kernel/analysis/waiting_rounds.hpp"
#include "platforms/machines/functional/functional_machine.hpp"
#include "platforms/machines/gpu/residency.hpp"
#include "platforms/machines/gpu/schemes.hpp"

namespace reconverge {

namespace {

std::unique_ptr<Machine> make(const Platform& platform, SchemeList schemes) {
  return std::make_unique<FunctionalMachine>(functional_parameters(platform.gpu, schemes));
}

std::string describe(const Platform& /*platform*/) { return "functional, no time"; }

std::vector<MachineFact> facts(const Platform& /*platform*/) { return {}; }

/// A warning if threads may wait for each other and their forward progress differs from that under the GPU's scheme.
std::vector<std::string> warnings(const kernel::Program& program, const Platform& platform, SchemeList schemes) {
  const SchemeKind& paths = *schemes_of(platform.gpu.sm, schemes).front();
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

const MachineKind& functional_machine() {
  static const MachineKind kind{.name = "functional",
                                .traits = {.timed = false, .warps = true, .any_launch = true},
                                .make = make,
                                .describe = describe,
                                .facts = facts,
                                .warnings = warnings};
  return kind;
}

}  // namespace reconverge

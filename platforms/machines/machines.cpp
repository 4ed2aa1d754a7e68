// SPDX-License-Identifier: Apache-2.0
#include "platforms/machines/machines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "models/core/error.hpp"
#include "models/core/suggestion.hpp"
#include "platforms/machines/functional/functional_kind.hpp"
#include "platforms/machines/functional/functional_machine.hpp"
#include "platforms/machines/gpu/gpu_kind.hpp"
#include "platforms/machines/multi_pass/multi_pass_kind.hpp"
#include "platforms/machines/stream_processor/stream_kind.hpp"

namespace reconverge {

MachineList built_in_machines() {
  static const std::array kinds{&gpu_machine(), &functional_machine(), &stream_machine(), &multi_pass_machine()};
  return kinds;
}

OpenParts machine_parts(MachineList kinds) {
  OpenParts machines{experiment_block.parts, {}, {}};
  for (const MachineKind* kind : kinds) {
    if (kind->part.block != nullptr) machines.parts.push_back(kind->part);
    machines.names.push_back(kind->name);
  }
  return machines;
}

BlockTree with_kinds(const BlockDescription& root, Kinds kinds) {
  const std::array added{scheme_parts(kinds.schemes), machine_parts(kinds.machines)};
  return {root, added};
}

const MachineKind& find_machine(std::string_view name, MachineList kinds) {
  const auto found = std::ranges::find(kinds, name, &MachineKind::name);
  if (found != kinds.end()) return **found;
  throw ParameterError("machine", fmt::format("there is no machine {}", name),
                       suggest_or_plugin(name, machine_parts(kinds).names));
}

std::unique_ptr<Machine> machine_without_time(const Platform& platform, DeviceMemory& memory, SchemeList schemes) {
  return std::make_unique<FunctionalMachine>(functional_parameters(platform.gpu, schemes), memory);
}

const MachineKind& machine_of(const ExperimentParameters& parameters, Kinds kinds) {
  return find_machine(parameters.machine, kinds.machines);
}

std::uint64_t host_bytes(const ExperimentParameters& parameters, Kinds kinds) {
  const MachineKind& machine = machine_of(parameters, kinds);
  return machine.host_bytes == nullptr ? 0 : machine.host_bytes(parameters);
}

Measurement measure(const ExperimentParameters& parameters, Statistics totals, std::optional<std::uint64_t> rays,
                    Kinds kinds) {
  const MachineKind& machine = machine_of(parameters, kinds);
  const MachineRate rate = machine.rate(parameters);
  return {std::move(totals), rays, rate.clock_hz, rate.slots_per_cycle, kinds.schemes, &machine};
}

}  // namespace reconverge

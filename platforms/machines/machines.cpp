// SPDX-License-Identifier: Apache-2.0
#include "platforms/machines/machines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "models/core/error.hpp"
#include "models/core/suggestion.hpp"
#include "platforms/machines/functional/functional_kind.hpp"
#include "platforms/machines/gpu/gpu_kind.hpp"
#include "platforms/machines/multi_pass/multi_pass_kind.hpp"
#include "platforms/machines/stream_processor/stream_kind.hpp"

namespace reconverge {

MachineList built_in_machines() {
  static const std::array kinds{&gpu_machine(), &functional_machine(), &stream_machine(), &multi_pass_machine()};
  return kinds;
}

const MachineKind& find_machine(std::string_view name, MachineList kinds) {
  const auto found = std::ranges::find(kinds, name, &MachineKind::name);
  if (found != kinds.end()) return **found;
  std::vector<std::string_view> names;
  for (const MachineKind* kind : kinds) names.push_back(kind->name);
  throw ParameterError("machine", fmt::format("there is no machine {}", name), suggest(name, names));
}

const MachineKind& machine_of(const ExperimentParameters& parameters) {
  return find_machine(to_string(parameters.machine));
}

std::uint64_t host_bytes(const ExperimentParameters& parameters) {
  const MachineKind& machine = machine_of(parameters);
  return machine.host_bytes == nullptr ? 0 : machine.host_bytes(parameters);
}

Measurement measure(const ExperimentParameters& parameters, Statistics totals, std::optional<std::uint64_t> rays,
                    SchemeList schemes) {
  const MachineKind& machine = machine_of(parameters);
  const MachineRate rate = machine.rate(parameters);
  return {std::move(totals), rays, rate.clock_hz, rate.slots_per_cycle, schemes, &machine};
}

}  // namespace reconverge

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The machines that experiments can name.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "models/protocols/scheme_list.hpp"
#include "platforms/machine_kind.hpp"

namespace reconverge {

using MachineList = std::span<const MachineKind* const>;

/// In report order, the GPU first.
MachineList built_in_machines();

/// Throws ParameterError, with the nearest name, if there is no such machine.
const MachineKind& find_machine(std::string_view name, MachineList kinds = built_in_machines());

/// The machine that the experiment names.
const MachineKind& machine_of(const ExperimentParameters& parameters);

/// As MachineKind::host_bytes; 0 if the machine takes little.
std::uint64_t host_bytes(const ExperimentParameters& parameters);

/// What was counted, with what its figures need. The machine must have timing.
Measurement measure(const ExperimentParameters& parameters, Statistics totals, std::optional<std::uint64_t> rays,
                    SchemeList schemes);

}  // namespace reconverge

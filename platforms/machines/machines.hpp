// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The machines that experiments can name.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "models/core/block_tree.hpp"
#include "platforms/machine_kind.hpp"
#include "platforms/machines/gpu/schemes.hpp"

namespace reconverge {

using MachineList = std::span<const MachineKind* const>;

/// In report order, the GPU first.
MachineList built_in_machines();

/// The machines and schemes that an experiment can name; cheap to copy.
struct Kinds {
  SchemeList schemes = built_in_schemes();
  MachineList machines = built_in_machines();
};

/// The machines as parts of an experiment.
OpenParts machine_parts(MachineList kinds = built_in_machines());

/// `root`, an experiment or a block within one; it can have these machines and schemes as parts.
BlockTree with_kinds(const BlockDescription& root, Kinds kinds = {});

/// Throws ParameterError, with the nearest name, if there is no such machine.
const MachineKind& find_machine(std::string_view name, MachineList kinds = built_in_machines());

/// A machine without timing that uses the memory of another machine, which must outlive it. Its threads have the same
/// forward progress as on the platform's GPU.
std::unique_ptr<Machine> machine_without_time(const Platform& platform, DeviceMemory& memory,
                                              SchemeList schemes = built_in_schemes());

/// The machine that the experiment names.
const MachineKind& machine_of(const ExperimentParameters& parameters, Kinds kinds);

/// As MachineKind::host_bytes; 0 if the machine takes little.
std::uint64_t host_bytes(const ExperimentParameters& parameters, Kinds kinds);

/// The counters, with the data that their figures need. The machine must have timing.
Measurement measure(const ExperimentParameters& parameters, Statistics totals, std::optional<std::uint64_t> rays,
                    Kinds kinds);

}  // namespace reconverge

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The functional machine as a machine for launches.

#include "models/protocols/scheme_list.hpp"
#include "platforms/machine_kind.hpp"
#include "platforms/machines/functional/functional_parameters.hpp"

namespace reconverge {

const MachineKind& functional_machine();

/// The forward progress that threads which wait for each other can rely on with the GPU; its functional machine
/// guarantees the same.
FunctionalParameters functional_parameters(const GpuParameters& gpu, SchemeList schemes = built_in_schemes());

}  // namespace reconverge

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The GPU as a machine for launches.

#include "platforms/machine_kind.hpp"

namespace reconverge {

const MachineKind& gpu_machine();

}  // namespace reconverge

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The machine that has only guards as a machine for launches.

#include "platforms/machine_kind.hpp"

namespace reconverge {

const MachineKind& multi_pass_machine();

}  // namespace reconverge

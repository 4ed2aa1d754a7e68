// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The stream processor as a machine for launches.

#include "platforms/machine_kind.hpp"

namespace reconverge {

const MachineKind& stream_machine();

}  // namespace reconverge

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Finds shared memory through which threads of a warp exchange values with no synchronisation other than lockstep
/// execution.

#include <vector>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// Returns a warning for each load of shared memory that a store reaches without a block barrier, warp barrier or
/// exchange on the path, unless both use the same address register and the load is not volatile. The load may or may
/// not read the value that another thread of its warp writes. This is correct if lanes run in lockstep, and a race if
/// threads are scheduled independently, as on GPUs since Volta. The warning may be false: addresses are not compared
/// further.
std::vector<Warning> lockstep_sharing(const Program& program);

}  // namespace reconverge::kernel

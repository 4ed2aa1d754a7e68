// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Finds shared memory through which threads of a warp exchange values with no synchronisation other than lockstep
/// execution.

#include <vector>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// Returns a warning for each load of shared memory that a store reaches with no barrier of block or warp and no
/// exchange of lanes on the path, unless both use one address register and the load is not volatile. The reading thread
/// may find a value that another thread of its warp has written, or has yet to write. That is correct where lanes run
/// in lockstep, and a race where threads are scheduled independently, as on GPUs since Volta. The warning may be false:
/// addresses are not compared further.
std::vector<Warning> lockstep_sharing(const Program& program);

}  // namespace reconverge::kernel

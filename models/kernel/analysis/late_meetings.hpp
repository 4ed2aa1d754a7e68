// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Finds loops in which fewer lanes may run together than the program's author expects.

#include <vector>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// Returns one warning for each loop that depends on the lanes that are present (votes and shuffles without a member
/// mask, activemask, volatile shared memory) and in which a divergent branch has lost its reconvergence point: some
/// lanes leave from the middle of the loop, and without this exit the other lanes would reconverge earlier, inside the
/// loop. Compilers for GPUs reconverge lanes inside the loop; a machine that uses post-dominators does not. Cases that
/// side_exits.hpp handles are not reported.
std::vector<Warning> late_meetings(const Program& program);

}  // namespace reconverge::kernel

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Finds loops in which fewer lanes may run together than the program's author expects.

#include <vector>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// Returns one warning for each loop that depends on which lanes are present (votes and shuffles without a member mask,
/// activemask, volatile shared memory) and in which a divergent branch has lost its reconvergence point: some lanes
/// leave from the middle of the loop, and without them the other lanes would reconverge earlier, within the loop.
/// Hardware's compilers reconverge lanes within the loop; a machine that uses post-dominators does not. Cases that
/// side_exits.hpp repairs are not reported.
std::vector<Warning> late_meetings(const Program& program);

}  // namespace reconverge::kernel

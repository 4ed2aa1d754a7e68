#pragma once
/// Loops whose lanes may be fewer together than the program's author means.

#include <vector>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// One warning for each loop in which lanes ask who is there (votes and shuffles that name nobody, activemask, volatile
/// shared memory), and in which a divergent branch has lost its meeting point: within the loop its lanes would meet
/// sooner than they do, because some leave the loop from between. Hardware's compilers bring lanes together within the
/// loop; a machine that goes by post-dominators does not. What side_exits.hpp mends is not among them.
std::vector<Warning> late_meetings(const Program& program);

}  // namespace reconverge::kernel

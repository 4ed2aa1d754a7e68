#pragma once
/// Random programs whose threads work alone.

#include "testbenches/random/program_tree.hpp"

namespace reconverge::random_programs {

/// Without barriers, exchanges, calls, shared memory, and local memory by generic addresses: what a machine or pass can
/// take that knows single threads only.
Program without_company(Program program);

/// And without atomics.
Program without_atomics(Program program);

}  // namespace reconverge::random_programs

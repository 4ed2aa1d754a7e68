// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Random programs whose threads are independent of each other.

#include "testbenches/random/program_tree.hpp"

namespace reconverge::random_programs {

/// Without barriers, exchanges, calls, shared memory, and local memory by generic addresses: programs for machines and
/// passes that support only single threads.
Program without_company(Program program);

/// Also without atomics.
Program without_atomics(Program program);

}  // namespace reconverge::random_programs

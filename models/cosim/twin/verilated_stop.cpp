// SPDX-License-Identifier: Apache-2.0
// Verilator's classes call vl_stop if an assertion of the RTL fails. With VL_USER_STOP, they use this one.

#include <fmt/format.h>
#include <verilated.h>

#include "models/cosim/twin/lock_step_difference.hpp"

void vl_stop(const char* file, int line, const char* /*hierarchy*/) {
  throw reconverge::RtlAssertion(fmt::format("an assertion of the RTL failed: {}:{}", file, line));
}

// SPDX-License-Identifier: Apache-2.0
// What Verilator's classes call when an assertion of the RTL fails: for libraries of such classes, with VL_USER_STOP.

#include <fmt/format.h>
#include <verilated.h>

#include "models/cosim/twin/lock_step_difference.hpp"

void vl_stop(const char* file, int line, const char* /*hierarchy*/) {
  throw reconverge::RtlAssertion(fmt::format("an assertion of the RTL failed: {}:{}", file, line));
}

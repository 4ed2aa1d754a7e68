// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Exit codes of the program, for scripts. docs/exit-codes.md explains each.

#include <cstdint>

namespace reconverge::cli {

enum class ExitCode : std::uint8_t {
  success = 0,
  check_failed = 1,      ///< finished, but the result is wrong: a hit, the picture, a buffer, or the issue slots
  bad_input = 2,         ///< the command line or a file was refused
  execution_failed = 3,  ///< the simulated program failed
  output_failed = 4,     ///< a result could not be written
  internal_error = 5,
  limit_reached = 6,  ///< --max-cycles or --max-seconds; a partial report was written
  interrupted = 130   ///< by SIGINT or SIGTERM; a partial report was written
};

}  // namespace reconverge::cli

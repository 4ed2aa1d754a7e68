// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Turns errors into one line on standard error and an exit code.

#include <functional>
#include <string>
#include <vector>

#include "platforms/cli/exit_code.hpp"

namespace reconverge::cli {

/// The command that the command line selects.
using Command = std::function<ExitCode()>;

/// Prints the message as one line; returns the code.
ExitCode complain(ExitCode code, std::string message);

/// Prints each warning on a line; prints nothing if there are none.
void warn(const std::vector<std::string>& warnings);

/// Checks that all output was written: otherwise results would be lost without an error. A reader that closed its end
/// counts as an interrupt.
ExitCode flush_output(ExitCode code);

/// Runs a command and reports its exceptions. `about`, if not empty, precedes the message and says which of several
/// runs failed.
ExitCode execute(const Command& command, const std::string& about = {});

}  // namespace reconverge::cli

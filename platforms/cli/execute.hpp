#pragma once
/// What goes wrong becomes one line on standard error and an exit code.

#include <string>
#include <vector>

#include "platforms/cli/commands.hpp"
#include "platforms/cli/exit_code.hpp"

namespace reconverge::cli {

/// Prints the message as one line; returns the code.
ExitCode complain(ExitCode code, std::string message);

/// Prints each as a line of its own, and nothing for none.
void warn(const std::vector<std::string>& warnings);

/// What has been printed must have arrived, or the result is lost without a word. A reader that went away is an
/// interrupt.
ExitCode flush_output(ExitCode code);

/// Runs a command and complains of what it throws. `about`, where there is one, says before the message which of
/// several runs it is about.
ExitCode execute(const Command& command, const std::string& about = {});

}  // namespace reconverge::cli

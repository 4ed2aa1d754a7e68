// SPDX-License-Identifier: Apache-2.0
#pragma once
/// What the end of one of several runs means.

#include <string>

#include "platforms/cli/run/side_by_side.hpp"

namespace reconverge::cli {

/// A word for the table: `ok`, `check failed`, `killed by SIGSEGV`. `foreign_codes`: the run is a program of a user,
/// whose exit codes are not those of this program.
std::string status_of(const Ending& ending, bool foreign_codes = false);

/// Whether a run with this code has written a report.
bool has_report(ExitCode code, bool foreign_codes = false);

/// Whether the run was interrupted before there was anything to report.
bool ends_preparation(int signal);

}  // namespace reconverge::cli

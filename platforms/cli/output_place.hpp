// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Checks for options that name an output.

#include <CLI/CLI.hpp>

namespace reconverge::cli {

/// A path of a file or folder: not empty and without control characters.
CLI::Validator output_place();

/// The --force option of a command that writes a file (platforms/report/lone_file.hpp).
void add_force_option(CLI::App& command, bool& force);

}  // namespace reconverge::cli

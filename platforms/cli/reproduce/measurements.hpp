// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Measurements of a page that are no experiments: tests of results known on paper, and commands that print numbers.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "platforms/reproduction/figures.hpp"

namespace reconverge::cli {

/// The folder that paths in pages start from: of the sources, or of the shipped files in an installation, where tests
/// and scripts are missing.
std::filesystem::path page_root();

/// What a page measures with, and where.
struct MeasuringPlace {
  std::filesystem::path folder;  ///< of output
  std::function<bool()> interrupted;
  std::function<void(const std::string& text)> say;  ///< a line about what is missing
};

/// Runs the tests and commands. Programs that are missing, such as tests in an installation, give no measurement.
/// Throws InputError for a command that fails or prints something else than its page says.
std::vector<reproduction::Measurement> measure(const reproduction::Page& page, const MeasuringPlace& place);

/// Writes the files for settings to `folder`/inputs. Throws InputError for a command that fails.
void make_inputs(const reproduction::Page& page, const MeasuringPlace& place);

}  // namespace reconverge::cli

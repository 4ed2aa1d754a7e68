#pragma once
/// What an option that names an output may be.

#include <CLI/CLI.hpp>

namespace reconverge::cli {

/// A path of a file or folder: not empty, and without control characters.
CLI::Validator output_place();

}  // namespace reconverge::cli

#pragma once
/// What files and the command line say, checked one by one but not yet applied.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "models/core/parameters.hpp"
#include "platforms/configuration/configuration.hpp"

namespace reconverge::configuration {

/// A value for the parameter at `path`, which exists.
struct Assignment {
  std::string path;
  ParameterValue value;
  Origin origin;
  std::string source;
};

/// The assignments of a file and of those that it extends, the latter first. Throws InputError.
std::vector<Assignment> read_file(const BlockDescription& root, const std::filesystem::path& file);
/// The same from a text that stands for the file `name`.
std::vector<Assignment> read_text(const BlockDescription& root, const std::string& text, const std::string& name);
/// One `path=value` of the command line. Throws InputError.
Assignment read_override(const BlockDescription& root, const std::string& text);

}  // namespace reconverge::configuration

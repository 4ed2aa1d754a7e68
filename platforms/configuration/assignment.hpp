#pragma once
/// What files and the command line say, checked one by one but not yet applied.

#include <filesystem>
#include <span>
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

/// What a file and those that it extends say, the latter first.
struct Contents {
  std::vector<Assignment> assignments;
  std::vector<Section> sections;
};

/// Reads a file and those that it extends, which may have the given sections. Throws InputError.
Contents read_file(const BlockDescription& root, std::span<const SectionKey> sections,
                   const std::filesystem::path& file);
/// The same from a text that stands for the file `name`.
Contents read_text(const BlockDescription& root, std::span<const SectionKey> sections, const std::string& text,
                   const std::string& name);
/// One `path=value` of the command line, for a parameter. `sections`: names that the path may have been meant to begin
/// with. Throws InputError.
Assignment read_override(const BlockDescription& root, std::span<const SectionKey> sections, const std::string& text);

}  // namespace reconverge::configuration

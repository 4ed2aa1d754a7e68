// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Values from files and the command line, checked one by one but not yet applied.

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

/// The values of a file and of the files that it extends; those of the extended files come first.
struct Contents {
  std::vector<Assignment> assignments;
  std::vector<Section> sections;
};

/// Reads a file and the files that it extends, which may have the given sections. `platform`, if not empty, is read in
/// place of the platform that they extend. Throws InputError, also if there is none.
Contents read_file(const BlockDescription& root, std::span<const SectionKey> sections,
                   const std::filesystem::path& file, std::string_view platform = {});
/// The same for a text in place of the file `name`.
Contents read_text(const BlockDescription& root, std::span<const SectionKey> sections, const NamedText& text,
                   std::string_view platform = {});
/// One `path=value` of the command line, for a parameter. `sections`: names that the user may have meant as the start
/// of the path. Throws InputError.
Assignment read_override(const BlockDescription& root, std::span<const SectionKey> sections, const std::string& text);

}  // namespace reconverge::configuration

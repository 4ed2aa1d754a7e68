// SPDX-License-Identifier: Apache-2.0
#pragma once
/// YAML files with locations: every node knows its line, and errors name it.

#include <cstddef>
#include <filesystem>
#include <string>

#include "models/core/error.hpp"
#include "models/core/yaml_node.hpp"

namespace reconverge {

/// Limits of a file's contents, so that even a file of the maximum size (input::yaml) is read quickly. An alias counts
/// as one value here.
inline constexpr std::size_t most_yaml_nodes = 200'000;
inline constexpr std::size_t most_yaml_levels = 64;

/// The only document of a YAML file, which must be a map. Throws InputError if the file cannot be read, is too large,
/// empty or not YAML, holds several documents, more nodes or levels than these, or another kind of node.
YamlNode read_yaml(const std::filesystem::path& file);
/// The same for a text; `file` is its name in messages.
YamlNode parse_yaml(const std::string& text, const std::string& file);

/// The first value of a text, of any kind; null for an empty text. An error has this location.
YamlNode parse_yaml_value(const std::string& text, const SourceLocation& location);

/// The value of such a text in the flow style, `[a, {b: c}]`, so that equal values have one text.
std::string flow_text(const std::string& text);

}  // namespace reconverge

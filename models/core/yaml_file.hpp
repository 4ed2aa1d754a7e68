// SPDX-License-Identifier: Apache-2.0
#pragma once
/// YAML files with locations: every node knows its line, and errors name it.

#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/error.hpp"

namespace reconverge {

/// Limits of a file's contents, so that even a file of the maximum size (input::yaml) is read quickly. An alias counts
/// as one value here.
inline constexpr std::size_t most_yaml_nodes = 200'000;
inline constexpr std::size_t most_yaml_levels = 64;

/// The only document of a YAML file, which must be a map. Throws InputError if the file cannot be read, is too large,
/// empty or not YAML, holds several documents, more nodes or levels than these, or another kind of node.
YAML::Node read_yaml(const std::filesystem::path& file);
/// The same for a text; `file` is its name in messages.
YAML::Node parse_yaml(const std::string& text, const std::string& file);

/// Where a node begins, counted from one.
SourceLocation locate(const std::string& file, const YAML::Node& node);

struct YamlEntry {
  std::string key;
  SourceLocation location;  ///< of the key
  YAML::Node value;
};

/// The entries of a map in the order of the file. Throws InputError if a key is not a scalar or occurs twice.
std::vector<YamlEntry> entries(const std::string& file, const YAML::Node& map);

/// A list of scalars as one text: `1, 2, 4`. Throws InputError if an item is not a scalar.
std::string list_text(const std::string& file, const YAML::Node& sequence);

}  // namespace reconverge

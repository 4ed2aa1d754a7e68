// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A block file in memory, and the checks of all block files of a folder against each other.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/error.hpp"
#include "models/core/parameters.hpp"

namespace reconverge::block_generator {

/// Texts are canonical (see models/core/quantity.hpp). Locations are those of the key.
struct Parameter {
  std::string name;
  ParameterType type = ParameterType::count;
  std::string default_text;
  std::string minimum;
  std::string maximum;
  std::vector<std::string> choices;
  std::string source;
  std::string text;
  SourceLocation location;
};

struct Child {
  std::string name;
  std::string block;
  SourceLocation location;
};

struct Statistic {
  std::string name;
  std::string unit;
  std::string text;
  std::size_t bins = 0;                ///< zero for a single counter
  std::vector<std::string> bin_names;  ///< empty for numbered bins
  std::size_t open_bin = no_bin;       ///< the bin that the causes of parts replace; no_bin: none
  SourceLocation location;
};

struct Cause {
  std::string name;
  std::string text;
};

struct Block {
  std::string name;
  std::string folder;
  std::string summary;
  std::vector<Parameter> parameters;
  std::vector<Child> children;
  std::string parts;         ///< the member for parts that the file does not name; empty if there are none
  std::size_t parts_at = 0;  ///< the number of children before them
  std::vector<Cause> causes;
  std::vector<Statistic> statistics;
  SourceLocation location;
};

/// Reads one block file; throws InputError.
Block read_block(const std::filesystem::path& file);

/// Reads every `*.yaml` of a folder, sorted by name. Throws InputError also if a child names no block, if blocks
/// contain each other, or if two generated types would have the same name.
std::vector<Block> read_blocks(const std::filesystem::path& folder);

/// The block of that name; throws InputError with the nearest name.
const Block& find_block(const std::vector<Block>& blocks, std::string_view name);

}  // namespace reconverge::block_generator

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Generates code from block files. Each emitter is a pure function from blocks to the text of one file, in a separate
/// source file.

#include <string>
#include <vector>

#include "models/block_generator/block_file.hpp"

namespace reconverge::block_generator {

/// Where generated C++ code is placed.
struct Style {
  std::string name_space = "reconverge";
  std::string prefix = "blocks";  ///< of includes: `#include "blocks/l1_cache.hpp"`
};

/// `<prefix>/<block>.hpp`: the parameter and statistics structs and their enumerations.
std::string emit_header(const Block& block, const Style& style);
/// `<prefix>/<block>.cpp`: the tables for the structs.
std::string emit_source(const Block& block, const Style& style);
/// `<prefix>/all_blocks.hpp` and `.cpp`: every block, sorted by name.
std::string emit_registry_header(const Style& style);
std::string emit_registry_source(const std::vector<Block>& blocks, const Style& style);

}  // namespace reconverge::block_generator

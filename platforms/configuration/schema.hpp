// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The JSON Schema of configuration files, for editors: names, types, ranges and descriptions for completion.

#include <boost/json/object.hpp>
#include <span>
#include <string>
#include <vector>

#include "models/core/block_tree.hpp"
#include "models/core/parameters.hpp"

namespace reconverge::configuration {

/// JSON Schema (draft 7) of the files that configure `root`, with a schema for each section that they may have. Ends
/// with a newline.
std::string schema(const BlockDescription& root, const boost::json::object& sections = {});

/// The root blocks: blocks that are not part of another block nor among `added`, and that have something to configure.
std::vector<const BlockDescription*> root_blocks(std::span<const BlockDescription* const> blocks,
                                                 std::span<const OpenParts> added = {});

}  // namespace reconverge::configuration

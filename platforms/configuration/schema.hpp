#pragma once
/// The JSON Schema of configuration files, for editors: names, types, ranges and texts while one types.

#include <span>
#include <string>
#include <vector>

#include "models/core/parameters.hpp"

namespace reconverge::configuration {

/// JSON Schema (draft 7) of the files that configure `root`. Ends with a newline.
std::string schema(const BlockDescription& root);

/// The blocks that are part of no other and have something to configure: those that whole files describe.
std::vector<const BlockDescription*> root_blocks(std::span<const BlockDescription* const> blocks);

}  // namespace reconverge::configuration

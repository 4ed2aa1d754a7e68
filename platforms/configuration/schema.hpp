#pragma once
/// The JSON Schema of configuration files, for editors: names, types, ranges and texts while one types.

#include <boost/json/object.hpp>
#include <span>
#include <string>
#include <vector>

#include "models/core/parameters.hpp"

namespace reconverge::configuration {

/// JSON Schema (draft 7) of the files that configure `root`, with a schema for each section that they may have.
/// Ends with a newline.
std::string schema(const BlockDescription& root, const boost::json::object& sections = {});

/// The blocks that are part of no other, nor among `parts`, and have something to configure: those that whole files
/// describe.
std::vector<const BlockDescription*> root_blocks(std::span<const BlockDescription* const> blocks,
                                                 std::span<const ChildDescription> parts = {});

}  // namespace reconverge::configuration

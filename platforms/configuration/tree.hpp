// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Lists the parameters of a tree of blocks, and finds the parameter of a key.

#include <string>
#include <string_view>
#include <vector>

#include "models/core/parameters.hpp"

namespace reconverge::configuration {

/// One parameter in its block.
struct Slot {
  std::string path;
  const ParameterDescription* parameter = nullptr;
  void* owner = nullptr;  ///< the struct that contains it
};

/// All parameters; a block's own come before those of its parts. `parameters` is the struct of `root`.
std::vector<Slot> list_slots(const BlockDescription& root, void* parameters);

/// The parts of a block that have something to configure, directly or within. Other parts have no key.
std::vector<const ChildDescription*> parts_with_keys(const BlockDescription& block);

/// Null if the block has no such key.
const ParameterDescription* find_parameter(const BlockDescription& block, std::string_view name);
const ChildDescription* find_child(const BlockDescription& block, std::string_view name);

/// `parent.name`, or `name` at the root.
std::string join_path(std::string_view parent, std::string_view name);

/// A suggestion for the unknown `name` in `block` at `path`: a similar name there, the same name elsewhere below
/// `root`, or the list of names there.
std::string suggest_key(const BlockDescription& root, const BlockDescription& block, std::string_view path,
                        std::string_view name);

}  // namespace reconverge::configuration

#pragma once
/// The parameters of a tree of blocks as one list, and the way from a key to its parameter.

#include <string>
#include <string_view>
#include <vector>

#include "models/core/parameters.hpp"

namespace reconverge::configuration {

/// One parameter in its place.
struct Slot {
  std::string path;
  const ParameterDescription* parameter = nullptr;
  void* owner = nullptr;  ///< the struct that holds it
};

/// All parameters, a block's own before those of its parts. `parameters` is the struct of `root`.
std::vector<Slot> list_slots(const BlockDescription& root, void* parameters);

/// The parts of a block that have something to configure, themselves or within. Others have no key.
std::vector<const ChildDescription*> parts_with_keys(const BlockDescription& block);

/// Null when the block has no such key.
const ParameterDescription* find_parameter(const BlockDescription& block, std::string_view name);
const ChildDescription* find_child(const BlockDescription& block, std::string_view name);

/// `parent.name`, or `name` at the root.
std::string join_path(std::string_view parent, std::string_view name);

/// What to write instead of the unknown `name` in `block` at `path`: a near name there, the same name elsewhere
/// below `root`, or the list of names there.
std::string suggest_key(const BlockDescription& root, const BlockDescription& block, std::string_view path,
                        std::string_view name);

}  // namespace reconverge::configuration

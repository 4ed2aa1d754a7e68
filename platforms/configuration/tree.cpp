// SPDX-License-Identifier: Apache-2.0
#include "platforms/configuration/tree.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/suggestion.hpp"

namespace reconverge::configuration {

namespace {

void add_slots(const BlockDescription& block, void* parameters, const std::string& path, std::vector<Slot>& slots) {
  for (const ParameterDescription& parameter : block.parameters) {
    slots.push_back({join_path(path, parameter.name), &parameter, parameters});
  }
  for (const ChildDescription& child : block.children) {
    add_slots(*child.block, child.member(parameters), join_path(path, child.name), slots);
  }
}

/// The paths below `path` that end in `name`.
void find_everywhere(const BlockDescription& block, const std::string& path, std::string_view name,
                     std::vector<std::string>& found) {
  if (find_parameter(block, name) != nullptr || find_child(block, name) != nullptr) {
    found.push_back(join_path(path, name));
  }
  for (const ChildDescription& child : block.children) {
    find_everywhere(*child.block, join_path(path, child.name), name, found);
  }
}

}  // namespace

std::vector<Slot> list_slots(const BlockDescription& root, void* parameters) {
  std::vector<Slot> slots;
  add_slots(root, parameters, {}, slots);
  return slots;
}

std::vector<const ChildDescription*> parts_with_keys(const BlockDescription& block) {
  std::vector<const ChildDescription*> parts;
  for (const ChildDescription& child : block.children) {
    if (!child.block->parameters.empty() || !parts_with_keys(*child.block).empty()) parts.push_back(&child);
  }
  return parts;
}

const ParameterDescription* find_parameter(const BlockDescription& block, std::string_view name) {
  const auto found = std::find_if(block.parameters.begin(), block.parameters.end(),
                                  [&](const ParameterDescription& parameter) { return parameter.name == name; });
  return found == block.parameters.end() ? nullptr : &*found;
}

const ChildDescription* find_child(const BlockDescription& block, std::string_view name) {
  for (const ChildDescription* child : parts_with_keys(block)) {
    if (child->name == name) return child;
  }
  return nullptr;
}

std::string join_path(std::string_view parent, std::string_view name) {
  return parent.empty() ? std::string(name) : fmt::format("{}.{}", parent, name);
}

std::string suggest_key(const BlockDescription& root, const BlockDescription& block, std::string_view path,
                        std::string_view name) {
  std::vector<std::string_view> names;
  for (const ParameterDescription& parameter : block.parameters) names.push_back(parameter.name);
  for (const ChildDescription* child : parts_with_keys(block)) names.push_back(child->name);
  if (const std::string_view near = nearest(name, names); !near.empty()) {
    return fmt::format("did you mean {}?", join_path(path, near));
  }
  std::vector<std::string> elsewhere;
  find_everywhere(root, {}, name, elsewhere);
  if (!elsewhere.empty()) return fmt::format("did you mean {}?", elsewhere.front());
  return suggest(name, names);
}

}  // namespace reconverge::configuration

#include <fmt/format.h>

#include "models/core/quantity.hpp"
#include "platforms/configuration/assignment.hpp"
#include "platforms/configuration/tree.hpp"

namespace reconverge::configuration {

namespace {

/// The parameter that `path` names. `said` is the whole text, for messages.
const ParameterDescription& follow(const BlockDescription& root, std::string_view path, const SourceLocation& said) {
  const BlockDescription* block = &root;
  std::string walked;
  while (true) {
    const std::size_t dot = path.find('.');
    const std::string_view name = path.substr(0, dot);
    const bool is_last = dot == std::string_view::npos;
    const std::string key = join_path(walked, name);
    if (const ParameterDescription* parameter = find_parameter(*block, name)) {
      if (is_last) return *parameter;
      throw InputError(said, fmt::format("{} is a parameter and has no parts", key), fmt::format("write {}=...", key));
    }
    const ChildDescription* child = find_child(*block, name);
    if (child == nullptr) {
      throw InputError(said, fmt::format("there is no key {}", key), suggest_key(root, *block, walked, name));
    }
    if (is_last) {
      throw InputError(said, fmt::format("{} is a block, not a value", key),
                       fmt::format("name a parameter in it, as in {}.name=value", key));
    }
    block = child->block;
    walked = key;
    path.remove_prefix(dot + 1);
  }
}

}  // namespace

Assignment read_override(const BlockDescription& root, const std::string& text) {
  const SourceLocation said{fmt::format("--set {}", text), 0, 0};
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw InputError(said, "this is not of the form path=value", "write for example sm.warp_slots=16");
  }
  const std::string path = text.substr(0, equals);
  const ParameterDescription& parameter = follow(root, path, said);
  try {
    Assignment assignment;
    assignment.path = path;
    assignment.value = parse_value(parameter, text.substr(equals + 1));
    assignment.origin.kind = Origin::Kind::command_line;
    return assignment;
  } catch (const QuantityError& error) {
    throw InputError(said, fmt::format("{}: {}", path, error.what()), error.hint());
  }
}

}  // namespace reconverge::configuration

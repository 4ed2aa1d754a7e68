// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "models/core/quantity.hpp"
#include "models/core/suggestion.hpp"
#include "platforms/configuration/assignment.hpp"
#include "platforms/configuration/section_override.hpp"
#include "platforms/configuration/tree.hpp"

namespace reconverge::configuration {

namespace {

/// The section that the user may have meant with the start of this path; empty: none.
std::string_view near_section(std::span<const SectionKey> sections, std::string_view name) {
  std::vector<std::string_view> names;
  for (const SectionKey& section : sections) names.push_back(section.name);
  return nearest(name.substr(0, name.find('[')), names);
}

/// The parameter that `path` names. `said` is the whole text, for messages.
const ParameterDescription& follow(const BlockDescription& root, std::span<const SectionKey> sections,
                                   std::string_view path, const SourceLocation& said) {
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
      const std::string_view near = walked.empty() ? near_section(sections, name) : std::string_view();
      throw InputError(said, fmt::format("there is no key {}", key),
                       near.empty() ? suggest_key(root, *block, walked, name) : fmt::format("did you mean {}?", near));
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

/// A `path=value` as text, and its meaning.
struct Given {
  std::string path;
  const ParameterDescription* parameter = nullptr;
  ParameterValue value;
};

Given read_given(const BlockDescription& root, std::span<const SectionKey> sections, std::string_view option,
                 const std::string& text) {
  const SourceLocation said{fmt::format("{} {}", option, text), 0, 0};
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw InputError(said, "this is not of the form path=value", "write for example gpu.sm.warp_slots=16");
  }
  if (text[equals - 1] == ' ' || text.front() == ' ') {
    throw InputError(said, "there are blanks around the path", "leave them out: path=value");
  }
  Given given;
  given.path = text.substr(0, equals);
  given.parameter = &follow(root, sections, given.path, said);
  try {
    given.value = parse_value(*given.parameter, text.substr(equals + 1));
    return given;
  } catch (const QuantityError& error) {
    throw InputError(said, fmt::format("{}: {}", given.path, error.what()), error.hint());
  }
}

}  // namespace

Assignment read_override(const BlockDescription& root, std::span<const SectionKey> sections, const std::string& text) {
  Given given = read_given(root, sections, "--set", text);
  Assignment assignment;
  assignment.path = std::move(given.path);
  assignment.value = std::move(given.value);
  assignment.origin.kind = Origin::Kind::command_line;
  return assignment;
}

std::string canonical_value(const BlockTree& tree, std::string_view option, const std::string& text,
                            std::span<const SectionKey> sections) {
  if (is_within_section(text, sections)) return canonical_section_value(option, text);
  if (const std::string_view file = platform_file(text); !file.empty()) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) {
      throw InputError({fmt::format("{} {}", option, text), 0, 0}, fmt::format("there is no file '{}'", file),
                       "give a platform file, as in platform=yaml/platforms/gtx780.yaml");
    }
    return std::filesystem::path(file).lexically_normal().generic_string();
  }
  const Given given = read_given(tree.root(), sections, option, text);
  return format_value(*given.parameter, given.value);
}

}  // namespace reconverge::configuration

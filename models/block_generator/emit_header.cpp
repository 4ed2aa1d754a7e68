// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "models/block_generator/emitters.hpp"
#include "models/block_generator/names.hpp"
#include "models/core/quantity.hpp"

namespace reconverge::block_generator {

namespace {

/// Joins a comment into one line.
std::string comment(std::string_view text) {
  std::string result(text);
  std::replace(result.begin(), result.end(), '\n', ' ');
  while (!result.empty() && (result.back() == ' ' || result.back() == '\\')) result.pop_back();
  return result;
}

std::string member_type(const Block& block, const Parameter& parameter) {
  switch (parameter.type) {
    case ParameterType::ratio:
      return "double";
    case ParameterType::flag:
      return "bool";
    case ParameterType::choice:
      return enum_type(block.name, parameter.name);
    case ParameterType::text:
    case ParameterType::path:
    case ParameterType::name:
      return "std::string";
    case ParameterType::counts:
      return "std::vector<std::uint64_t>";
    case ParameterType::numbers:
      return "std::vector<double>";
    case ParameterType::names:
      return "std::vector<std::string>";
    default:
      return "std::uint64_t";
  }
}

std::string list_initializer(const std::string& canonical) {
  return '{' + canonical.substr(1, canonical.size() - 2) + '}';
}

std::string names_initializer(const ParameterDescription& parameter, const std::string& canonical) {
  const ParameterValue value = parse_value(parameter, canonical);
  std::string list;
  for (const std::string& name : std::get<std::vector<std::string>>(value)) {
    list += (list.empty() ? "" : ", ") + literal(name);
  }
  return '{' + list + '}';
}

std::string initializer(const Block& block, const Parameter& parameter) {
  ParameterDescription description;
  description.type = parameter.type;
  switch (parameter.type) {
    case ParameterType::choice:
      return fmt::format("{}::{}", enum_type(block.name, parameter.name), enumerator(parameter.default_text));
    case ParameterType::text:
    case ParameterType::path:
    case ParameterType::name:
      return literal(parameter.default_text);
    case ParameterType::counts:
    case ParameterType::numbers:
      return list_initializer(parameter.default_text);
    case ParameterType::names:
      return names_initializer(description, parameter.default_text);
    case ParameterType::ratio: {
      const bool is_whole = parameter.default_text.find_first_of(".e") == std::string::npos;
      return parameter.default_text + (is_whole ? ".0" : "");
    }
    case ParameterType::flag:
      return parameter.default_text;
    default:
      return fmt::format("{}U", std::get<std::uint64_t>(parse_value(description, parameter.default_text)));
  }
}

/// `open`: the word that is followed by values for `most_open_bins` causes.
void emit_enum(std::string& out, const std::string& type, const std::vector<std::string>& words,
               std::size_t open = no_bin) {
  const auto to = std::back_inserter(out);
  fmt::format_to(to, "enum class {} : std::{} {{\n", type, words.size() <= 256 ? "uint8_t" : "uint16_t");
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool after_open = open != no_bin && i == open + 1;
    fmt::format_to(to, "  {}{},\n", enumerator(words[i]),
                   after_open ? fmt::format(" = {} + ::reconverge::most_open_bins", enumerator(words[open])) : "");
  }
  fmt::format_to(to, "}};\n/// The word as configurations and reports write it.\n");
  fmt::format_to(to, "std::string_view to_string({} value);\n\n", type);
}

void emit_parameters(std::string& out, const Block& block) {
  const auto to = std::back_inserter(out);
  const std::string type = parameters_type(block.name);
  fmt::format_to(to, "/// {}\nstruct {} {{\n", comment(block.summary), type);
  for (const Parameter& parameter : block.parameters) {
    fmt::format_to(to, "  /// {}\n  /// Default {}", comment(parameter.text), comment(parameter.default_text));
    if (has_range(parameter.type)) fmt::format_to(to, ", from {} to {}", parameter.minimum, parameter.maximum);
    if (const std::string_view name = unit(parameter.type); !name.empty()) fmt::format_to(to, ", held in {}", name);
    fmt::format_to(to, ". Source: {}\n", comment(parameter.source));
    fmt::format_to(to, "  {} {} = {};\n", member_type(block, parameter), parameter.name, initializer(block, parameter));
  }
  for (const Child& child : block.children) {
    fmt::format_to(to, "  {} {}{{}};\n", parameters_type(child.block), child.name);
  }
  if (!block.parts.empty()) {
    fmt::format_to(to, "  /// Those of parts that the block file does not name.\n  ::reconverge::Parts {};\n",
                   block.parts);
  }
  fmt::format_to(to, "\n  static const ::reconverge::BlockDescription& description();\n");
  fmt::format_to(to, "  bool operator==(const {}&) const = default;\n}};\n\n", type);
}

void emit_statistics(std::string& out, const Block& block) {
  const auto to = std::back_inserter(out);
  const std::string type = statistics_type(block.name);
  fmt::format_to(to, "/// Counters of one {}.\nstruct {} {{\n", block.name, type);
  for (const Statistic& statistic : block.statistics) {
    fmt::format_to(to, "  /// {} Unit: {}\n", comment(statistic.text), comment(statistic.unit));
    if (!statistic.bin_names.empty()) {
      const std::string size = statistic.open_bin == no_bin
                                   ? fmt::format("{}", statistic.bins)
                                   : fmt::format("{} + ::reconverge::most_open_bins", statistic.bins - 1);
      fmt::format_to(to, "  ::reconverge::Bins<{}, {}> {}{{}};\n", enum_type(block.name, statistic.name), size,
                     statistic.name);
    } else if (statistic.bins != 0) {
      fmt::format_to(to, "  std::array<std::uint64_t, {}> {}{{}};\n", statistic.bins, statistic.name);
    } else {
      fmt::format_to(to, "  std::uint64_t {} = 0;\n", statistic.name);
    }
  }
  fmt::format_to(to, "\n  static std::span<const ::reconverge::StatisticDescription> descriptions();\n");
  fmt::format_to(to, "  /// Adds counter by counter, to sum over instances.\n");
  fmt::format_to(to, "  {0}& operator+=(const {0}& other);\n", type);
  fmt::format_to(to, "  /// What was counted since `other` was taken.\n");
  fmt::format_to(to, "  {0}& operator-=(const {0}& other);\n", type);
  fmt::format_to(to, "  bool operator==(const {}&) const = default;\n}};\n\n", type);
}

}  // namespace

std::string emit_header(const Block& block, const Style& style) {
  std::string out;
  const auto to = std::back_inserter(out);
  fmt::format_to(to, "#pragma once\n/// Made from the block file {}.yaml: change that file, not this one.\n\n",
                 block.name);
  out +=
      "#include <array>\n#include <cstdint>\n#include <span>\n#include <string>\n#include <string_view>\n"
      "#include <vector>\n\n";
  std::vector<std::string> includes;
  for (const Child& child : block.children) includes.push_back(child.block);
  std::sort(includes.begin(), includes.end());
  includes.erase(std::unique(includes.begin(), includes.end()), includes.end());
  for (const std::string& name : includes) fmt::format_to(to, "#include \"{}/{}.hpp\"\n", style.prefix, name);
  out += "#include \"models/core/parameters.hpp\"\n";
  if (!block.parts.empty()) out += "#include \"models/core/parts.hpp\"\n";
  out += "#include \"models/core/statistics.hpp\"\n\n";
  fmt::format_to(to, "namespace {} {{\n\n", style.name_space);
  for (const Parameter& parameter : block.parameters) {
    if (!parameter.choices.empty()) emit_enum(out, enum_type(block.name, parameter.name), parameter.choices);
  }
  for (const Statistic& statistic : block.statistics) {
    if (statistic.bin_names.empty()) continue;
    emit_enum(out, enum_type(block.name, statistic.name), statistic.bin_names, statistic.open_bin);
  }
  if (!block.causes.empty()) {
    std::vector<std::string> words;
    for (const Cause& cause : block.causes) words.push_back(cause.name);
    emit_enum(out, enum_type(block.name, "cause"), words);
  }
  emit_parameters(out, block);
  emit_statistics(out, block);
  fmt::format_to(to, "extern const ::reconverge::BlockDescription {};\n\n}}  // namespace {}\n",
                 description_name(block.name), style.name_space);
  return out;
}

}  // namespace reconverge::block_generator

// SPDX-License-Identifier: Apache-2.0
#include "models/block_generator/block_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>

#include "models/block_generator/names.hpp"
#include "models/core/quantity.hpp"
#include "models/core/suggestion.hpp"
#include "models/core/yaml_file.hpp"

namespace reconverge::block_generator {

namespace {

constexpr std::size_t most_bins = 4096;

/// The keys of one map of a block file. Code looks up each by name; keys that are never looked up are errors.
class Keys {
 public:
  Keys(const std::string& file, SourceLocation owner, const YamlNode& map, std::string_view what,
       std::span<const std::string_view> known)
      : file_(file), owner_(std::move(owner)), what_(what) {
    if (!map.is_map()) throw InputError(owner_, fmt::format("{} is not a map", what));
    entries_ = entries(file, map);
    for (const YamlEntry& entry : entries_) {
      if (std::find(known.begin(), known.end(), entry.key) == known.end()) {
        throw InputError(entry.location, fmt::format("{} has the unknown key {}", what, entry.key),
                         suggest(entry.key, known));
      }
    }
  }

  const YamlEntry* find(std::string_view key) const {
    const auto found =
        std::find_if(entries_.begin(), entries_.end(), [&](const YamlEntry& entry) { return entry.key == key; });
    return found == entries_.end() ? nullptr : &*found;
  }
  const YamlEntry& need(std::string_view key) const {
    if (const YamlEntry* entry = find(key)) return *entry;
    throw InputError(owner_, fmt::format("{} has no {}", what_, key), fmt::format("add `{}:`", key));
  }
  std::string need_text(std::string_view key) const {
    const YamlEntry& entry = need(key);
    if (!entry.value.is_scalar() || entry.value.scalar().empty()) {
      throw InputError(entry.location, fmt::format("{} of {} is not a text", key, what_));
    }
    return entry.value.scalar();
  }

 private:
  std::string file_;
  SourceLocation owner_;
  std::string what_;
  std::vector<YamlEntry> entries_;
};

void check_name(const SourceLocation& location, std::string_view what, const std::string& name) {
  if (const std::string problem = name_problem(name); !problem.empty()) {
    throw InputError(location, fmt::format("the {} '{}' {}", what, name, problem), "use snake_case");
  }
}

/// A list of distinct names, as in `of: [a, b]`.
std::vector<std::string> read_names(const std::string& file, const YamlEntry& entry, std::string_view what) {
  if (!entry.value.is_list() || entry.value.size() == 0) {
    throw InputError(entry.location, fmt::format("{} is not a list of names", what), "write [first, second]");
  }
  std::vector<std::string> names;
  for (const YamlNode& node : entry.value.items()) {
    const SourceLocation location = locate(file, node);
    const std::string name = node.is_scalar() ? node.scalar() : std::string();
    // Words become enumerators, and keywords get a trailing underscore: only their spelling matters here.
    if (!is_snake_case(name)) throw InputError(location, fmt::format("'{}' in {} is not snake_case", name, what));
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      throw InputError(location, fmt::format("{} comes twice in {}", name, what));
    }
    names.push_back(name);
  }
  return names;
}

/// The generated description of a parameter without its accessors: enough to read and print values.
ParameterDescription describe_range(const Parameter& parameter, const std::vector<std::string_view>& choices) {
  ParameterDescription description;
  description.name = parameter.name;
  description.type = parameter.type;
  description.minimum = parameter.minimum;
  description.maximum = parameter.maximum;
  description.choices = choices;
  return description;
}

/// The type of the numbers in a list of numbers.
ParameterType type_of_bound(ParameterType type) {
  if (type == ParameterType::counts) return ParameterType::count;
  return type == ParameterType::numbers ? ParameterType::ratio : type;
}

/// One bound of a range.
std::string read_bound(const std::string& file, const Parameter& parameter, const YamlNode& node) {
  ParameterDescription bound;
  bound.type = type_of_bound(parameter.type);
  try {
    return format_value(bound, parse_value(bound, node.is_scalar() ? node.scalar() : std::string()));
  } catch (const QuantityError& error) {
    throw InputError(locate(file, node), fmt::format("range of {}: {}", parameter.name, error.what()), error.hint());
  }
}

void read_range(const std::string& file, const Keys& keys, Parameter& parameter) {
  if (!has_range(parameter.type)) {
    if (const YamlEntry* entry = keys.find("range")) {
      throw InputError(entry->location, fmt::format("a {} has no range", to_string(parameter.type)), "remove it");
    }
    return;
  }
  const YamlEntry& entry = keys.need("range");
  if (!entry.value.is_list() || entry.value.size() != 2) {
    throw InputError(entry.location, fmt::format("range of {} is not a pair", parameter.name),
                     "write [least, greatest]");
  }
  parameter.minimum = read_bound(file, parameter, entry.value[0]);
  parameter.maximum = read_bound(file, parameter, entry.value[1]);
  // The greatest value must itself be in the range.
  const ParameterDescription range = describe_range(parameter, {});
  try {
    parse_value(range, parameter.maximum);
  } catch (const QuantityError&) {
    throw InputError(entry.location, fmt::format("range of {} is empty", parameter.name), "write [least, greatest]");
  }
}

std::string read_default(const std::string& file, const YamlEntry& entry, const Parameter& parameter) {
  const std::vector<std::string_view> choices(parameter.choices.begin(), parameter.choices.end());
  const ParameterDescription description = describe_range(parameter, choices);
  std::string text;
  if (entry.value.is_scalar()) {
    text = entry.value.scalar();
  } else if (entry.value.is_list() && is_list(parameter.type)) {
    text = list_text(file, entry.value);
  } else {
    throw InputError(entry.location, fmt::format("default of {} is not a value", parameter.name));
  }
  try {
    return format_value(description, parse_value(description, text));
  } catch (const QuantityError& error) {
    throw InputError(locate(file, entry.value), fmt::format("default of {}: {}", parameter.name, error.what()),
                     error.hint());
  }
}

Parameter read_parameter(const std::string& file, const YamlEntry& entry) {
  static constexpr std::array<std::string_view, 6> known{"type", "of", "default", "range", "source", "text"};
  check_name(entry.location, "parameter", entry.key);
  const Keys keys(file, entry.location, entry.value, fmt::format("parameter {}", entry.key), known);
  Parameter parameter;
  parameter.name = entry.key;
  parameter.location = entry.location;
  const std::string type = keys.need_text("type");
  if (const auto found = parameter_type(type)) {
    parameter.type = *found;
  } else {
    throw InputError(locate(file, keys.need("type").value), fmt::format("'{}' is not a type", type),
                     suggest(type, parameter_type_names()));
  }
  if (parameter.type == ParameterType::choice) {
    parameter.choices = read_names(file, keys.need("of"), "of");
  } else if (const YamlEntry* of = keys.find("of")) {
    throw InputError(of->location, fmt::format("a {} has no list of words", type), "use the type choice");
  }
  read_range(file, keys, parameter);
  parameter.default_text = read_default(file, keys.need("default"), parameter);
  parameter.source = keys.need_text("source");
  parameter.text = keys.need_text("text");
  return parameter;
}

Statistic read_statistic(const std::string& file, const YamlEntry& entry) {
  static constexpr std::array<std::string_view, 4> known{"unit", "text", "bins", "open"};
  check_name(entry.location, "statistic", entry.key);
  const Keys keys(file, entry.location, entry.value, fmt::format("statistic {}", entry.key), known);
  Statistic statistic;
  statistic.name = entry.key;
  statistic.location = entry.location;
  statistic.unit = keys.need_text("unit");
  statistic.text = keys.need_text("text");
  const YamlEntry* bins = keys.find("bins");
  if (bins != nullptr && bins->value.is_list()) {
    statistic.bin_names = read_names(file, *bins, "bins");
    statistic.bins = statistic.bin_names.size();
    if (const YamlEntry* open = keys.find("open")) {
      const std::string name = keys.need_text("open");
      const auto found = std::ranges::find(statistic.bin_names, name);
      if (found == statistic.bin_names.end()) {
        throw InputError(open->location, fmt::format("{} is none of the bins of {}", name, entry.key),
                         "name the bin that the causes of parts replace");
      }
      statistic.open_bin = static_cast<std::size_t>(found - statistic.bin_names.begin());
    }
    return statistic;
  }
  if (const YamlEntry* open = keys.find("open")) {
    throw InputError(open->location, "only a row with names can leave a bin open", "give `bins` as a list of names");
  }
  if (bins == nullptr) return statistic;
  try {
    statistic.bins = parse_count(bins->value.is_scalar() ? bins->value.scalar() : std::string());
  } catch (const QuantityError& error) {
    throw InputError(bins->location, fmt::format("bins: {}", error.what()), error.hint());
  }
  if (statistic.bins == 0 || statistic.bins > most_bins) {
    throw InputError(bins->location, fmt::format("a row of {} bins is not possible", statistic.bins),
                     fmt::format("write a number from 1 to {}, or names", most_bins));
  }
  return statistic;
}

std::vector<YamlEntry> section(const std::string& file, const Keys& keys, std::string_view name) {
  const YamlEntry* entry = keys.find(name);
  if (entry == nullptr || entry->value.is_null()) return {};
  if (!entry->value.is_map()) throw InputError(entry->location, fmt::format("{} is not a map", name));
  return entries(file, entry->value);
}

/// Used instead of the name of a child's block: parts that the file does not name.
constexpr std::string_view any_block = "any";

}  // namespace

Block read_block(const std::filesystem::path& path) {
  static constexpr std::array<std::string_view, 7> known{"block",    "folder", "summary",   "parameters",
                                                         "children", "causes", "statistics"};
  const std::string file = path.generic_string();
  const YamlNode root = read_yaml(path);
  const Keys keys(file, {file, 1, 1}, root, "the block file", known);
  Block block;
  block.name = keys.need_text("block");
  block.location = keys.need("block").location;
  check_name(block.location, "block", block.name);
  if (block.name == any_block) throw InputError(block.location, "no block can be called any", "rename it");
  if (block.name != path.stem()) {
    throw InputError(block.location, fmt::format("the block {} lies in {}", block.name, path.filename().string()),
                     fmt::format("call the file {}.yaml", block.name));
  }
  block.folder = keys.need_text("folder");
  block.summary = keys.need_text("summary");
  std::set<std::string> members;
  for (const YamlEntry& entry : section(file, keys, "parameters")) {
    block.parameters.push_back(read_parameter(file, entry));
    members.insert(entry.key);
  }
  for (const YamlEntry& entry : section(file, keys, "children")) {
    check_name(entry.location, "child", entry.key);
    if (!members.insert(entry.key).second) {
      throw InputError(entry.location, fmt::format("{} is a parameter and a child", entry.key), "rename one");
    }
    if (!entry.value.is_scalar()) throw InputError(entry.location, "a child is not the name of a block");
    if (entry.value.scalar() == any_block) {
      if (!block.parts.empty()) {
        throw InputError(entry.location, fmt::format("{} and {} can both be any block", block.parts, entry.key),
                         "keep one of them");
      }
      block.parts = entry.key;
      block.parts_at = block.children.size();
      continue;
    }
    block.children.push_back({entry.key, entry.value.scalar(), locate(file, entry.value)});
  }
  for (const Parameter& parameter : block.parameters) {
    const bool names = parameter.type == ParameterType::name || parameter.type == ParameterType::names;
    if (!names || !block.parts.empty()) continue;
    throw InputError(parameter.location,
                     fmt::format("{} names parts, and {} leaves none open", parameter.name, block.name),
                     "add a child that can be `any`");
  }
  for (const YamlEntry& entry : section(file, keys, "causes")) {
    check_name(entry.location, "cause", entry.key);
    if (!entry.value.is_scalar() || entry.value.scalar().empty()) {
      throw InputError(entry.location, fmt::format("the cause {} has no text", entry.key), "say what is waited for");
    }
    block.causes.push_back({entry.key, entry.value.scalar()});
  }
  for (const YamlEntry& entry : section(file, keys, "statistics")) {
    block.statistics.push_back(read_statistic(file, entry));
  }
  return block;
}

}  // namespace reconverge::block_generator

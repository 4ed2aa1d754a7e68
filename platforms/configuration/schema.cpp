// SPDX-License-Identifier: Apache-2.0
#include "platforms/configuration/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "models/core/quantity.hpp"
#include "platforms/configuration/json_text.hpp"
#include "platforms/configuration/tree.hpp"

namespace reconverge::configuration {

namespace {

namespace json = boost::json;

constexpr std::string_view number_pattern = R"([0-9]+(_[0-9]+)*(\.[0-9]+(_[0-9]+)*)?)";

json::value text(std::string_view view) { return json::string(view); }

std::uint64_t bound(ParameterType type, std::string_view value) {
  return type == ParameterType::cycles ? parse_cycles(value) : parse_count(value);
}

/// Whole numbers may have digit separators, which YAML 1.2 reads as text.
json::object whole_schema(const ParameterDescription& parameter, std::string_view unit_pattern) {
  return {{"type", {"integer", "string"}},
          {"minimum", bound(parameter.type, parameter.minimum)},
          {"maximum", bound(parameter.type, parameter.maximum)},
          {"pattern", fmt::format("^{}{}$", number_pattern, unit_pattern)}};
}

json::object unit_schema(std::string_view units) {
  return {{"type", "string"}, {"pattern", fmt::format("^{}[ \\t]*({})$", number_pattern, units)}};
}

json::array words_of(const ParameterDescription& parameter) {
  json::array words;
  for (const std::string_view word : parameter.choices) words.push_back(text(word));
  return words;
}

json::object number_schema(const ParameterDescription& parameter) {
  return {{"type", "number"}, {"minimum", parse_ratio(parameter.minimum)}, {"maximum", parse_ratio(parameter.maximum)}};
}

json::object value_schema(const ParameterDescription& parameter) {
  switch (parameter.type) {
    case ParameterType::count:
      return whole_schema(parameter, "");
    case ParameterType::cycles:
      return whole_schema(parameter, "([ \\t]*cycles?)?");
    case ParameterType::bytes:
      return unit_schema("B|KiB|MiB|GiB|TiB|kB|KB|MB|GB|TB");
    case ParameterType::frequency:
      return unit_schema("Hz|kHz|MHz|GHz");
    case ParameterType::ratio:
      return number_schema(parameter);
    case ParameterType::flag:
      return {{"type", "boolean"}};
    case ParameterType::choice:
    case ParameterType::name:
      return {{"enum", words_of(parameter)}};
    case ParameterType::text:
      return {{"type", {"string", "number", "boolean"}}};
    case ParameterType::path:
      return {{"type", "string"}};
    case ParameterType::counts:
      return {{"type", "array"}, {"items", whole_schema(parameter, "")}};
    case ParameterType::numbers:
      return {{"type", "array"}, {"items", number_schema(parameter)}};
    case ParameterType::names: {
      const json::object name{{"enum", words_of(parameter)}};
      return {{"anyOf", json::array{name, json::object{{"type", "array"}, {"items", name}, {"minItems", 1}}}}};
    }
  }
  return {};
}

std::string describe(const ParameterDescription& parameter) {
  std::string description(parameter.text);
  if (has_range(parameter.type)) description += fmt::format(" From {} to {}.", parameter.minimum, parameter.maximum);
  return description + fmt::format(" Default {} ({}).",
                                   parameter.default_text.empty() ? "empty" : parameter.default_text, parameter.source);
}

json::object parameter_schema(const ParameterDescription& parameter) {
  const json::object value = value_schema(parameter);
  const json::object with_source{{"type", "object"},
                                 {"properties", {{"value", value}, {"source", {{"type", "string"}}}}},
                                 {"required", json::array{"value"}},
                                 {"additionalProperties", false}};
  return {{"description", describe(parameter)}, {"anyOf", json::array{value, with_source}}};
}

json::object block_schema(const BlockDescription& block) {
  json::object properties;
  for (const ParameterDescription& parameter : block.parameters) {
    properties[parameter.name] = parameter_schema(parameter);
  }
  for (const ChildDescription* child : parts_with_keys(block)) {
    properties[child->name] = {{"$ref", fmt::format("#/definitions/{}", child->block->name)}};
  }
  return {{"description", text(block.summary)},
          {"type", "object"},
          {"properties", properties},
          {"additionalProperties", false}};
}

void collect_parts(const BlockDescription& block, std::vector<const BlockDescription*>& parts) {
  for (const ChildDescription* child : parts_with_keys(block)) {
    if (std::find(parts.begin(), parts.end(), child->block) != parts.end()) continue;
    parts.push_back(child->block);
    collect_parts(*child->block, parts);
  }
}

}  // namespace

std::string schema(const BlockDescription& root, const json::object& sections) {
  json::object result{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", text(root.name)}};
  json::object body = block_schema(root);
  json::object file{{"type", "string"}, {"minLength", 1}};
  body["properties"].as_object()["extends"] = {
      {"description", "File or files to start from, relative to this one; what is written here wins."},
      {"anyOf", json::array{file, json::object{{"type", "array"}, {"items", file}, {"minItems", 1}}}}};
  for (const auto& [name, section] : sections) body["properties"].as_object()[name] = section;
  for (auto& [key, value] : body) result[key] = value;
  std::vector<const BlockDescription*> parts;
  collect_parts(root, parts);
  std::sort(parts.begin(), parts.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
  json::object definitions;
  for (const BlockDescription* part : parts) definitions[part->name] = block_schema(*part);
  if (!definitions.empty()) result["definitions"] = definitions;
  return pretty(result);
}

std::vector<const BlockDescription*> root_blocks(std::span<const BlockDescription* const> blocks,
                                                 std::span<const OpenParts> added) {
  std::vector<const BlockDescription*> within;
  for (const OpenParts& open : added) {
    for (const ChildDescription& part : open.parts) within.push_back(part.block);
  }
  for (const BlockDescription* block : blocks) collect_parts(*block, within);
  std::vector<const BlockDescription*> roots;
  for (const BlockDescription* block : blocks) {
    const bool is_part = std::find(within.begin(), within.end(), block) != within.end();
    const bool has_keys = !block->parameters.empty() || !parts_with_keys(*block).empty();
    if (!is_part && has_keys) roots.push_back(block);
  }
  return roots;
}

}  // namespace reconverge::configuration

// SPDX-License-Identifier: Apache-2.0
#include "platforms/launch/schema.hpp"

#include <boost/json/array.hpp>

#include "platforms/launch/element_type.hpp"
#include "platforms/launch/keys.hpp"

namespace reconverge::launch {

namespace {

namespace json = boost::json;

json::object map_of(std::span<const Key> keys);

json::value any_of(json::array choices) { return json::object{{"anyOf", std::move(choices)}}; }

json::object list_of(json::value item) { return {{"type", "array"}, {"items", std::move(item)}}; }

/// Hexadecimal numbers, grouped digits, inf and nan are text to an editor.
json::object number() { return {{"type", {"number", "string"}}}; }

json::object whole() { return {{"type", {"integer", "string"}}, {"minimum", 0}}; }

/// A value together with its type.
json::object typed_value() {
  json::object types;
  for (const std::string_view type : element_type_names()) types[type] = any_of({number(), list_of(number())});
  return {{"type", "object"}, {"properties", types}, {"additionalProperties", false}, {"maxProperties", 1}};
}

json::value field() { return any_of({json::object{{"type", "string"}}, typed_value(), map_of(address_keys())}); }

json::value argument() {
  return any_of({number(), list_of(number()), typed_value(), map_of(struct_keys()), map_of(address_keys()),
                 map_of(count_keys()), map_of(value_keys()), map_of(object_keys())});
}

json::value schema_of(const Key& key) {
  switch (key.kind) {
    case KeyKind::word:
      if (!key.choices.empty()) return json::object{{"enum", json::array(key.choices.begin(), key.choices.end())}};
      return json::object{{"type", {"string", "number"}}};
    case KeyKind::file:
      return json::object{{"type", "string"}};
    case KeyKind::whole:
    case KeyKind::size:
      return whole();
    case KeyKind::number:
      return number();
    case KeyKind::count:
      return any_of({whole(), map_of(count_keys())});
    case KeyKind::extents: {
      json::object list = list_of(whole());
      list["minItems"] = 1;
      list["maxItems"] = 3;
      return any_of({whole(), std::move(list)});
    }
    case KeyKind::shape:
      return list_of(whole());
    case KeyKind::numbers:
      return list_of(number());
    case KeyKind::range:
      return map_of(range_keys());
    case KeyKind::random:
      return map_of(random_keys());
    case KeyKind::arguments:
      return list_of(argument());
    case KeyKind::fields:
      return list_of(field());
    case KeyKind::flag:
      return json::object{{"type", "boolean"}};
    case KeyKind::launches:
      return list_of(map_of(launch_keys()));
    case KeyKind::textures:
      return json::object{{"type", "object"}, {"additionalProperties", map_of(texture_keys())}};
  }
  return nullptr;
}

json::object map_of(std::span<const Key> keys) {
  json::object properties;
  for (const Key& key : keys) {
    json::object schema{{"description", key.text}};
    const json::value value = schema_of(key);
    for (const auto& [name, part] : value.as_object()) schema[name] = part;
    properties[key.name] = std::move(schema);
  }
  return {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
}

json::object section(std::string_view text, json::object schema) {
  json::object result{{"description", text}};
  for (auto& [name, part] : schema) result[name] = std::move(part);
  return result;
}

}  // namespace

json::object section_schemas() {
  const json::object buffers{{"type", "object"}, {"additionalProperties", map_of(buffer_keys())}};
  return {{"buffers", section("Device memory by name, which all launches share.", buffers)},
          {"launches", section("Kernels to run, one after the other.",
                               list_of(any_of({map_of(launch_keys()), map_of(repeat_keys())})))},
          {"outputs", section("Buffers to write into the folder of the report.", list_of(map_of(output_keys())))},
          {"expected", section("What buffers should hold in the end.", list_of(map_of(expected_keys())))}};
}

}  // namespace reconverge::launch

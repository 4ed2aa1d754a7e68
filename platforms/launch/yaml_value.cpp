// SPDX-License-Identifier: Apache-2.0
#include "platforms/launch/yaml_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "models/core/input_file.hpp"
#include "models/core/quantity.hpp"
#include "models/core/suggestion.hpp"

namespace reconverge::launch {

namespace {

/// Marks a value of the command line, which has no location in a file.
const SourceLocation command_line{"--set"};

SourceLocation locate_given(const std::string& file, const YamlNode& node) {
  return node.is_in_file() ? locate(file, node) : command_line;
}

}  // namespace

Value::Value(const std::string& file, std::string path, SourceLocation location, YamlNode node)
    : file_(file), path_(std::move(path)), location_(std::move(location)), node_(std::move(node)) {
  // An absent value, as after `key:`, has no location.
  if (!node_.is_null()) location_ = locate_given(file_, node_);
}

void Value::refuse(std::string_view message, std::string_view hint) const {
  throw InputError(location_, fmt::format("{}: {}", path_, message), hint);
}

void Value::refuse_for_current_exception() const {
  try {
    throw;
  } catch (const QuantityError& error) {
    refuse(error.what(), error.hint());
  } catch (const InputError& error) {
    if (error.location().line != 0 || error.location() == command_line) throw;
    refuse(error.what());
  }
}

std::string Value::text() const {
  if (node_.is_null()) refuse("there is no value", "write one, or remove the key");
  if (!node_.is_scalar()) refuse("this is not a single value");
  return node_.scalar();
}

std::uint64_t Value::whole(std::uint64_t least, std::uint64_t most) const {
  const std::string written = text();
  const std::uint64_t value = about([&] { return parse_element(ElementType::u64, written); });
  if (value < least || value > most)
    refuse(fmt::format("{} is out of range", value), fmt::format("it goes from {} to {}", least, most));
  return value;
}

double Value::magnitude() const {
  const std::string written = text();
  const double value = float_value(ElementType::f64, about([&] { return parse_element(ElementType::f64, written); }));
  if (!(value >= 0)) refuse(fmt::format("{} is no tolerance", written), "write a number from 0");
  return value;
}

std::uint64_t Value::size() const {
  const std::string written = text();
  const bool has_unit = !written.starts_with("0x") && written.find_first_of("BKMGTk") != std::string::npos;
  return about([&] { return has_unit ? parse_bytes(written) : parse_element(ElementType::u64, written); });
}

std::uint64_t Value::element(ElementType type, Signedness signedness) const {
  const std::string written = text();
  return about([&] { return parse_element(type, written, signedness); });
}

std::size_t Value::choice(std::span<const std::string_view> words) const { return index_of(*this, "value", words); }

std::string Value::existing_file() const {
  const std::filesystem::path file = (std::filesystem::path(file_).parent_path() / text()).lexically_normal();
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) {
    refuse(fmt::format("'{}' is a folder", file.generic_string()), "name a file in it");
  }
  if (!std::filesystem::exists(file, error)) {
    refuse(fmt::format("there is no file '{}'", file.generic_string()),
           "paths are relative to the file that gives them");
  }
  about([&] { check_input(file, input::any); });
  return file.generic_string();
}

std::vector<Value> Value::items() const {
  if (!node_.is_list()) refuse("this is not a list", "write [a, b], or a line `- a` for each");
  std::vector<Value> values;
  for (const YamlNode& item : node_.items()) {
    values.emplace_back(file_, fmt::format("{}[{}]", path_, values.size()), location_, item);
  }
  return values;
}

std::vector<YamlEntry> Value::named() const {
  if (!node_.is_map()) refuse("this is not a map", "write a line `name: {...}` for each");
  return entries(file_, node_);
}

Fields Value::fields(std::span<const Key> keys) const { return {*this, keys}; }

Fields::Fields(const Value& map, std::span<const Key> keys) : map_(map) {
  std::vector<std::string_view> names;
  for (const Key& key : keys) names.push_back(key.name);
  if (!map.node().is_map())
    map.refuse("this is not a map", fmt::format("write `key: value` lines; {}", suggest({}, names)));
  entries_ = entries(map.file(), map.node());
  for (const YamlEntry& entry : entries_) {
    if (std::find(names.begin(), names.end(), entry.key) == names.end()) {
      throw InputError(entry.location.line == 0 ? command_line : entry.location,
                       fmt::format("{} has no key {}", map.path(), entry.key), suggest(entry.key, names));
    }
  }
}

std::optional<Value> Fields::find(std::string_view key) const {
  for (const YamlEntry& entry : entries_) {
    if (entry.key == key)
      return Value(map_.file(), fmt::format("{}.{}", map_.path(), key), entry.location, entry.value);
  }
  return {};
}

Value Fields::at(std::string_view key) const {
  if (auto value = find(key)) return *std::move(value);
  map_.refuse(fmt::format("there is no key {}", key), "it must be given");
}

std::size_t index_of(const Value& value, std::string_view what, std::span<const std::string_view> names) {
  const std::string written = value.text();
  const auto found = std::find(names.begin(), names.end(), written);
  if (found == names.end()) value.refuse(fmt::format("unknown {} '{}'", what, written), suggest(written, names));
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace reconverge::launch

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A value in a YAML file that knows its path and location, so that every error message can give them.

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/yaml_node.hpp"
#include "platforms/launch/element_type.hpp"
#include "platforms/launch/keys.hpp"

namespace reconverge::launch {

class Fields;

class Value {
 public:
  /// `path`: `launches[0].grid`. `location` is used if the node has no location.
  Value(const std::string& file, std::string path, SourceLocation location, YamlNode node);

  const std::string& file() const { return file_; }
  const std::string& path() const { return path_; }
  const SourceLocation& location() const { return location_; }
  const YamlNode& node() const { return node_; }

  /// Throws InputError: location, path, message.
  [[noreturn]] void refuse(std::string_view message, std::string_view hint = {}) const;

  std::string text() const;
  std::uint64_t whole(std::uint64_t least = 0, std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) const;
  /// A nonnegative number.
  double magnitude() const;
  /// Bytes, with or without a unit.
  std::uint64_t size() const;
  /// The bits of a number of the type.
  std::uint64_t element(ElementType type, Signedness signedness = Signedness::strict) const;
  /// A word, which must be one of these; returns its index.
  std::size_t choice(std::span<const std::string_view> words) const;
  /// A file, relative to the YAML file.
  std::string existing_file() const;

  /// The items of a list.
  std::vector<Value> items() const;
  /// The entries of a map with the user's own keys; each with the location of its key.
  std::vector<YamlEntry> named() const;
  /// A map with some of the keys.
  Fields fields(std::span<const Key> keys) const;

  /// Runs `action`; a QuantityError, or an InputError without a line, becomes an error of this value.
  template <typename Action>
  auto about(Action&& action) const {
    try {
      return action();
    } catch (...) {
      refuse_for_current_exception();
    }
  }

 private:
  [[noreturn]] void refuse_for_current_exception() const;

  std::string file_;
  std::string path_;
  SourceLocation location_;
  YamlNode node_;
};

/// A map in which all keys are known.
class Fields {
 public:
  Fields(const Value& map, std::span<const Key> keys);

  std::optional<Value> find(std::string_view key) const;
  bool has(std::string_view key) const { return find(key).has_value(); }
  /// Throws InputError if the key is missing.
  Value at(std::string_view key) const;
  const Value& map() const { return map_; }

 private:
  Value map_;
  std::vector<YamlEntry> entries_;
};

/// The index of the value among `names`; refuses other values: `unknown WHAT 'x'; did you mean y?`.
std::size_t index_of(const Value& value, std::string_view what, std::span<const std::string_view> names);

}  // namespace reconverge::launch

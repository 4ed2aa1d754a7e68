// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Reads a JSON file from an untrusted source: every value is requested with its type, and an error names the file and
/// the value's path.

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reconverge::report {

/// Parses a JSON text; `file` is its name in messages. Throws InputError with line and column.
boost::json::value parse_json(std::string_view text, const std::string& file);

/// A value and its path, `stages[2].figures`. Refers to both value and file name, which must outlive it. All functions
/// that ask for a type throw InputError if the value has another.
class JsonPlace {
 public:
  JsonPlace(const boost::json::value& value, const std::string& file, std::string path = {})
      : value_(&value), file_(&file), path_(std::move(path)) {}

  const boost::json::value& value() const { return *value_; }
  const std::string& path() const { return path_; }

  const boost::json::object& object() const;
  const boost::json::array& array() const;
  std::string text() const;
  bool flag() const;
  /// A nonnegative whole number.
  std::uint64_t count() const;

  /// A member of an object; refused if it is missing.
  JsonPlace at(std::string_view key) const;
  /// Nothing for a member that is missing or null.
  std::optional<JsonPlace> find(std::string_view key) const;
  std::vector<JsonPlace> members() const;
  std::vector<JsonPlace> items() const;

  /// A number, or nothing for null.
  void check_number() const;
  void check_texts() const;
  /// `length` nonnegative whole numbers.
  void check_counts(std::size_t length) const;

  [[noreturn]] void refuse(std::string_view message) const;

 private:
  const boost::json::value* value_;
  const std::string* file_;
  std::string path_;
};

}  // namespace reconverge::report

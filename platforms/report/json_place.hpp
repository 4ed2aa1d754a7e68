#pragma once
/// A JSON file that somebody else may have written: every value is asked for with its type, and what is not as it
/// should be is refused with the file and the value's place in it.

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

/// A value and where it stands, `stages[2].figures`. Refers to both value and file name, which must outlive it. All
/// that asks for a type throws InputError where there is another.
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
  /// A whole number that is not negative.
  std::uint64_t count() const;

  /// A member of an object; refused when it is not there.
  JsonPlace at(std::string_view key) const;
  /// Nothing for one that is not there, or null.
  std::optional<JsonPlace> find(std::string_view key) const;
  std::vector<JsonPlace> members() const;
  std::vector<JsonPlace> items() const;

  /// A number, or null for what is none.
  void check_number() const;
  void check_texts() const;
  /// `length` whole numbers that are not negative.
  void check_counts(std::size_t length) const;

  [[noreturn]] void refuse(std::string_view message) const;

 private:
  const boost::json::value* value_;
  const std::string* file_;
  std::string path_;
};

}  // namespace reconverge::report

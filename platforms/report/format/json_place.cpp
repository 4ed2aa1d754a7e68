// SPDX-License-Identifier: Apache-2.0
#include "platforms/report/format/json_place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/parser.hpp>

#include "models/core/error.hpp"

namespace reconverge::report {

namespace json = boost::json;

namespace {

constexpr std::string_view advice = "the file was changed or broken after it was written; run the experiment again";

SourceLocation place_of(std::string_view text, std::size_t offset, const std::string& file) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_start = before.rfind('\n') + 1;  // of the first line: npos + 1 is 0
  return {file, static_cast<std::uint32_t>(std::ranges::count(before, '\n') + 1),
          static_cast<std::uint32_t>(before.size() - line_start + 1)};
}

bool is_count(const json::value& value) { return value.is_uint64() || (value.is_int64() && value.get_int64() >= 0); }

}  // namespace

json::value parse_json(std::string_view text, const std::string& file) {
  json::parser parser;
  boost::system::error_code error;
  const std::size_t read = parser.write_some(text.data(), text.size(), error);
  if (!error && read < text.size()) error = json::error::extra_data;
  if (error) {
    throw InputError(place_of(text, read, file), fmt::format("this is not JSON: {}", error.message()), advice);
  }
  return parser.release();
}

void JsonPlace::refuse(std::string_view message) const {
  throw InputError({*file_, 0, 0}, fmt::format("{} {}", path_.empty() ? "the document" : path_, message), advice);
}

const json::object& JsonPlace::object() const {
  if (!value_->is_object()) refuse("is no object");
  return value_->get_object();
}

const json::array& JsonPlace::array() const {
  if (!value_->is_array()) refuse("is no array");
  return value_->get_array();
}

std::string JsonPlace::text() const {
  if (!value_->is_string()) refuse("is no text");
  return std::string(value_->get_string());
}

bool JsonPlace::flag() const {
  if (!value_->is_bool()) refuse("is neither true nor false");
  return value_->get_bool();
}

std::uint64_t JsonPlace::count() const {
  if (!is_count(*value_)) refuse("is no whole number from 0 on");
  return value_->to_number<std::uint64_t>();
}

JsonPlace JsonPlace::at(std::string_view key) const {
  const json::value* const member = object().if_contains(key);
  std::string path = path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
  if (member == nullptr) JsonPlace(*value_, *file_, std::move(path)).refuse("is missing");
  return {*member, *file_, std::move(path)};
}

std::optional<JsonPlace> JsonPlace::find(std::string_view key) const {
  const json::value* const member = object().if_contains(key);
  if (member == nullptr || member->is_null()) return std::nullopt;
  return at(key);
}

std::vector<JsonPlace> JsonPlace::members() const {
  std::vector<JsonPlace> all;
  for (const json::key_value_pair& member : object()) all.push_back(at(member.key()));
  return all;
}

std::vector<JsonPlace> JsonPlace::items() const {
  std::vector<JsonPlace> all;
  for (const json::value& item : array()) all.emplace_back(item, *file_, fmt::format("{}[{}]", path_, all.size()));
  return all;
}

void JsonPlace::check_number() const {
  if (!value_->is_number() && !value_->is_null()) refuse("is no number");
}

void JsonPlace::check_texts() const {
  for (const JsonPlace& item : items()) static_cast<void>(item.text());
}

void JsonPlace::check_counts(std::size_t length) const {
  if (array().size() != length) refuse(fmt::format("has {} values, and {} are expected", array().size(), length));
  const auto* const wrong = std::ranges::find_if_not(array(), is_count);
  if (wrong != array().end()) {
    const auto index = static_cast<std::size_t>(wrong - array().begin());
    JsonPlace(*wrong, *file_, fmt::format("{}[{}]", path_, index)).refuse("is no whole number from 0 on");
  }
}

}  // namespace reconverge::report

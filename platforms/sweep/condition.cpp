// SPDX-License-Identifier: Apache-2.0
#include "platforms/sweep/condition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>

#include "platforms/sweep/quantity_text.hpp"

namespace reconverge::sweep {

namespace {

constexpr const char* hint = "write for example gpu.sms * gpu.sm.warp_slots <= 960";

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '[' || c == ']';
}

/// Words of SQL expressions, in lower case.
constexpr std::array words{"and",  "or",   "not",  "in",   "between", "is",  "null", "like",
                           "glob", "case", "when", "then", "else",    "end", "true", "false"};

bool is_word(std::string_view name) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::ranges::find(words, lower) != words.end();
}

/// Whether the next character that is not a blank is an opening bracket: a function.
bool is_called(std::string_view text, std::size_t end) {
  const std::size_t next = text.find_first_not_of(' ', end);
  return next != std::string_view::npos && text[next] == '(';
}

/// The end of a text in single quotes that begins at `begin`.
std::size_t end_of_text(std::string_view text, std::size_t begin) {
  const std::size_t end = text.find('\'', begin + 1);
  return end == std::string_view::npos ? text.size() : end + 1;
}

Value value_of(const std::string& text) {
  if (text == "true") return std::int64_t{1};
  if (text == "false") return std::int64_t{0};
  if (const std::optional<Number> number = number_of(text)) return number->value;
  return text;
}

}  // namespace

Condition::Condition(std::string text, SourceLocation location)
    : text_(std::move(text)), location_(std::move(location)) {
  statement_ = "SELECT (";
  for (std::size_t at = 0; at < text_.size();) {
    if (text_[at] == '\'') {
      const std::size_t end = end_of_text(text_, at);
      statement_ += text_.substr(at, end - at);
      at = end;
      continue;
    }
    if (!begins_name(text_[at])) {
      // A digit begins a number, which may contain letters: 1e6.
      std::size_t end = at + 1;
      if (std::isdigit(static_cast<unsigned char>(text_[at])) != 0)
        while (end < text_.size() && in_name(text_[end])) ++end;
      statement_ += text_.substr(at, end - at);
      at = end;
      continue;
    }
    std::size_t end = at;
    while (end < text_.size() && in_name(text_[end])) ++end;
    const std::string name = text_.substr(at, end - at);
    if (is_word(name) || is_called(text_, end)) {
      statement_ += name;
    } else {
      auto place = std::ranges::find(paths_, name);
      if (place == paths_.end()) place = paths_.insert(paths_.end(), name);
      statement_ += fmt::format("?{}", place - paths_.begin() + 1);
    }
    at = end;
  }
  statement_ += ')';
  if (paths_.empty()) throw InputError(location_, fmt::format("'{}' names no parameter", text_), hint);
}

bool Condition::holds(const Parameters& parameters) const {
  std::vector<Value> values;
  for (const std::string& path : paths_) {
    const auto found = parameters.find(path);
    if (found == parameters.end())
      throw InputError(location_, fmt::format("there is no parameter {} in '{}'", path, text_),
                       "a word is written in quotes: 'mimd'");
    values.push_back(value_of(found->second));
  }
  try {
    const Answer answer = Database().ask(statement_, values);
    const Value& value = answer.rows.at(0).at(0);
    if (const auto* number = std::get_if<std::int64_t>(&value)) return *number != 0;
    if (const auto* real = std::get_if<double>(&value)) return *real != 0;
    return false;  // SQL's NULL
  } catch (const InputError& error) {
    throw InputError(location_, fmt::format("'{}': {}", text_, error.what()), hint);
  }
}

}  // namespace reconverge::sweep

// SPDX-License-Identifier: Apache-2.0
#include "models/core/error.hpp"

#include <fmt/format.h>

#include "models/core/printable.hpp"

namespace reconverge {

namespace {

std::string compose(const SourceLocation& location, std::string_view message, std::string_view hint) {
  std::string text = to_string(location);
  if (text.starts_with("--")) text = shortened(text, most_quoted);  // an option with its value
  if (!text.empty()) text += ": ";
  text += message;
  if (!hint.empty()) text.append("; ").append(hint);
  return printable(with_short_quotes(text));  // what() would end at a NUL
}

}  // namespace

std::string to_string(const SourceLocation& location) {
  if (location.line == 0) return location.file;
  if (location.column == 0) return fmt::format("{}:{}", location.file, location.line);
  return fmt::format("{}:{}:{}", location.file, location.line, location.column);
}

InputError::InputError(SourceLocation location, std::string_view message, std::string_view hint)
    : std::runtime_error(compose(location, message, hint)), location_(std::move(location)), hint_(hint) {}

ParameterError::ParameterError(std::string key, std::string_view message, std::string_view hint)
    : InputError({}, key + ": " + std::string(message), hint), key_(std::move(key)) {}

}  // namespace reconverge

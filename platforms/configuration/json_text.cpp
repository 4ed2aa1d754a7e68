// SPDX-License-Identifier: Apache-2.0
#include "platforms/configuration/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <string_view>

#include "models/core/printable.hpp"

namespace reconverge::configuration {

namespace {

namespace json = boost::json;

constexpr std::size_t line_length = 120;

/// Control characters that JSON does not require to be escaped but that terminals obey: DEL, and C1 in UTF-8. Bytes
/// that are not UTF-8, which file names can contain, become the text `\xNN`, as JSON cannot hold them. Only strings
/// contain such bytes.
std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto first = static_cast<unsigned char>(text[0]);
    const auto second = static_cast<unsigned char>(text.size() > 1 ? text[1] : '\0');
    const std::size_t known = character_length(text);
    std::size_t length = std::max<std::size_t>(known, 1);
    if (first == 0x7F) {
      out += "\\u007f";
    } else if (first == 0xC2 && second >= 0x80 && second < 0xA0) {
      out += fmt::format("\\u{:04x}", second);
      length = 2;
    } else if (first >= 0x80 && known == 0) {
      out += fmt::format("\\\\x{:02x}", first);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return out;
}

void write(const json::value& value, std::size_t indent, std::string& out) {
  const std::string line = json::serialize(value);
  const bool fits = indent + line.size() <= line_length;
  if (const json::array* array = value.if_array(); array != nullptr && !fits) {
    out += '[';
    for (const json::value& item : *array) {
      out += (&item == &array->front() ? "\n" : ",\n") + std::string(indent + 2, ' ');
      write(item, indent + 2, out);
    }
    out += '\n' + std::string(indent, ' ') + ']';
  } else if (const json::object* object = value.if_object(); object != nullptr && !fits) {
    out += '{';
    bool is_first = true;
    for (const auto& [key, member] : *object) {
      out += (is_first ? "\n" : ",\n") + std::string(indent + 2, ' ') + json::serialize(json::string(key)) + ": ";
      write(member, indent + 2, out);
      is_first = false;
    }
    out += '\n' + std::string(indent, ' ') + '}';
  } else {
    out += line;
  }
}

}  // namespace

std::string pretty(const json::value& value) {
  std::string out;
  write(value, 0, out);
  return escaped(out) + '\n';
}

}  // namespace reconverge::configuration

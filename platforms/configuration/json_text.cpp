#include "platforms/configuration/json_text.hpp"

#include <fmt/format.h>

#include <boost/json/serialize.hpp>

namespace reconverge::configuration {

namespace {

namespace json = boost::json;

constexpr std::size_t line_length = 120;

/// Control characters that JSON does not demand to be escaped, and that terminals obey: DEL, and C1 in UTF-8. Only
/// strings have them.
std::string escaped(const std::string& text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : '\0');
    if (text[i] == '\x7F') {
      out += "\\u007f";
    } else if (text[i] == '\xC2' && next >= 0x80 && next < 0xA0) {
      out += fmt::format("\\u{:04x}", next);
      ++i;
    } else {
      out += text[i];
    }
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

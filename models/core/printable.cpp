// SPDX-License-Identifier: Apache-2.0
#include "models/core/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>

namespace reconverge {

namespace {

enum class Side : std::uint8_t { front, back };

/// The first quote from there on with no letter on that side: one within a word is an apostrophe.
std::size_t find_quote(std::string_view text, std::size_t from, Side side) {
  for (std::size_t at = text.find('\'', from); at != std::string_view::npos; at = text.find('\'', at + 1)) {
    const std::string_view beyond = side == Side::front ? text.substr(0, at) : text.substr(at + 1);
    if (beyond.empty()) return at;
    const auto next = static_cast<std::uint8_t>(side == Side::front ? beyond.back() : beyond.front());
    if (next < 0x80 && std::isalnum(next) == 0) return at;
  }
  return std::string_view::npos;
}

}  // namespace

/// RFC 3629, section 4.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<std::uint8_t>(text[i]) : std::uint8_t{};
  };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7F ? 1 : 0;
  const std::size_t length = first >= 0xF5 ? 0 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xBF) return 0;
  }
  const std::uint8_t second = byte(1);
  const bool is_overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool is_no_character = (first == 0xED && second > 0x9F) || (first == 0xF4 && second > 0x8F);
  const bool is_control = first == 0xC2 && second < 0xA0;  // C1: U+0080 to U+009F
  return is_overlong || is_no_character || is_control ? 0 : length;
}

std::string printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const char first = text.front();
    std::size_t length = character_length(text);
    if (length == 0 && (first == '\n' || first == '\t')) length = 1;
    if (length == 0) {
      shown += fmt::format("\\x{:02x}", static_cast<std::uint8_t>(first));
    } else {
      shown += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return shown;
}

std::string shortened(std::string_view text, std::size_t most) {
  std::string_view rest = text;
  for (; most != 0 && !rest.empty(); --most) rest.remove_prefix(std::max<std::size_t>(character_length(rest), 1));
  if (rest.empty()) return std::string(text);
  return std::string(text.substr(0, text.size() - rest.size())) + "...";
}

std::string with_short_quotes(std::string_view message, std::size_t most) {
  std::string shown;
  std::size_t done = 0;
  while (true) {
    const std::size_t open = find_quote(message, done, Side::front);
    const std::size_t close = open == std::string_view::npos ? open : find_quote(message, open + 1, Side::back);
    if (close == std::string_view::npos) return shown.append(message.substr(done));
    shown.append(message.substr(done, open + 1 - done));
    shown.append(shortened(message.substr(open + 1, close - open - 1), most)).append("'");
    done = close + 1;
  }
}

bool has_control_character(std::string_view text) {
  for (; !text.empty(); text.remove_prefix(1)) {
    const auto byte = static_cast<std::uint8_t>(text.front());
    const bool is_ascii_control = byte < 0x20 || byte == 0x7F;
    const bool is_c1 = byte == 0xC2 && text.size() > 1 && static_cast<std::uint8_t>(text[1]) - 0x80U < 0x20U;
    if (is_ascii_control || is_c1) return true;
  }
  return false;
}

bool is_printable_name(std::string_view name) { return !has_control_character(name) && printable(name) == name; }

}  // namespace reconverge

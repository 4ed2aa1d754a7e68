// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Makes external text safe for a terminal: control characters are shown as text.

#include <cstddef>
#include <string>
#include <string_view>

namespace reconverge {

/// The text with `\xNN` for each byte of a control character other than newline and tab (C0, DEL, and C1 in UTF-8), and
/// for each byte that is not UTF-8. Everything else is unchanged, so applying it twice gives the same text.
std::string printable(std::string_view text);

/// At most `most` characters of the text, then `...` if it has more.
std::string shortened(std::string_view text, std::size_t most);

/// Limit of characters for user text that a message repeats.
inline constexpr std::size_t most_quoted = 200;

/// The message, with each text in single quotes cut at that length.
std::string with_short_quotes(std::string_view message, std::size_t most = most_quoted);

/// Bytes of the character that the text begins with; 0 if they are not UTF-8, or a control character.
std::size_t character_length(std::string_view text);

/// Whether it has a control character, including newline and tab.
bool has_control_character(std::string_view text);

/// Whether the text can name a file or a line of a table: UTF-8 without control characters.
bool is_printable_name(std::string_view name);

}  // namespace reconverge

#pragma once
/// Text that came from elsewhere, for a terminal: control characters are shown and not obeyed.

#include <cstddef>
#include <string>
#include <string_view>

namespace reconverge {

/// The text with `\xNN` for each byte of a control character but newline and tab (C0, DEL, and C1 in UTF-8), and for
/// each byte that is no UTF-8. All else stays, so text is printable twice as well as once.
std::string printable(std::string_view text);

/// At most that many characters of the text, then `...` where it has more.
std::string shortened(std::string_view text, std::size_t most);

/// Characters of what a user gave that a message repeats.
inline constexpr std::size_t most_quoted = 200;

/// The message, with each text in single quotes cut at that length.
std::string with_short_quotes(std::string_view message, std::size_t most = most_quoted);

/// Bytes of the character that the text begins with; 0 where they are no UTF-8, or a control character.
std::size_t character_length(std::string_view text);

/// Whether it has a control character, newline and tab among them.
bool has_control_character(std::string_view text);

/// What names a file or a line of a table: UTF-8 without control characters.
bool is_printable_name(std::string_view name);

}  // namespace reconverge

#pragma once
/// Results to standard output. Nothing here throws: a report shall be written even when nobody can read the table. What
/// did not arrive is found, and complained of, when the program ends.

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace reconverge::cli {

/// Control characters are shown and not obeyed (models/core/printable.hpp), in a file, too: logs are read on terminals.
void print(std::string_view text);

/// The same on standard error.
void print_beside(std::string_view text);

template <typename... Arguments>
void print_formatted(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  print(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Why the first text that could not be printed was not, as errno has it; 0 where that is not known.
int output_error();

/// Whether something could not be printed because the reader of standard output has gone, as `head` does.
bool nobody_reads();

}  // namespace reconverge::cli

#pragma once
/// Results to standard output. Nothing here throws: a report shall be written even when nobody can read the table. What
/// did not arrive is found, and complained of, when the program ends.

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

namespace reconverge::cli {

inline void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

template <typename... Arguments>
void print_formatted(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  print(fmt::format(format, std::forward<Arguments>(arguments)...));
}

}  // namespace reconverge::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Prints results to standard output. These functions do not throw: a report must be written even if the table cannot
/// be printed. Failed output is detected and reported when the program ends.

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace reconverge::cli {

/// Control characters are escaped (models/core/printable.hpp), also when standard output is a file: logs are read on
/// terminals.
void print(std::string_view text);

/// The same on standard error.
void print_beside(std::string_view text);

template <typename... Arguments>
void print_formatted(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  print(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// The errno of the first failed print; 0 if unknown.
int output_error();

/// Whether printing failed because the reader of standard output has closed it, like `head`.
bool nobody_reads();

}  // namespace reconverge::cli

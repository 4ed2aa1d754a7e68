// SPDX-License-Identifier: Apache-2.0
#pragma once
/// An SVG picture that is written element by element.

#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace reconverge::specification {

/// Text between tags.
std::string escaped(std::string_view text);

class Svg {
 public:
  /// White, with sizes in pixels. `style`: a style sheet.
  Svg(std::size_t width, std::size_t height, std::string_view title, std::string_view style);

  /// Adds an element.
  template <typename... Values>
  void add(fmt::format_string<const Values&...> format, const Values&... values) {
    fmt::format_to(std::back_inserter(text_), format, values...);
    text_ += '\n';
  }

  /// The whole picture.
  std::string text() && { return std::move(text_) + "</svg>\n"; }

 private:
  std::string text_;
};

}  // namespace reconverge::specification

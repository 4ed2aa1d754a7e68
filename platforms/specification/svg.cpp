// SPDX-License-Identifier: Apache-2.0
#include "platforms/specification/svg.hpp"

namespace reconverge::specification {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

Svg::Svg(std::size_t width, std::size_t height, std::string_view title, std::string_view style) {
  add(R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" role="img">)", width,
      height);
  add("<title>{}</title>", escaped(title));
  add("<style>{}</style>", style);
  add(R"(<rect width="{}" height="{}" fill="#fff"/>)", width, height);
}

}  // namespace reconverge::specification

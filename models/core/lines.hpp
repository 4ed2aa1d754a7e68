// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The lines of a text.

#include <algorithm>
#include <string_view>
#include <vector>

namespace reconverge {

/// Without their ends. A text that ends with a newline has no empty line after it.
inline std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace reconverge

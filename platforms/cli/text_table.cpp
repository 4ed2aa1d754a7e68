// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace reconverge::cli {

std::string text_of(std::span<const TextColumn> columns) {
  std::string above;
  std::vector<std::string> lines(columns.empty() ? 0 : columns.front().cells.size() + 1);
  for (const TextColumn& column : columns) {
    std::size_t width = column.head.size();
    for (const std::string& cell : column.cells) width = std::max(width, cell.size());
    if (!column.above.empty()) {
      // If a second head is wider than the columns below it, the next columns start after it.
      const std::size_t place = std::max(above.empty() ? 0 : above.size() + 2, lines[0].size() + 2);
      for (std::string& line : lines) line.resize(place - 2, ' ');
      above.resize(place, ' ');
      above += column.above;
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string& cell = i == 0 ? column.head : column.cells[i - 1];
      if (!lines[i].empty()) lines[i] += "  ";
      lines[i] += column.number ? fmt::format("{:>{}}", cell, width) : fmt::format("{:<{}}", cell, width);
    }
  }
  std::string out = above.empty() ? above : above + '\n';
  for (std::string& line : lines) {
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

}  // namespace reconverge::cli

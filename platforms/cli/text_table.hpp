#pragma once
/// Columns for the terminal.

#include <span>
#include <string>
#include <vector>

namespace reconverge::cli {

struct TextColumn {
  std::string head;
  std::vector<std::string> cells;
  bool number = false;  ///< stands at the right
  std::string above;    ///< a second head over this and the next columns; none: no column has one
};

/// Two spaces between columns of equal length, no space at the end of a line.
std::string text_of(std::span<const TextColumn> columns);

}  // namespace reconverge::cli

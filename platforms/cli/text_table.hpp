// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Columns for the terminal.

#include <span>
#include <string>
#include <vector>

namespace reconverge::cli {

struct TextColumn {
  std::string head;
  std::vector<std::string> cells;
  bool number = false;  ///< right-aligned
  std::string above;    ///< a second head over this column and the next ones; empty in all columns: no such line
};

/// Two spaces between columns, and no space at the end of a line.
std::string text_of(std::span<const TextColumn> columns);

}  // namespace reconverge::cli

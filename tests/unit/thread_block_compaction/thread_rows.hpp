// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Rows of threads as short strings. "aab." has threads of warps a, a and b in lanes 0 to 2, and no thread in lane 3.

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/schemes/thread_block_compaction/compactor.hpp"

namespace reconverge::tests {

inline ThreadRow row_of(std::string_view text) {
  ThreadRow row;
  for (unsigned lane = 0; lane < text.size(); ++lane) {
    if (text[lane] == '.') continue;
    row.home[lane] = static_cast<std::uint8_t>(text[lane] - 'a');
    row.lanes |= lane_bit(lane);
  }
  return row;
}

/// The text of the first `lanes` lanes of a row.
inline std::string text_of(const ThreadRow& row, unsigned lanes) {
  std::string text(lanes, '.');
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if ((row.lanes >> lane & 1U) != 0) text[lane] = static_cast<char>('a' + row.home[lane]);
  }
  return text;
}

using Texts = std::vector<std::string>;

inline Texts texts_of(std::span<const ThreadRow> rows, unsigned lanes) {
  Texts texts;
  for (const ThreadRow& row : rows) texts.push_back(text_of(row, lanes));
  return texts;
}

}  // namespace reconverge::tests

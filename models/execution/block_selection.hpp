// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The blocks of a grid that run, for runs of a sample of the blocks.

#include <cstdint>

namespace reconverge {

/// A stratified sample: `length` consecutive blocks of every `period` blocks. The sample begins at a different,
/// pseudo-random place in each period, so that a pattern that repeats in the grid is sampled evenly. The default is all
/// blocks.
struct BlockSelection {
  std::uint64_t period = 1;
  std::uint64_t length = 1;  ///< at most the period
  bool inverted = false;     ///< the other blocks instead

  bool all() const { return length == period && !inverted; }
  BlockSelection others() const { return {period, length, !inverted}; }

  /// Of a grid with `blocks` blocks.
  std::uint64_t count(std::uint64_t blocks) const;
  /// Number `index` of the selected ones.
  std::uint64_t block(std::uint64_t index, std::uint64_t blocks) const;
};

}  // namespace reconverge

#pragma once
/// Where control can come back to.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// The largest sets of blocks that all reach each other: loops with all that is nested in them, and knots with several
/// ways in.
struct Cycles {
  std::vector<std::uint32_t> of_block;  ///< by block: index of its set, or `none` where control never comes back
  std::uint32_t count = 0;

  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
};

/// Reads `successors` only.
Cycles find_cycles(std::span<const BasicBlock> blocks);

}  // namespace reconverge::kernel

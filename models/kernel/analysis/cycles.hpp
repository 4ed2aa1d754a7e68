// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The cycles of a control-flow graph.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// The strongly connected components: loops with everything nested in them, and irreducible cycles with several
/// entries.
struct Cycles {
  std::vector<std::uint32_t> of_block;  ///< by block: index of its set, or `none` if it is on no cycle
  std::uint32_t count = 0;

  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
};

/// Reads only `successors`.
Cycles find_cycles(std::span<const BasicBlock> blocks);

}  // namespace reconverge::kernel

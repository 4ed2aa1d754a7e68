// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Finds the values that may differ between threads that run together, and the branches that may split these threads.
///
/// A value is uniform if it is the same for all threads that execute an instruction together, on a machine that keeps
/// the threads of a warp (or block) together, does not mix threads of different blocks, and reconverges diverged
/// threads where the sides of the branch join. The analysis is sound (every value that it reports as uniform is
/// uniform) but not complete.

#include <vector>

#include "models/kernel/analysis/liveness.hpp"
#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// The threads that run together: the lanes of a warp, in lockstep; or the threads of a block. The threads of a block
/// diverge and reconverge together, but its warps may be at different instructions in between, so that they read memory
/// at different times and exchange values among different lanes.
enum class Together : std::uint8_t { warp, block };

struct Divergence {
  /// By pc: a bra or brx whose threads may diverge.
  std::vector<bool> branch;
  /// By block: rows that may differ between threads at its top; row r has number r, predicate p register_rows + p.
  std::vector<ValueSet> at_entry;
};

/// Forward data flow to the fixed point. Sources of divergence are thread and lane numbers, local memory, atomics,
/// values that lanes exchange, extension instructions, and rows that are never written. Control flow is a source, too:
/// a row that is written on one side of a divergent branch, or in the loop that the branch leaves, differs where the
/// sides join (the influence region of the branch: Sampaio, Souza, Collange and Pereira, TOPLAS 2013).
Divergence analyse_divergence(const Program& program, Together together = Together::warp);

}  // namespace reconverge::kernel

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Selects the split points of a kernel: the basic blocks at which threads are spawned. Any selection is correct; the
/// author chooses the fastest (Steffen and Zambreno, MICRO 2010, section V).

#include <cstdint>
#include <string>
#include <vector>

#include "models/kernel/transform/written_kernel.hpp"

namespace reconverge::kernel {

enum class SplitAt : std::uint8_t { loops, branches };

struct SplitPoint {
  enum class Reason : std::uint8_t {
    loop,        ///< the header of a loop
    after_loop,  ///< where lanes that leave a loop continue
    knot,        ///< an entry of an irreducible cycle
    side,        ///< a side of a divergent branch
    meeting      ///< the reconvergence point of a divergent branch
  };
  std::uint32_t block = 0;
  Reason reason = Reason::loop;
  std::uint32_t line = 0;  ///< PTX line of the loop's header, or of the branch
};

/// Nesting depths of the loops that are split; 1 is the outermost.
struct LoopDepths {
  std::uint32_t least = 1;
  std::uint32_t most = 0;  ///< 0: no limit

  bool contains(std::uint32_t depth) const { return depth >= least && (most == 0 || depth <= most); }
};

/// By block, in ascending order; each block once, with the first reason that applies. Only for `loops`: loops of other
/// `depths` are ignored. Points from which fewer than `least` instructions, without memory accesses, lead to other
/// points are omitted, but each cycle keeps one. Only for `branches`: `divergent` is true, by instruction, for branches
/// that may split a warp. Blocks that only jump or return are skipped: regrouping their threads has no benefit.
std::vector<SplitPoint> split_points(const WrittenKernel& kernel, SplitAt at, const LoopDepths& depths,
                                     std::uint32_t least, const std::vector<bool>& divergent);

/// By instruction of `kernel`: whether it is a bra or brx that the divergence analysis finds divergent in `program`,
/// which is the same kernel decoded.
std::vector<bool> divergent_branches(const WrittenKernel& kernel, const Program& program);

}  // namespace reconverge::kernel

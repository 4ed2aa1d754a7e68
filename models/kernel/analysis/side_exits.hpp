// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Branches after which lanes never return, and which must not determine where the other lanes reconverge.
///
/// nvcc ends a loop of persistent threads with `@p bra L6; bra.uni L5; ... L5: ret`, inside the test whether a lane
/// needs a new ray. If that exit counts as an ordinary edge, it is reachable only after the fetch, so the fetch becomes
/// the post-dominator of the test: lanes that are still tracing would reach it in different iterations, each with a
/// different result of the vote before it. Compilers for GPUs turn such a branch into a guarded exit: its lanes end,
/// and the others reconverge after the test.

#include <cstdint>
#include <span>
#include <vector>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// An edge of the control-flow graph, by block index.
struct FlowEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;

  bool operator==(const FlowEdge&) const = default;
};

/// The edges that are removed before post-dominators are computed, in order of `from`.
///
/// Such an edge leads from a block with another successor to one of these:
/// - a *bare end*: blocks that only return, exit or jump to a block that does (a function may store its results first),
///   or that end the run (trap, a failed assertion);
/// - a *quiet end* of a loop in which lanes communicate (votes, shuffles and the like, shared or volatile memory):
///   blocks that never return to the loop, and in which no lane communicates, waits at a barrier or calls a function.
///   Lanes execute it as they arrive, without waiting.
///
/// The edge is removed if it would move the reconvergence point of another branch (except from one end of a loop to
/// another). An edge to a bare end is also removed if, before lanes would reconverge at that end, other lanes reach a
/// barrier or an operation that names its lanes: lanes that have exited do not delay these. In all other cases the edge
/// is kept, and lanes wait at the end for the lanes that follow, so that they execute one `ret` together.
std::vector<FlowEdge> find_side_exits(std::span<const Instruction> instructions, std::span<const BasicBlock> blocks);

/// The graph without these edges.
std::vector<BasicBlock> without(std::span<const BasicBlock> blocks, std::span<const FlowEdge> edges);

}  // namespace reconverge::kernel

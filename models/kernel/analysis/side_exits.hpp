#pragma once
/// Branches that send lanes away for good, and so must not decide where the others meet.
///
/// nvcc ends a loop of persistent threads with `@p bra L6; bra.uni L5; ... L5: ret`, somewhere inside the question
/// whether a lane needs a new ray. Taken as an edge like any other, that way out lies behind the fetch alone, which
/// would make the fetch the post-dominator of the question: lanes that still trace would come there one round after the
/// other, each with its own answer to the vote before it. Hardware's compilers make a guarded exit of such a branch:
/// its lanes are gone, and the others meet behind the question.

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

/// The edges that do not count for post-dominators, in order of `from`.
///
/// Such an edge leads from a block with another way on to
/// - a *bare end*: blocks that only return, exit or jump to one that does (a function may store its results first), or
///   that end the run (trap, a failed assertion). Or to
/// - a *quiet end* of a loop in which lanes ask for each other (votes, shuffles and the like, shared or volatile
///   memory): blocks that never come back, and wherein no lane asks for another, has to wait at a barrier or calls a
///   function. Its lanes run it as they come.
///
/// It is left out where it would move the place where the lanes of another branch meet (but from one end of a loop to
/// another); and an edge to a bare end also
/// where, before lanes would meet at that end, others come to a barrier or to an operation that names its lanes: who
/// has left does not hold these up. Everywhere else the edge counts, and lanes wait at the end for those behind them,
/// which saves them a `ret` of their own.
std::vector<FlowEdge> find_side_exits(std::span<const Instruction> instructions, std::span<const BasicBlock> blocks);

/// The graph without these edges.
std::vector<BasicBlock> without(std::span<const BasicBlock> blocks, std::span<const FlowEdge> edges);

}  // namespace reconverge::kernel

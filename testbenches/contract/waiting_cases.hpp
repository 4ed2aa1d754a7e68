#pragma once
/// Kernels whose threads wait for each other. Whether they end depends on the machine, so they are no cases of the
/// suite.

#include "testbenches/contract/machines.hpp"

namespace reconverge::contract {

/// Threads of a warp take a lock one after the other, each in its own loop, and add 1 to the second word of the sums
/// (El Tantawy and Aamodt 2016, 2.2).
Case lock_in_loop();

/// A lane waits for a flag that a lane sets after the loop of the first.
Case flag_after_loop();

/// A flag that no thread sets, in a grid of `blocks` with one warp each.
Case lost_flag(std::uint32_t blocks);

/// Parts of a warp come to a barrier of the block on both sides of a branch.
Case barrier_on_two_sides();

/// A vote that names all lanes, which leave the loop before it in different rounds.
Case vote_after_loop();

/// Each block waits for the next one; the last waits for none.
Case chain_of_blocks(std::uint32_t blocks, std::uint32_t threads);

}  // namespace reconverge::contract

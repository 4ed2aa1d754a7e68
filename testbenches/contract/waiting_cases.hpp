// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Kernels whose threads wait for each other. Whether they end depends on the machine, so they are not cases of the
/// suite.

#include "testbenches/contract/machines.hpp"

namespace reconverge::contract {

/// Threads of a warp acquire a lock one after the other, each in a separate loop, and add 1 to the second word of the
/// sums (El Tantawy and Aamodt 2016, 2.2).
Case lock_in_loop();

/// A lane waits in a loop for a flag that another lane sets after that loop.
Case flag_after_loop();

/// A flag that no thread sets, in a grid of `blocks` with one warp each.
Case lost_flag(std::uint32_t blocks);

/// Each part of a diverged warp reaches a block barrier on its side of a branch.
Case barrier_on_two_sides();

/// A vote that names all lanes, which leave the preceding loop in different rounds.
Case vote_after_loop();

/// Each block waits for the next one; the last one waits for none.
Case chain_of_blocks(std::uint32_t blocks, std::uint32_t threads);

}  // namespace reconverge::contract

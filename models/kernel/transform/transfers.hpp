// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The values that the micro-kernels of a kernel pass to each other: the values live at each split point, the values
/// that each micro-kernel must load, and the values that each spawn must store.
///
/// A value has a fixed offset in the state. It is therefore stored only if it may have changed since it was loaded, and
/// loaded only if it is used, or must be stored again, before the next spawn. Predicates are packed in words of 32,
/// which are read and written as a whole.

#include <cstdint>
#include <span>
#include <vector>

#include "models/kernel/transform/rematerialisation.hpp"
#include "models/kernel/transform/split_points.hpp"
#include "models/kernel/transform/written_kernel.hpp"

namespace reconverge::kernel {

/// The place of a predicate.
struct PredicatePlace {
  std::uint32_t word = 0;  ///< of the words of predicates
  std::uint32_t bit = 0;
};

/// The split points at which a warp without divergence continues with a branch and keeps its registers.
enum class GoesOn : std::uint8_t {
  nowhere,
  rounds,   ///< only at the loop header where it began, for the next iteration
  anywhere  ///< at any split point
};

/// An edge from the end of a block to a split point: the thread spawns and exits, or continues.
struct SpawnEdge {
  std::uint32_t from = 0;   ///< block; BasicBlock::no_block: the top of the kernel
  std::uint32_t split = 0;  ///< index of the split point
  ValueSet stored;          ///< values; for predicates, all predicates of the words that change
  /// The block ends in a guarded branch to another split point, and the next block is only a jump to this split point:
  /// `@%p bra A; bra B;`. Both spawn at the branch, so that all lanes store together the values that both store.
  bool by_jump = false;
  bool goes_on = false;  ///< continues without a spawn if the warp has not diverged
};

/// The actions of threads that begin at one split point.
struct MicrokernelEntry {
  ValueSet passed;                      ///< live at its top, and not recomputed
  ValueSet loaded;                      ///< the values among these that it loads; predicates are loaded as words
  std::vector<std::uint32_t> computed;  ///< instructions that recompute constants, in order
  bool needs_state = false;             ///< whether it loads or spawns at all
  bool may_go_on = false;               ///< whether it reaches a spawn instead of which a warp may continue
};

struct Transfers {
  std::vector<MicrokernelEntry> entries;   ///< by split point
  bool grid_needs_state = false;           ///< whether threads of the grid reach a spawn
  bool grid_may_go_on = false;             ///< whether they reach one instead of which a warp may continue
  std::vector<SpawnEdge> edges;            ///< in order of `from`, then of the split point
  std::vector<PredicatePlace> predicates;  ///< by value, for predicates that are passed
  std::uint32_t predicate_words = 0;
};

/// `uses_state`: by instruction, whether it needs the pointer to the state. If threads continue at a split point,
/// registers hold the values that are used there, and values that have changed since the thread began are stored at its
/// end. Throws InputError for values that must be passed but cannot be: a condition code, an argument of a call.
Transfers find_transfers(const WrittenKernel& kernel, std::span<const SplitPoint> splits,
                         const Rematerialisation& constants, const std::vector<bool>& uses_state, GoesOn goes_on);

}  // namespace reconverge::kernel

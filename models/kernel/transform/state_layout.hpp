// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The layout of a thread's state: the values that micro-kernels pass to each other.
///
/// Each value has the same offset in all micro-kernels, so that a micro-kernel need not access values that it neither
/// changes nor reads. Values that are never live at the same split point may share an offset.

#include <cstdint>
#include <vector>

#include "models/kernel/transform/transfers.hpp"

namespace reconverge::kernel {

/// A value, or a word of predicates.
struct StateItem {
  bool predicates = false;
  std::uint32_t index = 0;  ///< ValueId, or number of the word
  unsigned bytes = 0;       ///< 1, 2, 4 or 8; its offset is a multiple of this
  std::uint32_t offset = 0;
};

/// One load or store: 1, 2 or 4 consecutive items of equal size.
struct StateAccess {
  std::uint32_t offset = 0;
  std::vector<StateItem> items;

  unsigned bytes() const { return static_cast<unsigned>(items.size()) * items.front().bytes; }
};

struct StateLayout {
  std::vector<StateItem> items;    ///< by offset; several items may share an offset
  std::uint32_t bytes = 0;         ///< size of a thread's state; a multiple of `alignment`
  std::uint32_t alignment = 4;     ///< of each thread's state; 16 if vectors are used
  std::uint32_t local_offset = 0;  ///< offset of the local arrays, if they are part of the state
};

/// `local_bytes`: size of local arrays that are part of the state, after the values.
StateLayout lay_out_state(const WrittenKernel& kernel, const Transfers& transfers, std::uint32_t local_bytes);

/// The accesses that read or write these values; for predicates, those to their words.
std::vector<StateAccess> accesses_to(const StateLayout& layout, const WrittenKernel& kernel, const Transfers& transfers,
                                     const ValueSet& values);

/// The number of bytes that the accesses move.
std::uint32_t bytes_of(const std::vector<StateAccess>& accesses);

}  // namespace reconverge::kernel

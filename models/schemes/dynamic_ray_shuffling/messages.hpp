// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Messages between the parts of dynamic ray shuffling, and between the block and its environment. They are values that
/// live within one cycle; the fields that a target fills come last. Plain data, no SystemC.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "models/core/lane_mask.hpp"
#include "models/schemes/dynamic_ray_shuffling/ray_states.hpp"
#include "models/schemes/dynamic_ray_shuffling/row_set.hpp"

namespace reconverge {

/// The swap units, each with a special row. They take turns to choose a swap.
enum class ShuffleUnit : std::uint8_t { collect_leaf, collect_fetch, eject_inner };
inline constexpr std::size_t shuffle_units = 3;

/// Rows in addition to the warps' rows and the backup rows; they begin without rays.
inline constexpr std::size_t empty_rows = 2;

// To the ray state table.

/// Sets the states of `lanes` of a row to those in `states`.
struct RayReport {
  std::size_t row = 0;
  LaneMask lanes = 0;
  RayStates states;
};

/// Reads the states of a row.
struct RowRead {
  std::size_t row = 0;
  // Filled:
  RayStates states = {};
  LaneMask places = 0;  ///< lanes of a warp

  LaneMask lanes(RayState state) const { return states.lanes(state) & places; }
  LaneMask rays() const { return (states.high | states.low) & places; }
};

/// Reads which rows hold rays in which state.
struct RowSummary {
  std::array<RowSet, 4> in_state;  ///< filled: by state, the rows with a lane in that state

  /// The rows with a lane in that state; `none`: with an empty lane.
  const RowSet& with(RayState state) const { return in_state[static_cast<std::size_t>(state)]; }
  RowSet with_rays() const { return with(RayState::fetch) | with(RayState::inner) | with(RayState::leaf); }
  /// The rows with at least one ray whose rays are all in the same state.
  RowSet uniform() const {
    const RowSet &f = with(RayState::fetch), &i = with(RayState::inner), &l = with(RayState::leaf);
    return with_rays() & ~((f & i) | (f & l) | (i & l));
  }
  /// The uniform rows with a ray in every lane: a warp runs such a row with all its lanes.
  RowSet full() const { return uniform() & ~with(RayState::none); }
};

// To the swap buffers, and to a ray state table in which swaps take no time.

/// A swap of rays: the i-th lane of `source_lanes` with the i-th lane of `destination_lanes`. Both masks have the same
/// number of lanes; the rows differ.
struct RaySwap {
  std::size_t source = 0;  ///< row
  std::size_t destination = 0;
  LaneMask source_lanes = 0;
  LaneMask destination_lanes = 0;
  bool both_ways = false;  ///< the destination's lanes hold rays, too

  bool operator==(const RaySwap&) const = default;
};

// To warp renaming.

/// Replaces the warp's row by one that no other warp has, or by none.
struct Renaming {
  std::size_t warp = 0;
  std::optional<std::size_t> row = {};
  bool released = false;  ///< filled: the warp had a row
};

/// The row of a warp.
struct WarpRow {
  std::size_t warp = 0;
  std::optional<std::size_t> row = {};  ///< filled
};

/// The rows that are bound to a warp.
struct BoundRows {
  RowSet rows;  ///< filled
};

// To shuffle control.

/// The state of the choice at the start of a cycle.
struct ChoiceState {
  RowSet swapping = {};                 ///< all filled: rows of swaps from their choice to their end
  bool locks = false;                   ///< the rows of a choice become swapping in this cycle
  bool reads = false;                   ///< requests the read port of the ray state table
  std::optional<RaySwap> offered = {};  ///< the chosen swap, until the swap buffers take it
  bool rests = false;                   ///< no choice is in progress, and none will be until rows change
  bool updates = false;                 ///< the table does not show the last choice yet
};

/// Ends a cycle of the choice.
struct ChoiceCycle {
  bool read = false;                    ///< the read port was granted
  bool taken = false;                   ///< the swap buffers took the offered swap
  bool released = false;                ///< a warp releases its row
  std::optional<RaySwap> ended = {};    ///< a swap ended
  std::optional<RayReport> write = {};  ///< filled: the table shows these states from the cycle after the next
};

// To swap buffers.

/// An access to the register file that a swap requests in a cycle.
struct RegisterAccess {
  std::size_t row = 0;
  std::size_t ray_register = 0;
  LaneMask lanes = 0;  ///< read: lanes that go into the buffer; write: lanes that are written

  bool operator==(const RegisterAccess&) const = default;
};

/// The accesses that a swap requests in this cycle; requested again in the next until granted.
struct RegisterTransfers {
  std::optional<RegisterAccess> read = {};  ///< all filled
  std::optional<RegisterAccess> write = {};
  bool busy = false;      ///< a swap is in progress
  bool finished = false;  ///< all its transfers are done
};

/// Ends a cycle of a swap.
struct TransferGrants {
  bool read = false;  ///< the access was granted
  bool write = false;
  bool end = false;  ///< the swap, which has finished, ends
};

// Messages of the whole block.

/// The accesses that the register file grants in a cycle.
struct RegisterGrants {
  bool read = false;
  bool write = false;
};

/// The answer to rdctrl.
struct RayControl {
  enum class Answer : std::uint8_t {
    stall,  ///< no row for the warp yet; it asks again
    row,    ///< the warp is bound to `row`; each lane gets the state of its ray
    exit    ///< no rays are left for the warp; all lanes get 0
  };
  Answer answer = Answer::stall;
  std::size_t row = 0;
  RayStates states;
};

}  // namespace reconverge

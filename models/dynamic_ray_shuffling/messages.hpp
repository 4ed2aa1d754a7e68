#pragma once
/// What the parts of dynamic ray shuffling tell each other over their sockets, and the block its surroundings: values,
/// all within one cycle. What a target fills stands last. Plain data, no SystemC.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "models/core/lane_mask.hpp"
#include "models/dynamic_ray_shuffling/ray_states.hpp"
#include "models/dynamic_ray_shuffling/row_set.hpp"

namespace reconverge {

/// Each has a special row, and is at one swap at most.
enum class ShuffleUnit : std::uint8_t { collect_leaf, collect_fetch, eject_inner };
inline constexpr std::size_t shuffle_units = 3;

/// Rows beyond those of warps and the backup rows: they begin without rays.
inline constexpr std::size_t empty_rows = 2;

// To the ray state table.

/// `lanes` of a row take the states that they have in `states`.
struct RayReport {
  std::size_t row = 0;
  LaneMask lanes = 0;
  RayStates states;
};

/// What a row holds.
struct RowRead {
  std::size_t row = 0;
  // Filled:
  RayStates states = {};
  LaneMask places = 0;  ///< lanes of a warp

  LaneMask lanes(RayState state) const { return states.lanes(state) & places; }
  LaneMask rays() const { return (states.high | states.low) & places; }
};

/// Which rows hold what.
struct RowSummary {
  std::array<RowSet, 4> in_state;  ///< filled: by state, the rows with such a place

  /// The rows with such a place; `none`: with an empty one.
  const RowSet& with(RayState state) const { return in_state[static_cast<std::size_t>(state)]; }
  RowSet with_rays() const { return with(RayState::fetch) | with(RayState::inner) | with(RayState::leaf); }
  /// All rays of the row, one at least, are in the same state.
  RowSet uniform() const {
    const RowSet &f = with(RayState::fetch), &i = with(RayState::inner), &l = with(RayState::leaf);
    return with_rays() & ~((f & i) | (f & l) | (i & l));
  }
  /// Uniform, and a ray in every place: a warp runs the row with all its lanes.
  RowSet full() const { return uniform() & ~with(RayState::none); }
};

// To the ray state table, of a swap that ended, and to swap buffers, of one that begins.

/// Rays that change places: the i-th lane of `source_lanes` with the i-th of `destination_lanes`, of which there are as
/// many. The rows differ.
struct RaySwap {
  std::size_t source = 0;  ///< row
  std::size_t destination = 0;
  LaneMask source_lanes = 0;
  LaneMask destination_lanes = 0;
  bool both_ways = false;  ///< the destination's places hold rays, too

  bool operator==(const RaySwap&) const = default;
};

// To warp renaming.

/// The warp gets a row, which no other has, in place of the one that it has; or none.
struct Renaming {
  std::size_t warp = 0;
  std::optional<std::size_t> row = {};
  bool released = false;  ///< filled: it had one
};

/// The row of a warp.
struct WarpRow {
  std::size_t warp = 0;
  std::optional<std::size_t> row = {};  ///< filled
};

/// The rows that some warp has.
struct BoundRows {
  RowSet rows;  ///< filled
};

// To shuffle control.

/// What a unit that is idle swaps next; rows in `swapping` are taken.
struct SwapChoice {
  ShuffleUnit unit = ShuffleUnit::collect_leaf;
  RowSet swapping;
  std::optional<RaySwap> swap = {};  ///< filled, if there is something
};

// To swap buffers.

/// What a swap wants of the register file in a cycle.
struct RegisterAccess {
  std::size_t row = 0;
  std::size_t ray_register = 0;
  LaneMask lanes = 0;  ///< read: those that the buffer takes; write: those that are written

  bool operator==(const RegisterAccess&) const = default;
};

/// All that is wanted in this cycle; again in the next, until it is granted.
struct RegisterTransfers {
  std::optional<RegisterAccess> read = {};  ///< filled, both
  std::optional<RegisterAccess> write = {};
};

/// The end of a cycle: what was granted of it.
struct TransferGrants {
  bool read = false;
  bool write = false;
  bool ended = false;  ///< filled: the swap ended with it
};

// Of the block as a whole.

/// What rdctrl gets.
struct RayControl {
  enum class Answer : std::uint8_t {
    stall,  ///< no row for the warp yet: it asks again
    row,    ///< the warp is bound to `row`; each lane gets the state of its place
    exit    ///< no rays are left for it: all lanes get 0
  };
  Answer answer = Answer::stall;
  std::size_t row = 0;
  RayStates states;
};

/// Which of the accesses of the units were granted in a cycle.
struct RegisterGrants {
  std::array<bool, shuffle_units> read{};
  std::array<bool, shuffle_units> write{};
};

}  // namespace reconverge

#pragma once
/// The ray state table (Lü et al., MICRO 2017, section 3.2.2, Fig. 4a): two bits for every place of every row of rays.
/// Plain logic, no SystemC; the hardware keeps them as two planes, too.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/core/lane_mask.hpp"
#include "models/dynamic_ray_shuffling/row_set.hpp"
#include "models/kernel/opcode.hpp"

namespace reconverge {

/// What a place holds.
using kernel::RayState;

/// The states of a row: bit 1 and bit 0 of each lane's.
struct RayStates {
  LaneMask high = 0;
  LaneMask low = 0;

  /// The lanes in that state.
  LaneMask lanes(RayState state) const {
    const auto code = static_cast<unsigned>(state);
    return ((code & 2U) != 0 ? high : ~high) & ((code & 1U) != 0 ? low : ~low);
  }
  RayState at(unsigned lane) const { return static_cast<RayState>((high >> lane & 1U) << 1U | (low >> lane & 1U)); }
  /// `lanes` take the states that they have in `other`.
  void replace(LaneMask lanes, const RayStates& other) {
    high = (high & ~lanes) | (other.high & lanes);
    low = (low & ~lanes) | (other.low & lanes);
  }
  bool operator==(const RayStates&) const = default;
};

/// A row of `lanes` places, all in one state.
RayStates uniform_row(RayState state, LaneMask lanes = all_lanes);

class RayStateTable {
 public:
  /// `rows`: 128 at most. `width`: lanes of a warp, 1..32. All places hold nothing.
  RayStateTable(std::size_t rows, unsigned width);

  std::size_t rows() const { return rows_.size(); }
  const RayStates& operator[](std::size_t row) const { return rows_[row]; }
  LaneMask lanes(std::size_t row, RayState state) const { return rows_[row].lanes(state) & width_; }
  LaneMask rays(std::size_t row) const { return (rows_[row].high | rows_[row].low) & width_; }
  /// All rays of the row, one at least, are in the same state.
  bool uniform(std::size_t row) const { return uniform().holds(row); }
  /// Uniform, and a ray in every place: a warp runs the row with all its lanes.
  bool full(std::size_t row) const { return full().holds(row); }

  /// The rows with such a place; `none`: with an empty one.
  const RowSet& with(RayState state) const { return with_[static_cast<std::size_t>(state)]; }
  RowSet with_rays() const { return with(RayState::fetch) | with(RayState::inner) | with(RayState::leaf); }
  RowSet uniform() const {
    const RowSet &f = with(RayState::fetch), &i = with(RayState::inner), &l = with(RayState::leaf);
    return with_rays() & ~((f & i) | (f & l) | (i & l));
  }
  RowSet full() const { return uniform() & ~with(RayState::none); }

  void report(std::size_t row, LaneMask lanes, const RayStates& states);
  /// The i-th of `first_lanes` and the i-th of `second_lanes` change places. As many of both; the rows differ.
  void exchange(std::size_t first, LaneMask first_lanes, std::size_t second, LaneMask second_lanes);

 private:
  void look(std::size_t row);

  LaneMask width_;
  std::vector<RayStates> rows_;
  std::array<RowSet, 4> with_;
};

}  // namespace reconverge

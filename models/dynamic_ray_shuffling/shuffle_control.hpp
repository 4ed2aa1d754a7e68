#pragma once
/// The greedy choice of what to swap (Lü et al., MICRO 2017, section 3.2.4): three special rows, each served by a unit
/// of its own. Plain logic, no SystemC.
///
/// Two rows collect the rays that fetch and those at leaves, taking them from rows that are not uniform; a row that is
/// full of them is a row like any other again. One row gives its inner rays away to rows that have some already. Rays
/// go to empty places first, and change places with others where there are none. Of several rows the first is taken.

#include <array>
#include <optional>

#include "models/dynamic_ray_shuffling/ray_state_table.hpp"
#include "models/dynamic_ray_shuffling/swap_buffers.hpp"
#include "models/dynamic_ray_shuffling/warp_renaming.hpp"

namespace reconverge {

enum class ShuffleUnit : std::uint8_t { collect_leaf, collect_fetch, eject_inner };
inline constexpr std::size_t shuffle_units = 3;

class ShuffleControl {
 public:
  ShuffleControl(const RayStateTable& table, const WarpRenaming& renaming) : table_(table), renaming_(renaming) {}

  /// What the unit, which is idle, swaps next; rows in `swapping` are taken. Remembers the special row.
  std::optional<RaySwap> choose(ShuffleUnit unit, const RowSet& swapping);
  std::optional<std::size_t> special_row(ShuffleUnit unit) const { return special_[static_cast<std::size_t>(unit)]; }

 private:
  std::optional<RaySwap> collect(ShuffleUnit unit, const RowSet& swapping);
  std::optional<RaySwap> eject(const RowSet& swapping);
  /// `from` gives its rays in that state to `to`; the rows have them.
  RaySwap swap_of(std::size_t from, std::size_t to, RayState state) const;

  std::optional<std::size_t>& special(ShuffleUnit unit) { return special_[static_cast<std::size_t>(unit)]; }
  /// Rows that nobody works on and that are not full.
  RowSet loose(const RowSet& swapping) const { return ~(renaming_.bound() | swapping | table_.full()); }

  const RayStateTable& table_;
  const WarpRenaming& renaming_;
  std::array<std::optional<std::size_t>, shuffle_units> special_;
};

}  // namespace reconverge

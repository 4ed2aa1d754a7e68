// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The greedy choice of what to swap (Lü et al., MICRO 2017, section 3.2.4): three special rows, each served by its own
/// unit.
///
/// Two rows collect the fetch rays and the leaf rays of rows that are not uniform; a row that has filled up becomes an
/// ordinary row again. The third row gives its inner rays to rows that already have some. Rays go to empty lanes first;
/// if there are none, they are swapped with other rays. Of several candidate rows, the lowest is taken.

#include "models/protocols/control.hpp"
#include "models/schemes/dynamic_ray_shuffling/messages.hpp"

namespace reconverge {

class ShuffleControl : public sc_core::sc_module, private ControlTarget<SwapChoice> {
 public:
  ControlTargetSocket<SwapChoice> choices;
  ControlInitiatorSocket<ShuffleControl, RowSummary> summaries;
  ControlInitiatorSocket<ShuffleControl, RowRead> reads;
  ControlInitiatorSocket<ShuffleControl, BoundRows> bound_rows;

  explicit ShuffleControl(sc_core::sc_module_name name);

  /// Begins a launch without special rows.
  void begin() { special_ = {}; }

  /// For observers.
  std::optional<std::size_t> special_row(ShuffleUnit unit) const { return special_[static_cast<std::size_t>(unit)]; }

 private:
  /// The state that a choice depends on.
  struct Rows {
    RowSummary table;
    RowSet bound;
    RowSet loose;  ///< rows that are neither bound, nor full, nor being swapped
  };

  void b_transport(SwapChoice& choice, sc_core::sc_time& delay) override;
  std::optional<RaySwap> collect(ShuffleUnit unit, const Rows& rows);
  std::optional<RaySwap> eject(const Rows& rows);
  /// The swap that gives rays in `state` from row `from` to row `to`.
  RaySwap swap_of(std::size_t from, std::size_t to, RayState state);

  std::optional<std::size_t>& special(ShuffleUnit unit) { return special_[static_cast<std::size_t>(unit)]; }

  std::array<std::optional<std::size_t>, shuffle_units> special_;
};

}  // namespace reconverge

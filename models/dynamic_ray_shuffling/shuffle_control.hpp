#pragma once
/// The greedy choice of what to swap (Lü et al., MICRO 2017, section 3.2.4): three special rows, each served by a unit
/// of its own.
///
/// Two rows collect the rays that fetch and those at leaves, taking them from rows that are not uniform; a row that is
/// full of them is a row like any other again. One row gives its inner rays away to rows that have some already. Rays
/// go to empty places first, and change places with others where there are none. Of several rows the first is taken.

#include "models/dynamic_ray_shuffling/messages.hpp"
#include "models/protocols/control.hpp"

namespace reconverge {

class ShuffleControl : public sc_core::sc_module, private ControlTarget<SwapChoice> {
 public:
  ControlTargetSocket<SwapChoice> choices;
  ControlInitiatorSocket<ShuffleControl, RowSummary> summaries;
  ControlInitiatorSocket<ShuffleControl, RowRead> reads;
  ControlInitiatorSocket<ShuffleControl, BoundRows> bound_rows;

  explicit ShuffleControl(sc_core::sc_module_name name);

  /// No row is special.
  void begin() { special_ = {}; }

  /// For who watches from outside.
  std::optional<std::size_t> special_row(ShuffleUnit unit) const { return special_[static_cast<std::size_t>(unit)]; }

 private:
  /// What a choice depends on.
  struct Rows {
    RowSummary table;
    RowSet bound;
    RowSet loose;  ///< that nobody works on and that are not full
  };

  void b_transport(SwapChoice& choice, sc_core::sc_time& delay) override;
  std::optional<RaySwap> collect(ShuffleUnit unit, const Rows& rows);
  std::optional<RaySwap> eject(const Rows& rows);
  /// `from` gives its rays in that state to `to`; the rows have them.
  RaySwap swap_of(std::size_t from, std::size_t to, RayState state);

  std::optional<std::size_t>& special(ShuffleUnit unit) { return special_[static_cast<std::size_t>(unit)]; }

  std::array<std::optional<std::size_t>, shuffle_units> special_;
};

}  // namespace reconverge

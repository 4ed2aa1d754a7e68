// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Chooses swaps, one after another, in several cycles each (Lü et al., MICRO 2017, section 3.2.4).
///
/// The units take turns. A choice samples the rows, selects two of them, marks them as swapping, reads their states,
/// and matches their lanes; then it offers the swap to the swap buffers, and updates both rows in the ray state table.
/// The next choice selects its rows meanwhile, but reads them only when the swap buffers have taken the offer.

#include "models/core/cycle_count.hpp"
#include "models/protocols/control.hpp"
#include "models/schemes/dynamic_ray_shuffling/row_choice.hpp"

namespace reconverge {

class ShuffleControl : public sc_core::sc_module,
                       private ControlTarget<ChoiceState>,
                       private ControlTarget<ChoiceCycle> {
 public:
  ControlTargetSocket<ChoiceState> states;
  ControlTargetSocket<ChoiceCycle> cycles;
  ControlInitiatorSocket<ShuffleControl, RowSummary> summaries;
  ControlInitiatorSocket<ShuffleControl, RowRead> reads;
  ControlInitiatorSocket<ShuffleControl, BoundRows> bound_rows;

  /// The stages of a choice; each takes a cycle, but a read waits for its port.
  enum class Stage : std::uint8_t {
    sample,       ///< registers the sets of rows; waits here while nothing has changed
    weigh,        ///< keeps or gives up the special row
    first_row,    ///< selects the special row
    second_row,   ///< selects the other row
    lock,         ///< checks that no warp took a row meanwhile, and marks both rows as swapping
    read_first,   ///< reads the destination, when the last choice has left the registers that follow
    take_first,   ///< registers its free lanes
    read_second,  ///< reads the source
    take_second,  ///< registers its lanes with rays to move
    pack,         ///< packs both sets of lanes, one step a cycle
    match         ///< selects the lanes that move
  };

  /// The cycles of a choice in the RTL, for warps of 32 lanes.
  static constexpr Cycle least_latency = 15;

  ShuffleControl(sc_core::sc_module_name name, Cycle latency);

  /// Begins a launch without special rows and swaps. `width`: lanes of a warp.
  void begin(unsigned width);

  // For observers.
  std::optional<std::size_t> special_row(ShuffleUnit unit) const { return special_[static_cast<std::size_t>(unit)]; }
  const RowSet& swapping() const { return swapping_; }
  Stage stage() const { return stage_; }
  /// The unit whose turn it is, and its choice after the sample.
  ShuffleUnit unit() const { return static_cast<ShuffleUnit>(unit_); }
  const RowChoice& choice() const { return choice_; }
  /// Rows changed since the sample.
  bool stale() const { return stale_; }
  /// The chosen swap, until the swap buffers take it.
  const RaySwap* offered() const { return offered_ ? &*chosen_ : nullptr; }
  /// The table does not show the last choice yet.
  bool updates() const { return update_ != Update::none; }
  bool rests() const;
  /// Requests the read port of the table.
  bool reads_table() const;

 private:
  /// The update of the table by the last choice.
  enum class Update : std::uint8_t { none, read_destination, write_destination, read_source, write_source };

  void b_transport(ChoiceState& state, sc_core::sc_time& delay) override;
  void b_transport(ChoiceCycle& cycle, sc_core::sc_time& delay) override;
  void sample();
  /// `stale`: rows changed since the sample, so the unit may find a swap next time.
  void end_without_swap(bool stale);
  void lock();
  void choose(bool read);
  void update(ChoiceCycle& cycle);

  bool may_read_first() const { return !offered_ && update_ == Update::none; }

  Cycle extra_;           // cycles more than the RTL needs
  Cycle pack_steps_ = 5;  // log2 of the lanes, and the extra cycles
  SpecialRows special_;
  RowSet swapping_;
  Stage stage_ = Stage::sample;
  Cycle step_ = 0;                 // of packing
  std::size_t unit_ = 0;           // whose turn it is
  unsigned failed_ = 0;            // consecutive choices without a swap since rows changed
  bool stale_ = false;             // rows changed since the sample
  RowChoice choice_;               // by the sample
  std::optional<RaySwap> chosen_;  // the last choice with its lanes
  RayState moved_{};               // state of the rays that move to its destination
  RayStates back_;                 // of the lanes of its source after the swap
  bool offered_ = false;
  Update update_ = Update::none;
};

}  // namespace reconverge

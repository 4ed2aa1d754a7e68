// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Shuffle control with a stand-in for the ray state table and warp renaming.

#include <optional>
#include <utility>
#include <vector>

#include "models/schemes/dynamic_ray_shuffling/shuffle_control.hpp"
#include "tests/unit/dynamic_ray_shuffling/asker.hpp"
#include "tests/unit/dynamic_ray_shuffling/pipeline.hpp"

namespace reconverge::tests {

/// Stand-in for the ray state table and warp renaming.
class ChoiceTable : public sc_core::sc_module,
                    private ControlTarget<RowSummary>,
                    private ControlTarget<RowRead>,
                    private ControlTarget<BoundRows> {
 public:
  ControlTargetSocket<RowSummary> summaries{"summaries"};
  ControlTargetSocket<RowRead> reads{"reads"};
  ControlTargetSocket<BoundRows> bound_rows{"bound_rows"};

  std::vector<RayStates> rows;
  RowSet bound;

  explicit ChoiceTable(sc_core::sc_module_name name) : sc_module(name) {
    summaries.bind(*this);
    reads.bind(*this);
    bound_rows.bind(*this);
  }

 private:
  void b_transport(RowSummary& summary, sc_core::sc_time& /*delay*/) override {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      for (const RayState state : {RayState::none, RayState::fetch, RayState::inner, RayState::leaf}) {
        summary.in_state[static_cast<std::size_t>(state)].put(row, (rows[row].lanes(state) & all) != 0);
      }
    }
  }
  void b_transport(RowRead& read, sc_core::sc_time& /*delay*/) override {
    read.states = rows.at(read.row);
    read.places = all;
  }
  void b_transport(BoundRows& answer, sc_core::sc_time& /*delay*/) override { answer.rows = bound; }
};

/// The control of a block whose table has these rows. The test plays the role of the swap buffers and the read port.
struct ChoiceBench {
  SimulationContext context;
  ChoiceTable around{"around"};
  ShuffleControl control;
  Asker<ChoiceState> state{"state", control.states};
  Asker<ChoiceCycle> cycles{"cycles", control.cycles};
  int now = 0;
  std::optional<RayReport> written;  ///< in the write register of the table

  explicit ChoiceBench(std::vector<RayStates> rows, unsigned lanes = width,
                       Cycle latency = ShuffleControl::least_latency)
      : control("control", latency) {
    control.summaries.bind(around.summaries);
    control.reads.bind(around.reads);
    control.bound_rows.bind(around.bound_rows);
    around.rows = std::move(rows);
    elaborate();
    control.begin(lanes);
  }

  /// Ends the cycle; a requested read is granted unless it is denied.
  void end(ChoiceCycle cycle = {}, bool denied = false) {
    cycle.read = state().reads && !denied;
    const auto write = std::exchange(written, cycles(cycle).write);
    if (write) around.rows[write->row].replace(write->lanes, write->states);
    ++now;
  }
  void end_until(int cycle) {
    while (now < cycle) end();
  }
  /// The first cycle in which the swap is offered.
  int until_offered() {
    while (!state().offered && now < 1000) end();
    return now;
  }
  /// The first cycle in which the control rests.
  int until_rest() {
    while (!state().rests && now < 1000) end();
    return now;
  }
  void take() { end({.taken = true}); }
};

/// A row of inner rays, except that `lanes` have rays in another state.
inline RayStates inner_but(LaneMask lanes, RayState state) {
  RayStates row = uniform_row(RayState::inner, all);
  row.replace(lanes, uniform_row(state));
  return row;
}

inline const RayStates no_rays;
inline const RayStates full_inner = uniform_row(RayState::inner, all);

/// Leaf rays can move from row 0 to row 1; fetch rays cannot.
inline std::vector<RayStates> one_leaf_swap() { return {inner_but(0b101, RayState::leaf), no_rays, full_inner}; }

/// Leaf rays can move from row 0 to row 1, and fetch rays from row 3 to row 2.
inline std::vector<RayStates> two_swaps() {
  return {inner_but(0b101, RayState::leaf), no_rays, no_rays, inner_but(0b11, RayState::fetch)};
}

inline std::vector<std::size_t> rows_in(const RowSet& set) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < RowSet::capacity; ++row) {
    if (set.holds(row)) rows.push_back(row);
  }
  return rows;
}

}  // namespace reconverge::tests

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The ray state table (Lü et al., MICRO 2017, section 3.2.2, Fig. 4a): two bits for every lane of every row. The
/// hardware also keeps them as two planes.

#include <vector>

#include "models/protocols/control.hpp"
#include "models/schemes/dynamic_ray_shuffling/messages.hpp"

namespace reconverge {

class RayStateTable : public sc_core::sc_module,
                      private ControlTarget<RayReport>,
                      private ControlTarget<RaySwap>,
                      private ControlTarget<RowRead>,
                      private ControlTarget<RowSummary> {
 public:
  ControlTargetSocket<RayReport> reports;
  OptionalControlTargetSocket<RaySwap> swaps;  ///< both rows change at once
  ControlTargetSocket<RowRead> reads;
  ControlTargetSocket<RowSummary> summaries;

  explicit RayStateTable(sc_core::sc_module_name name);

  /// `rows`: 128 at most. All lanes of the first `with_rays` rows hold rays to be fetched; the other rows are empty.
  /// `width`: lanes of a warp, 1..32.
  void begin(std::size_t rows, std::size_t with_rays, unsigned width);

  // For observers.
  std::size_t rows() const { return rows_.size(); }
  const RayStates& operator[](std::size_t row) const { return rows_[row]; }
  LaneMask lanes(std::size_t row, RayState state) const { return rows_[row].lanes(state) & width_; }
  LaneMask rays(std::size_t row) const { return (rows_[row].high | rows_[row].low) & width_; }
  const RowSummary& summary() const { return summary_; }

 private:
  void b_transport(RayReport& report, sc_core::sc_time& delay) override;
  void b_transport(RaySwap& swap, sc_core::sc_time& delay) override;
  void b_transport(RowRead& read, sc_core::sc_time& delay) override;
  void b_transport(RowSummary& summary, sc_core::sc_time& delay) override;
  void look(std::size_t row);

  LaneMask width_ = all_lanes;
  std::vector<RayStates> rows_;
  RowSummary summary_;
};

}  // namespace reconverge

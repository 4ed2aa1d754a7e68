// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The row that each warp works on (Lü et al., MICRO 2017, section 3.2.3, Fig. 4b). A row is bound to at most one warp.

#include <vector>

#include "models/protocols/control.hpp"
#include "models/schemes/dynamic_ray_shuffling/messages.hpp"

namespace reconverge {

class WarpRenaming : public sc_core::sc_module,
                     private ControlTarget<Renaming>,
                     private ControlTarget<WarpRow>,
                     private ControlTarget<BoundRows> {
 public:
  ControlTargetSocket<Renaming> renamings;
  ControlTargetSocket<WarpRow> lookups;
  ControlTargetSocket<BoundRows> bound_rows;

  explicit WarpRenaming(sc_core::sc_module_name name);

  /// Binds each warp to the row with its number.
  void begin(std::size_t warps);

  // For observers.
  std::optional<std::size_t> row_of(std::size_t warp) const { return row_of_[warp]; }
  const RowSet& bound() const { return bound_; }

 private:
  void b_transport(Renaming& renaming, sc_core::sc_time& delay) override;
  void b_transport(WarpRow& lookup, sc_core::sc_time& delay) override;
  void b_transport(BoundRows& bound, sc_core::sc_time& delay) override;

  std::vector<std::optional<std::size_t>> row_of_;
  RowSet bound_;
};

}  // namespace reconverge

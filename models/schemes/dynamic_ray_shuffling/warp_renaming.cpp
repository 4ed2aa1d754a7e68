// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_ray_shuffling/warp_renaming.hpp"

namespace reconverge {

WarpRenaming::WarpRenaming(sc_core::sc_module_name name)
    : sc_module(name), renamings("renamings"), lookups("lookups"), bound_rows("bound_rows") {
  renamings.bind(*this);
  lookups.bind(*this);
  bound_rows.bind(*this);
}

void WarpRenaming::begin(std::size_t warps) {
  row_of_.resize(warps);
  bound_ = {};
  for (std::size_t warp = 0; warp < warps; ++warp) {
    row_of_[warp] = warp;
    bound_.put(warp, true);
  }
}

void WarpRenaming::b_transport(Renaming& renaming, sc_core::sc_time& /*delay*/) {
  std::optional<std::size_t>& row = row_of_[renaming.warp];
  renaming.released = row.has_value();
  if (row) bound_.put(*row, false);
  row = renaming.row;
  if (row) bound_.put(*row, true);
}

void WarpRenaming::b_transport(WarpRow& lookup, sc_core::sc_time& /*delay*/) { lookup.row = row_of_[lookup.warp]; }

void WarpRenaming::b_transport(BoundRows& bound, sc_core::sc_time& /*delay*/) { bound.rows = bound_; }

}  // namespace reconverge

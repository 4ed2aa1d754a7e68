// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_ray_shuffling/ray_state_table.hpp"

namespace reconverge {

RayStateTable::RayStateTable(sc_core::sc_module_name name)
    : sc_module(name), reports("reports"), swaps("swaps"), reads("reads"), summaries("summaries") {
  reports.bind(*this);
  swaps.bind(*this);
  reads.bind(*this);
  summaries.bind(*this);
}

void RayStateTable::begin(std::size_t rows, std::size_t with_rays, unsigned width) {
  width_ = width == warp_size ? all_lanes : lane_bit(width) - 1;
  rows_.assign(rows, {});
  summary_ = {};
  for (std::size_t row = 0; row < rows; ++row) {
    if (row < with_rays) rows_[row] = uniform_row(RayState::fetch, width_);
    look(row);
  }
}

void RayStateTable::b_transport(RayReport& report, sc_core::sc_time& /*delay*/) {
  rows_[report.row].replace(report.lanes & width_, report.states);
  look(report.row);
}

void RayStateTable::b_transport(RaySwap& swap, sc_core::sc_time& /*delay*/) {
  RayStates& a = rows_[swap.source];
  RayStates& b = rows_[swap.destination];
  for (LaneMask from = swap.source_lanes, to = swap.destination_lanes; from != 0; from &= from - 1, to &= to - 1) {
    const RayStates there = uniform_row(b.at(first_lane(to)));
    b.replace(lane_bit(first_lane(to)), uniform_row(a.at(first_lane(from))));
    a.replace(lane_bit(first_lane(from)), there);
  }
  look(swap.source);
  look(swap.destination);
}

void RayStateTable::b_transport(RowRead& read, sc_core::sc_time& /*delay*/) {
  read.states = rows_[read.row];
  read.places = width_;
}

void RayStateTable::b_transport(RowSummary& summary, sc_core::sc_time& /*delay*/) { summary = summary_; }

void RayStateTable::look(std::size_t row) {
  for (const RayState state : {RayState::none, RayState::fetch, RayState::inner, RayState::leaf}) {
    summary_.in_state[static_cast<std::size_t>(state)].put(row, lanes(row, state) != 0);
  }
}

}  // namespace reconverge

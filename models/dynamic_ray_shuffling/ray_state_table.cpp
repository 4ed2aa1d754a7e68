#include "models/dynamic_ray_shuffling/ray_state_table.hpp"

namespace reconverge {

RayStates uniform_row(RayState state, LaneMask lanes) {
  const auto code = static_cast<unsigned>(state);
  return {(code & 2U) != 0 ? lanes : 0, (code & 1U) != 0 ? lanes : 0};
}

RayStateTable::RayStateTable(std::size_t rows, unsigned width)
    : width_(width == warp_size ? all_lanes : lane_bit(width) - 1), rows_(rows) {
  for (std::size_t row = 0; row < rows; ++row) look(row);
}

void RayStateTable::report(std::size_t row, LaneMask lanes, const RayStates& states) {
  rows_[row].replace(lanes & width_, states);
  look(row);
}

void RayStateTable::look(std::size_t row) {
  for (const RayState state : {RayState::none, RayState::fetch, RayState::inner, RayState::leaf}) {
    with_[static_cast<std::size_t>(state)].put(row, lanes(row, state) != 0);
  }
}

void RayStateTable::exchange(std::size_t first, LaneMask first_lanes, std::size_t second, LaneMask second_lanes) {
  RayStates& a = rows_[first];
  RayStates& b = rows_[second];
  for (; first_lanes != 0; first_lanes &= first_lanes - 1, second_lanes &= second_lanes - 1) {
    const unsigned from = first_lane(first_lanes);
    const unsigned to = first_lane(second_lanes);
    const RayStates there = uniform_row(b.at(to));
    b.replace(lane_bit(to), uniform_row(a.at(from)));
    a.replace(lane_bit(from), there);
  }
  look(first);
  look(second);
}

}  // namespace reconverge

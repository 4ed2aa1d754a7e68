// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/dynamic_ray_shuffling/ray_history.hpp"

#include <fmt/format.h>

namespace reconverge {

namespace {

std::string text_of(const RayControl& control) {
  if (control.answer == RayControl::Answer::row) return fmt::format("row {}", control.row);
  return control.answer == RayControl::Answer::exit ? "exit" : "stall";
}

}  // namespace

void RayHistory::add(std::uint64_t cycle, const PinInputs& inputs, const PinOutputs& expected) {
  for (std::size_t unit = 0; unit < shuffle_units; ++unit) {
    const auto& read = expected.read[unit];
    const bool busy = read || expected.write[unit];
    if (busy && !swaps_[unit].busy) swaps_[unit] = {true, cycle, read->row};
    swaps_[unit].busy = busy;
  }
  if (inputs.control_valid) events_.push_back({cycle, inputs.control_warp, false, 0, expected.control});
  if (inputs.report_valid) events_.push_back({cycle, inputs.report_warp, true, inputs.report_lanes, {}});
}

std::string RayHistory::text(std::optional<unsigned> unit) const {
  std::string text;
  if (unit) {
    const Swap& swap = swaps_.at(*unit);
    text += swap.busy ? fmt::format("; unit {} swaps rays of row {} since cycle {}", *unit, swap.source, swap.since)
                      : fmt::format("; unit {} is at no swap", *unit);
  }
  for (auto event = events_.rbegin(); event != events_.rend(); ++event) {
    text += event->report
                ? fmt::format("; cycle {}: warp {} reports of lanes {:#x}", event->cycle, event->warp, event->lanes)
                : fmt::format("; cycle {}: rdctrl of warp {}: {}", event->cycle, event->warp, text_of(event->control));
  }
  return text;
}

}  // namespace reconverge

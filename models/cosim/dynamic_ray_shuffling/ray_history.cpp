// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/dynamic_ray_shuffling/ray_history.hpp"

#include <fmt/format.h>

namespace reconverge {

namespace {

std::string name_of(const RayControl& answer) {
  if (answer.answer == RayControl::Answer::row) return fmt::format("row {}", answer.row);
  return answer.answer == RayControl::Answer::exit ? "exit" : "stall";
}

}  // namespace

void RayHistory::add(std::uint64_t cycle, const PinInputs& inputs, const PinOutputs& expected) {
  const bool swaps = expected.read || expected.write;
  if (swaps && !swaps_) {
    since_ = cycle;
    source_ = expected.read->row;
  }
  swaps_ = swaps;
  if (expected.answer_valid) events_.push_back({cycle, Event::Kind::answer, asked_, 0, expected.answer});
  if (inputs.control_valid) {
    asked_ = inputs.control_warp;
    events_.push_back({cycle, Event::Kind::control, asked_, 0, {}});
  }
  if (inputs.report_valid) {
    events_.push_back({cycle, Event::Kind::report, inputs.report_warp, inputs.report_lanes, {}});
  }
}

std::string RayHistory::text(std::optional<unsigned> /*part*/) const {
  std::string text = swaps_ ? fmt::format("; a swap of rays of row {} since cycle {}", source_, since_)
                            : "; no swap accesses registers";
  for (auto event = events_.rbegin(); event != events_.rend(); ++event) text += text_of(*event);
  return text;
}

std::string RayHistory::text_of(const Event& event) {
  switch (event.kind) {
    case Event::Kind::control:
      return fmt::format("; cycle {}: rdctrl of warp {}", event.cycle, event.warp);
    case Event::Kind::answer:
      return fmt::format("; cycle {}: answer to warp {}: {}", event.cycle, event.warp, name_of(event.answer));
    case Event::Kind::report:
      return fmt::format("; cycle {}: warp {} reports of lanes {:#x}", event.cycle, event.warp, event.lanes);
  }
  return {};
}

}  // namespace reconverge

#include "models/dynamic_ray_shuffling/twin/compared_rtl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace reconverge {

namespace {

std::string text_of(const RayControl& control) {
  if (control.answer == RayControl::Answer::row) return fmt::format("row {}", control.row);
  return control.answer == RayControl::Answer::exit ? "exit" : "stall";
}

}  // namespace

void RtlRecorder::add(const RtlBlock& rtl, const PinInputs& inputs) {
  if (newer_.state.empty() || newer_.inputs.size() == interval) {
    std::swap(older_, newer_);
    newer_.state = rtl.save();
    newer_.inputs.clear();
  }
  newer_.inputs.push_back(inputs);
}

std::string RtlRecorder::waveform(const RtlBlock& rtl) const {
  const bool enough = newer_.inputs.size() >= shown || older_.state.empty();
  std::vector<PinInputs> inputs = enough ? std::vector<PinInputs>() : older_.inputs;
  inputs.insert(inputs.end(), newer_.inputs.begin(), newer_.inputs.end());
  const std::size_t skipped = inputs.size() - std::min(inputs.size(), shown);
  return rtl.waveform(enough ? newer_.state : older_.state, inputs, skipped);
}

void ComparedRtl::cycle(const PinInputs& inputs, const PinOutputs& expected) {
  recorder_.add(*rtl_, inputs);
  remember(inputs, expected);
  compare(expected, rtl_->settle(inputs));
  try {
    rtl_->clock();
  } catch (const RtlAssertion& assertion) {
    throw LockStepDifference(
        fmt::format("dynamic ray shuffling: cycle {}: {}{}", cycle_, assertion.what(), history(-1)),
        recorder_.waveform(*rtl_));
  }
  ++cycle_;
}

void ComparedRtl::remember(const PinInputs& inputs, const PinOutputs& expected) {
  for (std::size_t unit = 0; unit < shuffle_units; ++unit) {
    const auto& read = expected.read[unit];
    const bool busy = read || expected.write[unit];
    if (busy && !swaps_[unit].busy) swaps_[unit] = {true, cycle_, read->row};
    swaps_[unit].busy = busy;
  }
  if (inputs.control_valid) events_.push_back({cycle_, inputs.control_warp, false, 0, expected.control});
  if (inputs.report_valid) events_.push_back({cycle_, inputs.report_warp, true, inputs.report_lanes, {}});
}

std::string ComparedRtl::history(int unit) const {
  std::string text;
  if (unit >= 0) {
    const Swap& swap = swaps_[static_cast<std::size_t>(unit)];
    text += swap.busy ? fmt::format("; unit {} swaps rays of row {} since cycle {}", unit, swap.source, swap.since)
                      : fmt::format("; unit {} is at no swap", unit);
  }
  for (auto event = events_.rbegin(); event != events_.rend(); ++event) {
    text += event->report
                ? fmt::format("; cycle {}: warp {} reports of lanes {:#x}", event->cycle, event->warp, event->lanes)
                : fmt::format("; cycle {}: rdctrl of warp {}: {}", event->cycle, event->warp, text_of(event->control));
  }
  return text;
}

void ComparedRtl::compare(std::string_view port, std::uint64_t model, std::uint64_t rtl, int unit) const {
  if (model == rtl) return;
  const std::string of_unit = unit < 0 ? "" : fmt::format(" of unit {}", unit);
  throw LockStepDifference(fmt::format("dynamic ray shuffling: cycle {}: {}{} is {:#x} in the model and {:#x} in RTL{}",
                                       cycle_, port, of_unit, model, rtl, history(unit)),
                           recorder_.waveform(*rtl_));
}

void ComparedRtl::compare(const PinOutputs& expected, const PinOutputs& seen) const {
  compare("control_answer_o", static_cast<std::uint64_t>(expected.control.answer),
          static_cast<std::uint64_t>(seen.control.answer));
  compare("control_row_o", expected.control.row, seen.control.row);
  compare("control_high_o", expected.control.states.high & lanes_, seen.control.states.high);
  compare("control_low_o", expected.control.states.low & lanes_, seen.control.states.low);
  compare("idle_o", expected.idle ? 1 : 0, seen.idle ? 1 : 0);
  compare("has_answer_o", expected.has_answer ? 1 : 0, seen.has_answer ? 1 : 0);
  for (std::size_t unit = 0; unit < shuffle_units; ++unit) {
    const int number = static_cast<int>(unit);
    const auto& read = expected.read[unit];
    const auto& write = expected.write[unit];
    compare("read_valid_o", read ? 1 : 0, seen.read[unit] ? 1 : 0, number);
    compare("write_valid_o", write ? 1 : 0, seen.write[unit] ? 1 : 0, number);
    if (read) {
      compare("read_row_o", read->row, seen.read[unit]->row, number);
      compare("read_register_o", read->ray_register, seen.read[unit]->ray_register, number);
      compare("read_lanes_o", read->lanes, seen.read[unit]->lanes, number);
    }
    if (write) {
      compare("write_row_o", write->row, seen.write[unit]->row, number);
      compare("write_register_o", write->ray_register, seen.write[unit]->ray_register, number);
      compare("write_lanes_o", write->lanes, seen.write[unit]->lanes, number);
      for_each_lane(write->lanes, [&](unsigned lane) {
        compare("write_words_o", expected.write_words[unit][lane], seen.write_words[unit][lane], number);
      });
    }
  }
}

}  // namespace reconverge

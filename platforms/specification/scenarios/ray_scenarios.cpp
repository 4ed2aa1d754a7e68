// SPDX-License-Identifier: Apache-2.0
#include "cosim/dynamic_ray_shuffling_pins.hpp"
#include "models/cosim/dynamic_ray_shuffling/traffic/pins_with_rays.hpp"
#include "models/cosim/dynamic_ray_shuffling/traffic/traffic.hpp"
#include "platforms/specification/scenarios/scenarios.hpp"

namespace reconverge::specification {

namespace {

using OfBlock = Scenario<RayPorts>;
using Signals = std::vector<ShownSignal<RayPorts>>;

/// Two warps of eight lanes, with one backup row and two swap buffers; the register file grants every request.
class TwoWarps {
 public:
  TwoWarps() : block_(parameters(), 2, 8) {
    while (!block_.takes_control()) step();
  }

  const Recording<RayPorts>& recording() { return block_.partner(); }
  std::size_t cycles() { return recording().cycles().size(); }

  void step() {
    // An exchange reads each register of both rows, one after the other.
    const auto read = block_.read();
    if (read && last_read_ && read->ray_register == last_read_->ray_register && exchange_ == 0) exchange_ = cycles();
    last_read_ = read;
    block_.step(grants_for(block_));
  }
  void steps(unsigned count) {
    for (; count != 0; --count) step();
  }
  /// The first cycle in which a swap in both directions has read from both rows; 0: there was none.
  std::size_t exchange() const { return exchange_; }
  /// Runs up to and including the cycle of the answer, and returns whether the warp has a row.
  bool control(std::size_t warp) {
    while (!block_.takes_control()) step();
    block_.control(warp);
    do step();
    while (!block_.answer());
    const bool row = block_.answer()->answer == RayControl::Answer::row;
    step();
    return row;
  }
  /// Reports that some rays go on with inner nodes; the others want another ray.
  void report(std::size_t warp, LaneMask inner) {
    while (!block_.takes_report()) step();
    RayStates states = uniform_row(RayState::fetch, width_mask);
    states.replace(inner, uniform_row(RayState::inner, width_mask));
    block_.report(warp, width_mask, states);
    step();
  }
  void finish_report() {
    while (!block_.takes_report()) step();
  }
  static constexpr LaneMask width_mask = 0xff;

 private:
  static DynamicRayShufflingParameters parameters() {
    DynamicRayShufflingParameters parameters;
    parameters.swap_buffers = 2;
    return parameters;
  }

  Alone<PinsWithRays<RayPartner<Recording<RayPorts>>>> block_;
  std::optional<RegisterAccess> last_read_;
  std::size_t exchange_ = 0;
};

Signals signals_of(const RayPorts::Shape& shape, std::vector<PortView> views) {
  return specification::signals_of<RayPorts, RayRtlPins>(shape, std::move(views));
}

/// The ports of rdctrl.
Signals control_signals(const RayPorts::Shape& shape) {
  return signals_of(shape, {{"control_valid_i"},
                            {"control_ready_o"},
                            {"control_warp_i", "control_valid_i"},
                            {"answer_valid_o"},
                            {"answer_o", "answer_valid_o", {"stall", "row", "exit"}},
                            {"answer_row_o", "answer_valid_o"},
                            {"answer_high_o", "answer_valid_o"},
                            {"answer_low_o", "answer_valid_o"},
                            {"has_answer_o"}});
}

OfBlock keeps_its_row() {
  TwoWarps warps;
  warps.control(0);
  const std::size_t first = warps.cycles();
  warps.control(0);
  warps.step();
  return {"rdctrl_keeps_its_row", "rdctrl: the rays of the warp's row are in one state, so the warp keeps the row",
          warps.recording(), control_signals(warps.recording().shape()), first};
}

/// Both warps report a row of two states. The first gets the backup row; there is no further one.
OfBlock stalls() {
  TwoWarps warps;
  for (const std::size_t warp : {0, 1}) warps.control(warp);
  for (const std::size_t warp : {0, 1}) warps.report(warp, 0x0f);
  warps.finish_report();
  warps.control(0);
  const std::size_t first = warps.cycles();
  warps.control(1);
  warps.step();
  return {"rdctrl_stalls", "rdctrl: no row with rays in one state is free, so the warp has to ask again",
          warps.recording(), control_signals(warps.recording().shape()), first};
}

/// The warps report rows of two states until the empty rows are full of one state, and rays can only change places.
OfBlock two_way_swap() {
  TwoWarps warps;
  for (LaneMask inner = 0x0f; warps.exchange() == 0; inner = (inner << 3U | inner >> 5U) & TwoWarps::width_mask) {
    for (const std::size_t warp : {0, 1}) {
      if (warps.control(warp)) warps.report(warp, inner);
    }
  }
  const std::size_t first = warps.exchange() - 2;
  warps.steps(12);
  return {"two_way_swap",
          "A swap moves rays in both directions between two rows, register by register: its first accesses",
          warps.recording(),
          signals_of(warps.recording().shape(), {{"read_valid_o"},
                                                 {"read_grant_i"},
                                                 {"read_row_o", "read_valid_o"},
                                                 {"read_register_o", "read_valid_o"},
                                                 {"read_lanes_o", "read_valid_o"},
                                                 {"write_valid_o"},
                                                 {"write_grant_i"},
                                                 {"write_row_o", "write_valid_o"},
                                                 {"write_register_o", "write_valid_o"},
                                                 {"write_lanes_o", "write_valid_o"},
                                                 {"idle_o"}}),
          first};
}

}  // namespace

std::vector<OfBlock> ray_scenarios() { return {keeps_its_row(), stalls(), two_way_swap()}; }

}  // namespace reconverge::specification

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cosim/benes_network_pins.hpp"
#include "models/cosim/benes_network/network_pins.hpp"
#include "platforms/specification/scenarios/scenarios.hpp"

namespace reconverge::specification {

namespace {

using OfBlock = Scenario<NetworkPorts>;

/// Eight ports without pipeline registers. The record of a lane is its number.
class SmallNetwork {
 public:
  SmallNetwork()
      : pins_(NetworkPipeline(RecordPacking(BenesRouting(8)), 0),
              std::make_unique<Recording<NetworkPorts>>(NetworkPorts::Shape{8, 8})) {}

  const Recording<NetworkPorts>& recording() { return pins_.partner(); }

  /// Clocks until the network has taken the group.
  void request(NetworkMode mode, PortMask active, PortMask taken) {
    inputs_.valid = true;
    inputs_.mode = mode;
    inputs_.group = {active, taken, first_, second_};
    for (unsigned lane = 0; lane < 8; ++lane) inputs_.data[lane] = lane;
    NetworkOutputs outputs;
    do outputs = pins_.clock(inputs_);
    while (!outputs.ready);
    first_ = outputs.next_first;
    second_ = outputs.next_second;
  }
  void rest() {
    inputs_.valid = false;
    pins_.clock(inputs_);
  }

 private:
  NetworkPins<Recording<NetworkPorts>> pins_;
  NetworkInputs inputs_;
  unsigned first_ = 0;
  unsigned second_ = 7;
};

/// The records that leave, by port: lane numbers.
ShownSignal<NetworkPorts> records_out() {
  return {"data_o by port", false,
          [](const NetworkInputs& /*inputs*/, const NetworkOutputs& outputs) -> std::optional<std::string> {
            if (outputs.valid == 0) return std::nullopt;
            std::string text;
            for (unsigned port = 0; port < 8; ++port) {
              text += (outputs.valid >> port & 1U) != 0 ? fmt::format("{}", outputs.data[port]) : std::string("-");
            }
            return text;
          }};
}

OfBlock scenario(SmallNetwork& network, std::string name, std::string title, std::vector<PortView> views) {
  OfBlock made{std::move(name), std::move(title), network.recording(), {}, 0};
  made.signals = signals_of<NetworkPorts, NetworkRtlPins>(made.recording.shape(), std::move(views));
  made.signals.push_back(records_out());
  return made;
}

/// Five records fill stripes 0 to 4; the next five fill stripes 5 to 7, and 0 and 1 of the next row.
OfBlock packing_over_a_stripe() {
  SmallNetwork network;
  network.request(NetworkMode::pack, 0b1010'1110, 0);
  network.request(NetworkMode::pack, 0b0111'0101, 0);
  network.rest();
  return scenario(network, "packing_over_a_row",
                  "Packing: the second group of five records fills the row of eight stripes and begins the next row",
                  {{"valid_i"},
                   {"ready_o"},
                   {"mode_i", "valid_i", {"pack", "split", "unpack", "permute"}},
                   {"active_i", "valid_i"},
                   {"first_i", "valid_i"},
                   {"next_first_o", "valid_i"},
                   {"valid_o", "valid_i"}});
}

/// A split whose records meet in a switch takes two clocks.
OfBlock split_in_two_clocks() {
  SmallNetwork network;
  network.request(NetworkMode::split, 0xff, 0b0101'0101);
  network.request(NetworkMode::split, 0b0000'1101, 0b0000'0101);
  network.rest();
  return scenario(network, "split",
                  "A split sends records to both banks; if one clock cannot route all of them, the second bank's "
                  "follow in the next clock",
                  {{"valid_i"},
                   {"ready_o"},
                   {"mode_i", "valid_i", {"pack", "split", "unpack", "permute"}},
                   {"active_i", "valid_i"},
                   {"taken_i", "valid_i"},
                   {"first_i", "valid_i"},
                   {"second_i", "valid_i"},
                   {"valid_o", "valid_i"},
                   {"bank_o", "valid_i"}});
}

}  // namespace

std::vector<OfBlock> network_scenarios() { return {packing_over_a_stripe(), split_in_two_clocks()}; }

}  // namespace reconverge::specification

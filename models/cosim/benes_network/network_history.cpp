// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/benes_network/network_history.hpp"

#include <fmt/format.h>

namespace reconverge {

void NetworkHistory::add(std::uint64_t clock, const NetworkInputs& inputs, const NetworkOutputs& expected) {
  if (!inputs.valid) return;
  constexpr std::array<const char*, 4> modes{"pack", "split", "unpack", "permute"};
  events_.push_front(fmt::format("cycle {}: {} of lanes {:#x}, taken {:#x}, from stripes {} and {}{}", clock,
                                 modes[static_cast<std::size_t>(inputs.mode)], inputs.group.active, inputs.group.taken,
                                 inputs.group.first, inputs.group.second, expected.ready ? "" : ", in two clocks"));
}

std::string NetworkHistory::text(std::optional<unsigned> /*port*/) const {
  std::string text;
  for (const std::string& event : events_) text += "; " + event;
  return text;
}

}  // namespace reconverge

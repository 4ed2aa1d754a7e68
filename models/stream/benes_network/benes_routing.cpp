// SPDX-License-Identifier: Apache-2.0
#include "models/stream/benes_network/benes_routing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"

namespace reconverge {

namespace {

unsigned checked(std::uint64_t ports) {
  if (std::has_single_bit(ports) && ports >= 2 && ports <= most_network_ports) return static_cast<unsigned>(ports);
  throw InputError(
      {}, fmt::format("a Benes network has a power of two of ports, 2 to {}, not {}", most_network_ports, ports));
}

/// The half that each record of the ports from `begin` on goes through. Records of two ports that share a switch in the
/// first stage use different halves, as do records that share one in the last stage.
PortMask halves(unsigned begin, unsigned step, const PortMap& to, const PortMap& from) {
  PortMask lower = 0;
  PortMask done = 0;
  for (unsigned port = begin; port < begin + 2 * step; ++port) {
    for (unsigned upper = port; (done >> upper & 1U) == 0;) {
      const unsigned other = from[to[upper] ^ step];  // shares its switch in the last stage
      lower |= PortMask{1} << other;
      done |= PortMask{1} << upper | PortMask{1} << other;
      upper = other ^ step;
    }
  }
  return lower;
}

}  // namespace

BenesRouting::BenesRouting(std::uint64_t ports)
    : ports_(checked(ports)), levels_(static_cast<unsigned>(std::countr_zero(ports_))) {}

NetworkSettings BenesRouting::route(std::span<const std::uint8_t> to) const {
  PortMask reached = 0;
  for (const std::uint8_t port : to) {
    if (port < ports_) reached |= PortMask{1} << port;
  }
  if (to.size() != ports_ || reached != all_ports()) {
    throw InputError({}, fmt::format("this is no permutation of {} ports", ports_));
  }
  PortMap outputs{};
  std::ranges::copy(to, outputs.begin());
  NetworkSettings settings{};
  for (unsigned stage = 0; stage + 1 < levels_; ++stage) {
    const unsigned step = distance(stage);
    PortMap inputs{};
    for (unsigned port = 0; port < ports_; ++port) inputs[outputs[port]] = static_cast<std::uint8_t>(port);
    PortMap inner{};
    for (unsigned begin = 0; begin < ports_; begin += 2 * step) {
      const PortMask lower = halves(begin, step, outputs, inputs);
      for (unsigned port = begin; port < begin + 2 * step; ++port) {
        const unsigned half = (lower >> port & 1U) * step;
        const unsigned output = outputs[port];
        inner[(port & ~step) | half] = static_cast<std::uint8_t>((output & ~step) | half);
        if (half == 0) continue;
        // A record that changes its half crosses: from a lower port in the first stage, to one in the last.
        if ((port & step) == 0) settings[stage] |= 1U << switch_of(port, step);
        if ((output & step) == 0) settings[stages() - 1 - stage] |= 1U << switch_of(output, step);
      }
    }
    outputs = inner;
  }
  for (unsigned port = 0; port < ports_; port += 2) {
    if (outputs[port] != port) settings[levels_ - 1] |= 1U << switch_of(port, 1);
  }
  return settings;
}

NetworkSettings BenesRouting::reversed(const NetworkSettings& settings) const {
  NetworkSettings result = settings;
  std::reverse(result.begin(), result.begin() + stages());
  return result;
}

}  // namespace reconverge

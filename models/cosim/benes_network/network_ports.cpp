// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/benes_network/network_ports.hpp"

#include <fmt/format.h>

namespace reconverge {

std::string NetworkPorts::text_of(const Sizes& sizes) {
  return fmt::format("{} ports with a register every {} stages", sizes.ports, sizes.register_every);
}

}  // namespace reconverge

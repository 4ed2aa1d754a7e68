// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/benes_network/network_rtl.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"

namespace reconverge {

std::unique_ptr<NetworkRtl> make_network_rtl(unsigned ports, unsigned register_every) {
  const auto all = network_configurations();
  const auto found = std::ranges::find_if(
      all, [&](const NetworkConfiguration& one) { return one.ports == ports && one.register_every == register_every; });
  if (found != all.end()) return found->make();
  std::string built;
  for (const NetworkConfiguration& one : all) {
    built += fmt::format("{}{} ports with a register every {} stages", built.empty() ? "" : "; ", one.ports,
                         one.register_every);
  }
  throw ParameterError(
      "stream_processor.network.implementation",
      fmt::format("no RTL was built for {} ports with a register every {} stages; built were: {}", ports,
                  register_every, built.empty() ? "none" : built),
      "take one of these, `model`, or another list (cmake -DRECONVERGE_BENES_RTL=..., which needs Verilator)");
}

}  // namespace reconverge

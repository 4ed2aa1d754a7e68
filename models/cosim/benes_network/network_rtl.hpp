// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The RTL of a Benes network, whatever its configuration, and the configurations that were built.

#include <memory>
#include <span>

#include "models/cosim/benes_network/network_ports.hpp"
#include "models/cosim/twin/rtl.hpp"

namespace reconverge {

using NetworkRtl = twin::Rtl<NetworkPorts>;

/// A configuration that was built; records are of 8 bits, enough for the number of a lane.
struct NetworkConfiguration {
  unsigned ports;
  unsigned register_every;
  std::unique_ptr<NetworkRtl> (*make)();  ///< after reset
};

inline constexpr unsigned built_data_bits = 8;

/// All of them: RECONVERGE_BENES_RTL of CMake says which.
std::span<const NetworkConfiguration> network_configurations();

/// The network after reset. Throws ParameterError, which names those that there are, when none is so.
std::unique_ptr<NetworkRtl> make_network_rtl(unsigned ports, unsigned register_every);

}  // namespace reconverge

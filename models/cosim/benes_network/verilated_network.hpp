// SPDX-License-Identifier: Apache-2.0
#pragma once
/// What Verilator made of rtl/benes_network, at its pins.

#include "models/cosim/benes_network/network_rtl.hpp"
#include "models/cosim/twin/verilated.hpp"

namespace reconverge {

template <typename Class, unsigned ports>
std::unique_ptr<NetworkRtl> make_verilated_network() {
  return std::make_unique<twin::Verilated<NetworkPorts, Class>>(NetworkPorts::Shape{ports, built_data_bits});
}

}  // namespace reconverge

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A Benes network in lock step with any RTL.

#include "models/cosim/benes_network/bench/coverage.hpp"
#include "models/cosim/benes_network/network_ports.hpp"
#include "models/cosim/benes_network/traffic/traffic.hpp"
#include "models/cosim/twin/verilated_partners.hpp"

namespace reconverge {

/// `Rtl`: the class that Verilator makes from rtl/benes_network.
template <typename Rtl>
using ComparedNetworkWith = twin::ComparedWith<NetworkPorts, Rtl>;

/// The same, with coverage.
template <typename Rtl>
class CoveredNetwork {
 public:
  CoveredNetwork(const NetworkPorts::Shape& shape, NetworkCoverage& coverage) : compared_(shape), coverage_(coverage) {}

  void cycle(const NetworkInputs& inputs, const NetworkOutputs& outputs) {
    coverage_.cycle(inputs, outputs);
    compared_.cycle(inputs, outputs);
  }

 private:
  ComparedNetworkWith<Rtl> compared_;
  NetworkCoverage& coverage_;
};

}  // namespace reconverge

// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/benes_network/traffic/vectors.hpp"

#include "cosim/benes_network_pins.hpp"
#include "models/cosim/benes_network/network_ports.hpp"

namespace reconverge {

twin::GoldenVectors make_network_vectors(const NetworkVectorsOptions& options) {
  using Lines = twin::VectorLines<NetworkPorts, NetworkRtlPins>;
  NetworkTraffic<Lines> traffic(
      options.shape, options.seed,
      std::make_unique<Lines>(NetworkPorts::Shape{options.shape.ports, options.shape.data_bits}));
  for (std::uint64_t cycle = 0; cycle < options.cycles; ++cycle) traffic.cycle();
  return traffic.pins().partner().vectors({{"NumPorts", options.shape.ports},
                                           {"DataWidth", options.shape.data_bits},
                                           {"RegisterEvery", options.shape.register_every}});
}

}  // namespace reconverge

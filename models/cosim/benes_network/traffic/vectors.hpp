// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Golden vectors of a Benes network.

#include "models/cosim/benes_network/traffic/traffic.hpp"
#include "models/cosim/twin/golden_vectors.hpp"

namespace reconverge {

struct NetworkVectorsOptions {
  NetworkTrafficShape shape = {};
  std::uint64_t cycles = 2000;
  std::uint32_t seed = 1;
};

/// Golden vectors of random traffic, starting at reset.
twin::GoldenVectors make_network_vectors(const NetworkVectorsOptions& options);

}  // namespace reconverge

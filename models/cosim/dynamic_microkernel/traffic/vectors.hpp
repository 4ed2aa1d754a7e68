// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Golden vectors of dynamic warp formation.

#include "models/cosim/dynamic_microkernel/formation_ports.hpp"
#include "models/cosim/twin/golden_vectors.hpp"

namespace reconverge {

struct FormationVectorsOptions {
  std::size_t lut_lines = 64;
  std::size_t fifo = 64;
  std::uint32_t regions = 54;  ///< regions of the formation area
  unsigned micro_kernels = 3;
  std::uint64_t cycles = 2000;
  std::uint32_t seed = 1;
};

/// Golden vectors of random traffic, starting at reset.
twin::GoldenVectors make_formation_vectors(const FormationVectorsOptions& options);

}  // namespace reconverge

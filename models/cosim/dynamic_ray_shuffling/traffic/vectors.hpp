// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Golden vectors of dynamic ray shuffling.

#include <cstdint>

#include "blocks/dynamic_ray_shuffling.hpp"
#include "models/cosim/twin/golden_vectors.hpp"

namespace reconverge {

struct RayVectorsOptions {
  DynamicRayShufflingParameters parameters;
  std::size_t warps = 58;
  unsigned width = 32;  ///< lanes of a warp
  std::uint64_t cycles = 2000;
  std::uint32_t seed = 1;
};

/// Golden vectors of random traffic, starting at reset. Throws InputError when a parameter is out of range.
twin::GoldenVectors make_ray_vectors(const RayVectorsOptions& options);

}  // namespace reconverge

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Stand-alone dynamic ray shuffling, without an SM, in its own simulation.

#include "models/core/elaborate.hpp"
#include "models/core/simulation_context.hpp"
#include "models/schemes/dynamic_ray_shuffling/ray_shuffler.hpp"

namespace reconverge {

/// `Shuffler`: RayShuffler, or Pins, at the start of a launch of `warps` warps.
template <typename Shuffler>
class Alone : private SimulationContext, public Shuffler {
 public:
  Alone(const DynamicRayShufflingParameters& parameters, std::size_t warps, unsigned width = warp_size)
      : Shuffler("shuffler", parameters) {
    elaborate();
    this->begin(warps, width);
  }
};

}  // namespace reconverge

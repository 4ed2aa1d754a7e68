#pragma once
/// Dynamic ray shuffling outside of an SM, in a simulation of its own.

#include "models/core/elaborate.hpp"
#include "models/core/simulation_context.hpp"
#include "models/dynamic_ray_shuffling/ray_shuffler.hpp"

namespace reconverge {

/// `Shuffler`: RayShuffler, or Pins, as a launch of so many warps begins.
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

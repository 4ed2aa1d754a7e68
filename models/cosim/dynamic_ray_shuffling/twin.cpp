// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/dynamic_ray_shuffling/twin.hpp"

#include "models/schemes/dynamic_ray_shuffling/dynamic_ray_shuffling_by.hpp"

namespace reconverge {

template class DynamicRayShufflingBy<RtlShuffler>;
template class DynamicRayShufflingBy<LockStepShuffler>;

std::unique_ptr<DynamicRayShuffling> make_dynamic_ray_shuffling(const char* name,
                                                                const DynamicRayShufflingParameters& parameters,
                                                                std::size_t warp_slots, std::size_t schedulers) {
  switch (parameters.implementation) {
    case DynamicRayShufflingImplementation::rtl:
      return std::make_unique<DynamicRayShufflingBy<RtlShuffler>>(name, parameters, warp_slots, schedulers);
    case DynamicRayShufflingImplementation::lockstep:
      return std::make_unique<DynamicRayShufflingBy<LockStepShuffler>>(name, parameters, warp_slots, schedulers);
    case DynamicRayShufflingImplementation::model:
      break;
  }
  if (parameters.ideal) {
    return std::make_unique<DynamicRayShufflingBy<IdealShuffler>>(name, parameters, warp_slots, schedulers);
  }
  return std::make_unique<DynamicRayShufflingBy<RayShuffler>>(name, parameters, warp_slots, schedulers);
}

}  // namespace reconverge

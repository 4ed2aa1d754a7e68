// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Dynamic ray shuffling as a block of an SM: its RTL, or its model and RTL in lock step.

#include "models/cosim/dynamic_ray_shuffling/compared_rtl.hpp"
#include "models/cosim/dynamic_ray_shuffling/pins.hpp"
#include "models/cosim/dynamic_ray_shuffling/rtl_shuffler.hpp"
#include "models/protocols/scheme_kind.hpp"
#include "models/schemes/dynamic_ray_shuffling/dynamic_ray_shuffling.hpp"

namespace reconverge {

using LockStepShuffler = Pins<ComparedRtl>;

extern template class DynamicRayShufflingBy<RtlShuffler>;
extern template class DynamicRayShufflingBy<LockStepShuffler>;

/// The block that `parameters.implementation` selects.
std::unique_ptr<DynamicRayShuffling> make_dynamic_ray_shuffling(const char* name,
                                                                const DynamicRayShufflingParameters& parameters,
                                                                std::size_t warp_slots, std::size_t schedulers);

const SchemeKind& dynamic_ray_shuffling_scheme();

}  // namespace reconverge

#pragma once
/// Dynamic ray shuffling in lock step with any RTL, outside of an SM.

#include <memory>

#include "models/dynamic_ray_shuffling/twin/compared_rtl.hpp"
#include "models/dynamic_ray_shuffling/twin/verilated_block.hpp"
#include "testbenches/dynamic_ray_shuffling/pins_with_rays.hpp"

namespace reconverge {

/// `Rtl`: what Verilator made of rtl/dynamic_ray_shuffling with the same parameters.
template <typename Rtl>
class ComparedWith : public ComparedRtl {
 public:
  ComparedWith(const DynamicRayShufflingParameters& parameters, std::size_t warps, unsigned width)
      : ComparedRtl(std::make_unique<VerilatedBlock<Rtl>>(parameters, warps, width), width) {}

  Rtl& verilated() { return static_cast<VerilatedBlock<Rtl>&>(rtl()).rtl(); }
};

template <typename Rtl>
using LockStep = PinsWithRays<ComparedWith<Rtl>>;

}  // namespace reconverge

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Dynamic ray shuffling at its pins, without an SM, with its own rays.

#include <cstdint>
#include <span>

#include "models/cosim/dynamic_ray_shuffling/pins.hpp"

namespace reconverge {

/// `Partner`: as for Pins.
template <typename Partner>
class PinsWithRays : public Pins<Partner> {
 public:
  PinsWithRays(const char* name, const DynamicRayShufflingParameters& parameters)
      : Pins<Partner>(name, parameters), ray_registers_(parameters.ray_registers) {}

  void begin(std::size_t warps, unsigned width) {
    Pins<Partner>::begin(warps, width);
    rays_ = RayRows(this->rows(), ray_registers_);
    // A different word in each lane of each register, so that a misplaced word is noticed.
    std::uint32_t count = 0;
    for (std::size_t row = 0; row < this->rows(); ++row) {
      for (LaneWords& words : rays_[row]) {
        for (std::uint32_t& word : words.words) word = count++ * 0x9e37'79b1U;
      }
    }
  }

  std::span<const RaySwap> step(const RegisterGrants& grants) { return Pins<Partner>::step(grants, rays_); }

 private:
  std::size_t ray_registers_;
  RayRows rays_;
};

}  // namespace reconverge

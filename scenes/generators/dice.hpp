// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Random numbers for generators of scenes: the same on every machine, with any number of independent sequences for one
/// seed. Two draws in one expression need a defined order of evaluation: braced lists have one, arguments and operands
/// do not.

#include <cstdint>
#include <numbers>

#include "scenes/sampler.hpp"
#include "scenes/vec3.hpp"

namespace reconverge::scenes {

class Dice {
 public:
  /// `row`: a different number for each generated thing, so that a change of one does not affect the others.
  Dice(std::uint32_t seed, std::uint32_t row) : seed_(hash_pair(seed, row)) {}

  /// The next number in [low, high).
  float in(float low, float high) {
    return low + (high - low) * static_cast<float>(hash_pair(seed_, count_++) >> 8U) * 0x1p-24F;
  }
  /// The next angle, in radians.
  float angle() { return in(0.0F, 2.0F * std::numbers::pi_v<float>); }
  /// The next unit vector, uniform over all directions.
  Vec3 direction() {
    const float z = in(-1.0F, 1.0F);
    const float around = angle();
    const float ring = std::sqrt(std::max(0.0F, 1.0F - z * z));
    return {ring * std::cos(around), ring * std::sin(around), z};
  }

 private:
  std::uint32_t seed_;
  std::uint32_t count_ = 0;
};

}  // namespace reconverge::scenes

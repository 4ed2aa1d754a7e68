#pragma once
/// Random numbers for generators of scenes: the same on every machine, and from one seed as many independent rows as
/// one likes. Two throws in one expression need an order that all compilers keep: within braces they have one, as
/// arguments and operands they have none.

#include <cstdint>
#include <numbers>

#include "scenes/sampler.hpp"
#include "scenes/vec3.hpp"

namespace reconverge::scenes {

class Dice {
 public:
  /// `row`: another one for each thing that is generated, so that a change of one leaves the others alone.
  Dice(std::uint32_t seed, std::uint32_t row) : seed_(hash_pair(seed, row)) {}

  /// The next number in [low, high).
  float in(float low, float high) {
    return low + (high - low) * static_cast<float>(hash_pair(seed_, count_++) >> 8U) * 0x1p-24F;
  }
  /// The next angle, in radians.
  float angle() { return in(0.0F, 2.0F * std::numbers::pi_v<float>); }
  /// The next unit vector, all directions alike.
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

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Low-discrepancy sample points, the same on every machine: Sobol' pairs with Owen scrambling by hashing (Burley,
/// "Practical hash-based Owen scrambling", JCGT 2020), padded: each pair of dimensions is shuffled separately.

#include <array>
#include <cstdint>

namespace reconverge::scenes {

/// A good mix of the bits (the finaliser of MurmurHash3).
constexpr std::uint32_t hash_bits(std::uint32_t x) {
  x ^= x >> 16U;
  x *= 0x85EBCA6BU;
  x ^= x >> 13U;
  x *= 0xC2B2AE35U;
  return x ^ (x >> 16U);
}
constexpr std::uint32_t hash_pair(std::uint32_t a, std::uint32_t b) {
  return hash_bits(a * 0x9E3779B9U + hash_bits(b));
}

constexpr std::uint32_t reverse_bits(std::uint32_t x) {
  x = ((x & 0x55555555U) << 1U) | ((x >> 1U) & 0x55555555U);
  x = ((x & 0x33333333U) << 2U) | ((x >> 2U) & 0x33333333U);
  x = ((x & 0x0F0F0F0FU) << 4U) | ((x >> 4U) & 0x0F0F0F0FU);
  x = ((x & 0x00FF00FFU) << 8U) | ((x >> 8U) & 0x00FF00FFU);
  return (x << 16U) | (x >> 16U);
}

/// Owen scrambling: every bit is flipped by a hash of the bits above it (Laine and Karras' permutation, reversed).
constexpr std::uint32_t owen_scramble(std::uint32_t x, std::uint32_t seed) {
  x = reverse_bits(x) + seed;
  x ^= x * 0x6C50B47CU;
  x ^= x * 0xB82F1E52U;
  x ^= x * 0xC7AFE638U;
  x ^= x * 0x8D22F6E6U;
  return reverse_bits(x);
}

/// The second dimension of the Sobol' sequence; the first is `reverse_bits`.
constexpr std::uint32_t sobol_second(std::uint32_t index) {
  std::uint32_t result = 0;
  for (std::uint32_t direction = 0x80000000U; index != 0; index >>= 1U, direction ^= direction >> 1U) {
    if ((index & 1U) != 0) result ^= direction;
  }
  return result;
}

/// The points of one sample of one pixel.
class Sampler {
 public:
  Sampler(std::uint32_t seed, std::uint32_t pixel, std::uint32_t sample)
      : seed_(hash_pair(seed, pixel)), sample_(sample) {}

  /// Two numbers in [0, 1) for the pair of dimensions given. Over the samples of a pixel they are a shuffled
  /// (0,2)-sequence.
  std::array<float, 2> pair(std::uint32_t dimension) const {
    const std::uint32_t seed = hash_pair(seed_, dimension);
    const std::uint32_t index = owen_scramble(sample_, seed);
    const std::uint32_t x = owen_scramble(reverse_bits(index), hash_pair(seed, 1));
    const std::uint32_t y = owen_scramble(sobol_second(index), hash_pair(seed, 2));
    return {static_cast<float>(x >> 8U) * 0x1p-24F, static_cast<float>(y >> 8U) * 0x1p-24F};
  }

 private:
  std::uint32_t seed_;
  std::uint32_t sample_;
};

}  // namespace reconverge::scenes

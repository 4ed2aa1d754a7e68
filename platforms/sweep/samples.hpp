// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Points in the unit cube, for samples of a design space. The same seed gives the same points everywhere.

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace reconverge::sweep {

/// Coordinates from 0 to below 1, one for each dimension.
using UnitPoint = std::vector<double>;

/// Independent uniform points, one after the other.
class UniformPoints {
 public:
  UniformPoints(std::size_t dimensions, std::uint64_t seed) : dimensions_(dimensions), random_(seed) {}

  UnitPoint next();

 private:
  std::size_t dimensions_;
  std::mt19937_64 random_;
};

/// A Latin hypercube: in each dimension, every n-th of the range has exactly one of the n points (McKay, Beckman and
/// Conover, Technometrics 1979).
std::vector<UnitPoint> latin_hypercube(std::size_t points, std::size_t dimensions, std::uint64_t seed);

}  // namespace reconverge::sweep

// SPDX-License-Identifier: Apache-2.0
#include "platforms/sweep/samples.hpp"

#include <numeric>
#include <utility>

namespace reconverge::sweep {

namespace {

/// From 0 to below 1. The distributions of the standard library differ between implementations.
double fraction(std::mt19937_64& random) {
  constexpr double steps = 9007199254740992.0;  // 2^53
  constexpr int unused_bits = 11;
  return static_cast<double>(random() >> unused_bits) / steps;
}

std::vector<std::size_t> permutation(std::size_t size, std::mt19937_64& random) {
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t left = size; left > 1; --left)
    std::swap(order[left - 1], order[static_cast<std::size_t>(fraction(random) * static_cast<double>(left))]);
  return order;
}

}  // namespace

UnitPoint UniformPoints::next() {
  UnitPoint point;
  for (std::size_t i = 0; i < dimensions_; ++i) point.push_back(fraction(random_));
  return point;
}

std::vector<UnitPoint> latin_hypercube(std::size_t points, std::size_t dimensions, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<UnitPoint> cube(points);
  for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
    const std::vector<std::size_t> order = permutation(points, random);
    for (std::size_t i = 0; i < points; ++i)
      cube[i].push_back((static_cast<double>(order[i]) + fraction(random)) / static_cast<double>(points));
  }
  return cube;
}

}  // namespace reconverge::sweep

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Compares a buffer's contents with the expected contents.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "platforms/launch/element_type.hpp"

namespace reconverge::launch {

/// A value agrees if it is within any of the three. All zero: it must be equal.
struct Tolerance {
  double absolute = 0;
  double relative = 0;     ///< times the magnitude of the expected value
  std::uint64_t ulps = 0;  ///< floats only: number of representable values from one to the other

  bool operator==(const Tolerance&) const = default;
};

struct Difference {
  std::uint64_t index = 0;
  std::string got;
  std::string expected;
};

struct Comparison {
  static constexpr std::size_t most_examples = 10;

  std::uint64_t values = 0;
  std::uint64_t differing = 0;    ///< beyond the tolerance
  double largest_absolute = 0;    ///< over all pairs of numbers; infinite if only one of the two is finite
  double largest_relative = 0;    ///< the same; a difference from an expected zero is infinite
  std::vector<Difference> first;  ///< of the elements that differ, in order

  bool agrees() const { return differing == 0; }
};

/// Compares element by element. NaN agrees only with NaN, an infinity only with itself, and -0 with 0. Both spans have
/// the same length.
Comparison compare(ElementType type, std::span<const std::byte> got, std::span<const std::byte> expected,
                   const Tolerance& tolerance);

}  // namespace reconverge::launch

#pragma once
/// What a buffer holds against what it should hold.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "platforms/launch/element_type.hpp"

namespace reconverge::launch {

/// A value agrees when it is within any of the three. All zero: it must be equal.
struct Tolerance {
  double absolute = 0;
  double relative = 0;     ///< times the magnitude of the expected value
  std::uint64_t ulps = 0;  ///< floats only: numbers of the type from one to the other

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
  std::uint64_t differing = 0;  ///< beyond the tolerance
  double largest_absolute = 0;  ///< over all pairs of numbers; infinite where one of the two alone is no finite number
  double largest_relative = 0;  ///< the same; a difference from an expected zero is infinite
  std::vector<Difference> first;  ///< of the differing ones, in order

  bool agrees() const { return differing == 0; }
};

/// Element by element. NaN agrees with NaN and nothing else, an infinity with itself, -0 with 0. Both spans have the
/// same length.
Comparison compare(ElementType type, std::span<const std::byte> got, std::span<const std::byte> expected,
                   const Tolerance& tolerance);

}  // namespace reconverge::launch

// SPDX-License-Identifier: Apache-2.0
#include "platforms/launch/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace reconverge::launch {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The difference of two elements, in three measures.
struct Distance {
  double absolute = 0;
  double magnitude = 0;  ///< of the expected value
  std::uint64_t ulps = 0;

  double relative() const { return absolute == 0 ? 0 : magnitude == 0 ? infinity : absolute / magnitude; }
};

/// Consecutive numbers for consecutive floats; both zeros have the same number.
std::int64_t float_order(ElementType type, std::uint64_t bits) {
  const std::uint64_t sign = std::uint64_t{1} << (8 * bytes_of(type) - 1);
  const auto magnitude = static_cast<std::int64_t>(bits & (sign - 1));
  return (bits & sign) != 0 ? -magnitude : magnitude;
}

Distance float_distance(ElementType type, std::uint64_t got, std::uint64_t expected) {
  const double a = float_value(type, got);
  const double b = float_value(type, expected);
  const bool both_nan = std::isnan(a) && std::isnan(b);
  if (both_nan || a == b) return {};
  if (!std::isfinite(a) || !std::isfinite(b)) return {infinity, 0, std::numeric_limits<std::uint64_t>::max()};
  const std::int64_t first = float_order(type, got);
  const std::int64_t second = float_order(type, expected);
  const std::uint64_t ulps =
      static_cast<std::uint64_t>(std::max(first, second)) - static_cast<std::uint64_t>(std::min(first, second));
  return {std::abs(a - b), std::abs(b), ulps};
}

Distance whole_distance(ElementType type, std::uint64_t got, std::uint64_t expected) {
  if (got == expected) return {};
  const unsigned unused = is_signed(type) ? 64 - 8 * bytes_of(type) : 0;
  const auto extended = [&](std::uint64_t bits) { return static_cast<std::int64_t>(bits << unused) >> unused; };
  const bool got_is_larger = is_signed(type) ? extended(got) > extended(expected) : got > expected;
  const std::uint64_t difference =
      static_cast<std::uint64_t>(extended(got)) - static_cast<std::uint64_t>(extended(expected));
  const double magnitude =
      is_signed(type) ? std::abs(static_cast<double>(extended(expected))) : static_cast<double>(expected);
  // Whole numbers are not rounded, so their steps do not count.
  return {static_cast<double>(got_is_larger ? difference : 0 - difference), magnitude,
          std::numeric_limits<std::uint64_t>::max()};
}

bool within(const Distance& distance, const Tolerance& tolerance) {
  if (distance.absolute == 0) return true;
  if (std::isinf(distance.absolute) && distance.magnitude == 0) return false;  // only one of them is a number
  return distance.absolute <= tolerance.absolute || distance.absolute <= tolerance.relative * distance.magnitude ||
         distance.ulps <= tolerance.ulps;
}

}  // namespace

Comparison compare(ElementType type, std::span<const std::byte> got, std::span<const std::byte> expected,
                   const Tolerance& tolerance) {
  Comparison result;
  const unsigned bytes = bytes_of(type);
  result.values = expected.size() / bytes;
  for (std::uint64_t i = 0; i < result.values; ++i) {
    const std::uint64_t a = load_element(type, got.data() + i * bytes);
    const std::uint64_t b = load_element(type, expected.data() + i * bytes);
    const Distance distance = is_float(type) ? float_distance(type, a, b) : whole_distance(type, a, b);
    result.largest_absolute = std::max(result.largest_absolute, distance.absolute);
    result.largest_relative = std::max(result.largest_relative, distance.relative());
    if (within(distance, tolerance)) continue;
    ++result.differing;
    if (result.first.size() < Comparison::most_examples) {
      result.first.push_back({i, format_element(type, a), format_element(type, b)});
    }
  }
  return result;
}

}  // namespace reconverge::launch

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Numbers of 8 bits, e4m3 and e5m2 ("OCP 8-bit floating point", 2023): conversion from and to numbers of 16 bits.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "models/execution/operations/half.hpp"

namespace reconverge::operations {

/// e4m3 has no infinity: its largest magnitude but one is 448. In generated NaNs, all bits below the sign are set.
struct E4m3 {
  static constexpr int fraction_bits = 3;
  static constexpr int bias = 7;
  static constexpr std::uint32_t largest = 0x7e;
};
struct E5m2 {
  static constexpr int fraction_bits = 2;
  static constexpr int bias = 15;
  static constexpr std::uint32_t largest = 0x7b;
};
inline constexpr std::uint32_t nan8 = 0x7f;
inline constexpr std::uint32_t sign8 = 0x80;

/// The nearest number, ties to even; values beyond the largest number become that number. Requires the host to round to
/// nearest.
template <typename F>
std::uint32_t narrow8(double value, bool relu) {
  const std::uint32_t sign = std::signbit(value) ? sign8 : 0;
  const double magnitude = std::fabs(value);
  constexpr double limit = 65536;  // beyond either format, and safe for the code below
  const double bounded = magnitude < limit ? magnitude : limit;
  constexpr int lowest = 1 - F::bias;
  int exponent = 0;
  std::frexp(bounded, &exponent);
  exponent = bounded > 0 ? std::max(exponent - 1, lowest) : lowest;
  const auto units = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(bounded, F::fraction_bits - exponent)));
  // A normal number's leading one adds the last unit to the exponent, and a carry the next.
  const std::uint32_t code = (static_cast<std::uint32_t>(exponent - lowest) << F::fraction_bits) + units;
  const std::uint32_t number = sign | std::min(code, F::largest);
  if (std::isnan(value)) return nan8;
  return relu && sign != 0 ? 0 : number;
}

/// The same value as f16, which can represent all of them.
template <typename F>
std::uint32_t widen8(std::uint32_t code, bool relu) {
  const std::uint32_t sign = code & sign8;
  const std::uint32_t magnitude = code & nan8;
  if (relu && sign != 0 && magnitude <= F::largest + (F::bias == Half::bias ? 1U : 0U)) return 0;
  if constexpr (F::bias == Half::bias) {
    const bool is_nan = magnitude > F::largest + 1;
    return is_nan ? half_nan : code << 8U;
  } else {
    if (magnitude == nan8) return half_nan;
    constexpr double unit = 1.0 / (1 << (F::bias - 1 + F::fraction_bits));
    const std::uint32_t fraction = magnitude & ((1U << F::fraction_bits) - 1);
    const auto exponent = static_cast<int>(magnitude >> F::fraction_bits);
    const double units = exponent == 0 ? fraction : std::ldexp(fraction + (1U << F::fraction_bits), exponent - 1);
    return narrow<Half>(units * unit).bits | sign << 8U;
  }
}

}  // namespace reconverge::operations

// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Numbers of 16 bits, f16 and bf16. They are computed in f64, where their sums and products are exact or carry a mark
/// of the lost bits, and rounded once. No rounding here depends on the host's rounding mode.

#include <bit>
#include <cstdint>

#include "models/kernel/opcode.hpp"

namespace reconverge::operations {

struct Half {
  static constexpr int fraction_bits = 10;
  static constexpr int bias = 15;
  static constexpr std::uint16_t infinity = 0x7c00;
  static constexpr std::uint16_t one = 0x3c00;
  std::uint16_t bits = 0;
};

struct Bfloat {
  static constexpr int fraction_bits = 7;
  static constexpr int bias = 127;
  static constexpr std::uint16_t infinity = 0x7f80;
  static constexpr std::uint16_t one = 0x3f80;
  std::uint16_t bits = 0;
};

inline constexpr std::uint32_t half_sign = 0x8000;
inline constexpr std::uint16_t half_nan = 0x7fff;  ///< the canonical one, of both formats

template <typename H>
constexpr bool is_half = std::is_same_v<H, Half> || std::is_same_v<H, Bfloat>;

template <typename H>
constexpr bool half_is_nan(H value) {
  return (value.bits & ~half_sign) > H::infinity;
}

/// The value, exactly. NaN stays NaN.
template <typename H>
double widen(H value) {
  const std::uint64_t magnitude = value.bits & 0x7fffU;
  const std::uint64_t sign = std::uint64_t{value.bits & half_sign} << 48U;
  constexpr unsigned shift = 52 - H::fraction_bits;
  constexpr std::uint64_t rebias = std::uint64_t{1023 - H::bias} << 52U;
  const bool special = magnitude >= H::infinity;
  const std::uint64_t normal = (magnitude << shift) + (special ? 2 * rebias : rebias);
  // A subnormal is its fraction in units of the smallest one.
  constexpr double unit = std::bit_cast<double>(std::uint64_t{1024 - H::bias - H::fraction_bits} << 52U);
  const double subnormal = static_cast<double>(static_cast<std::int32_t>(magnitude)) * unit;
  const bool is_normal = magnitude >> static_cast<unsigned>(H::fraction_bits) != 0;
  return std::bit_cast<double>((is_normal ? normal : std::bit_cast<std::uint64_t>(subnormal)) | sign);
}

/// The nearest value of the format, or the next one in the direction of R. NaN becomes the canonical one.
template <typename H, kernel::Rounding R = kernel::Rounding::rn>
H narrow(double value) {
  using kernel::Rounding;
  constexpr int narrowing = 52 - H::fraction_bits;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const bool negative = bits >> 63U != 0;
  const std::uint64_t magnitude = bits & ~(std::uint64_t{1} << 63U);
  const int exponent = static_cast<int>(magnitude >> 52U) - 1023;
  const bool normal = exponent >= 1 - H::bias;
  const std::uint64_t fraction = magnitude & ((std::uint64_t{1} << 52U) - 1);
  const std::uint64_t significand = magnitude == 0 ? 0 : fraction | std::uint64_t{1} << 52U;
  const int wanted = narrowing + (normal ? 0 : 1 - H::bias - exponent);
  const auto shift = static_cast<unsigned>(wanted < 62 ? wanted : 62);
  const std::uint64_t unit = std::uint64_t{1} << shift;
  std::uint64_t increment = 0;
  if constexpr (R == Rounding::rn || R == Rounding::none) {
    increment = unit / 2 - 1 + (significand >> shift & 1U);
  } else if constexpr (R != Rounding::rz) {
    increment = negative == (R == Rounding::rm) ? unit - 1 : 0;
  }
  // The leading one of the significand adds the last unit to the exponent, and a carry the next.
  const std::uint64_t base = normal ? static_cast<std::uint64_t>(exponent + H::bias - 1) << H::fraction_bits : 0;
  const std::uint64_t rounded = base + ((significand + increment) >> shift);
  const bool stays_finite = R == Rounding::rz || (R == Rounding::rm && !negative) || (R == Rounding::rp && negative);
  const std::uint64_t limit = stays_finite && exponent != 1024 ? H::infinity - 1U : H::infinity;
  const std::uint64_t clamped = rounded < limit ? rounded : limit;
  const bool is_nan = magnitude > std::uint64_t{0x7ff} << 52U;
  return {static_cast<std::uint16_t>(is_nan ? half_nan : clamped | (negative ? half_sign : 0U))};
}

/// a + b if that is a f64; otherwise the neighbour with the odd significand, which rounds to fewer bits as the sum
/// itself would (round to odd: Boldo and Melquiond). Requires the host to round to nearest.
inline double odd_sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  const double error = (a - (sum - part)) + (b - part);
  const auto bits = std::bit_cast<std::uint64_t>(sum);
  const bool inexact = error < 0 || error > 0;  // false for a NaN that results from infinities
  const bool away = (error > 0) == (sum > 0);
  const std::uint64_t odd = (bits & 1U) != 0 ? bits : away ? bits + 1 : bits - 1;
  return std::bit_cast<double>(inexact ? odd : bits);
}

}  // namespace reconverge::operations

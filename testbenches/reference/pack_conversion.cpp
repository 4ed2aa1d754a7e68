// SPDX-License-Identifier: Apache-2.0
// cvt.pack, bit by bit as in the manual's pseudo-code, and 8-bit floats by a search among all of them.

#include <algorithm>
#include <cmath>
#include <limits>

#include "testbenches/reference/bits.hpp"
#include "testbenches/reference/operations.hpp"

namespace reconverge::reference {

namespace {

using kernel::Fp8Conversion;
using kernel::Instruction;
using kernel::PackedInteger;

std::uint64_t packed_integers(PackedInteger type, const Sources& source) {
  unsigned size = 16;
  if (type >= PackedInteger::u8) size = 8;
  if (type >= PackedInteger::u4) size = 4;
  if (type >= PackedInteger::u2) size = 2;
  const bool is_signed = static_cast<unsigned>(type) % 2 == 1;
  const std::int64_t lowest = is_signed ? -(std::int64_t{1} << (size - 1)) : 0;
  const std::int64_t highest = (std::int64_t{1} << (is_signed ? size - 1 : size)) - 1;
  const auto clamped = [&](std::uint64_t bits) {
    return static_cast<std::uint64_t>(std::min(std::max(signed_value(bits, 32), lowest), highest));
  };
  const std::uint64_t a = clamped(source[0]);
  const std::uint64_t b = clamped(source[1]);
  std::uint64_t result = 0;
  for (unsigned i = 0; i < 32; ++i) {
    std::uint64_t bit = 0;
    if (i < size) {
      bit = b >> i;
    } else if (i < 2 * size) {
      bit = a >> (i - size);
    } else {
      bit = source[2] >> (i - 2 * size);
    }
    result |= (bit & 1U) << i;
  }
  return result;
}

/// e4m3 has one NaN of each sign and no infinity; e5m2 follows the layout of IEEE 754.
bool is_e4m3(Fp8Conversion conversion) {
  return conversion == Fp8Conversion::e4m3x2_f32 || conversion == Fp8Conversion::e4m3x2_f16x2 ||
         conversion == Fp8Conversion::f16x2_e4m3x2;
}

/// The value of a code without sign; NaN and infinity for the codes of these.
long double value_of(unsigned code, bool e4m3) {
  const int fraction_bits = e4m3 ? 3 : 2;
  const int bias = e4m3 ? 7 : 15;
  if (e4m3 ? code == 0x7f : code > 0x7c) return std::numeric_limits<long double>::quiet_NaN();
  if (!e4m3 && code == 0x7c) return std::numeric_limits<long double>::infinity();
  const int exponent = static_cast<int>(code >> fraction_bits);
  const unsigned fraction = code & ((1U << fraction_bits) - 1);
  const unsigned significand = exponent == 0 ? fraction : fraction | 1U << fraction_bits;
  return std::ldexp(static_cast<long double>(significand), std::max(exponent, 1) - bias - fraction_bits);
}

/// The code of the nearest value, ties to the even code; the largest code for values beyond it.
unsigned code_of(long double value, bool e4m3, bool relu) {
  if (std::isnan(value)) return 0x7f;
  const bool negative = std::signbit(value);
  if (negative && relu) return 0;
  const long double magnitude = std::fabs(value);
  const unsigned largest = e4m3 ? 0x7e : 0x7b;
  unsigned code = 0;
  // The midpoint of neighbours is exact, so comparisons suffice.
  while (code < largest) {
    const long double halfway = (value_of(code, e4m3) + value_of(code + 1, e4m3)) / 2;
    const bool goes_up = magnitude > halfway || (magnitude == halfway && code % 2 == 1);
    if (!goes_up) break;
    ++code;
  }
  return code | (negative ? 0x80U : 0U);
}

long double half_value(std::uint64_t bits) {
  const auto magnitude = static_cast<unsigned>(bits & 0x7fffU);
  const unsigned exponent = magnitude >> 10U;
  const unsigned fraction = magnitude & 0x3ffU;
  long double value = std::ldexp(static_cast<long double>(exponent == 0 ? fraction : fraction | 0x400U),
                                 static_cast<int>(std::max(exponent, 1U)) - 25);
  if (exponent == 31) {
    value =
        fraction == 0 ? std::numeric_limits<long double>::infinity() : std::numeric_limits<long double>::quiet_NaN();
  }
  return (bits & 0x8000U) != 0 ? -value : value;
}

/// The f16 with the value of a code, found by a search among all of them.
std::uint64_t half_of(std::uint64_t code, bool e4m3, bool relu) {
  const bool negative = (code & 0x80U) != 0;
  const long double magnitude = value_of(static_cast<unsigned>(code & 0x7fU), e4m3);
  if (std::isnan(magnitude)) return 0x7fff;
  if (relu && negative) return 0;
  for (std::uint64_t bits = 0; bits <= 0x7c00; ++bits) {
    if (half_value(bits) == magnitude) return bits | (negative ? 0x8000U : 0U);
  }
  return 0x7fff;
}

}  // namespace

std::uint64_t pack_converted(const Instruction& instruction, const Sources& source) {
  if (instruction.opcode == kernel::Opcode::cvt_pack) {
    return packed_integers(static_cast<PackedInteger>(instruction.variant), source);
  }
  const auto conversion = static_cast<Fp8Conversion>(instruction.variant);
  const bool e4m3 = is_e4m3(conversion);
  const bool relu = (instruction.offset & 1) != 0;
  switch (conversion) {
    case Fp8Conversion::e4m3x2_f32:
    case Fp8Conversion::e5m2x2_f32:
      return code_of(float_of<float>(source[0]), e4m3, relu) << 8U | code_of(float_of<float>(source[1]), e4m3, relu);
    case Fp8Conversion::e4m3x2_f16x2:
    case Fp8Conversion::e5m2x2_f16x2:
      return code_of(half_value(source[0] >> 16U & 0xffffU), e4m3, relu) << 8U |
             code_of(half_value(source[0] & 0xffffU), e4m3, relu);
    default:
      return half_of(source[0] >> 8U & 0xffU, e4m3, relu) << 16U | half_of(source[0] & 0xffU, e4m3, relu);
  }
}

}  // namespace reconverge::reference

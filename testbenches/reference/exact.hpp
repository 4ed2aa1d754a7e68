// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Floats of any format as integers of any length times a power of two. Every operation is exact, or keeps lost bits as
/// a last bit, and the result is rounded once: no host arithmetic, no host rounding mode.

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>

#include "models/kernel/program.hpp"

namespace reconverge::reference {

using Integer = boost::multiprecision::cpp_int;

/// The layout of a float: a sign, the exponent, the fraction.
struct Format {
  unsigned exponent_bits = 0;
  unsigned fraction_bits = 0;

  int lowest_exponent() const { return 2 - (1 << (exponent_bits - 1)); }  ///< of normal numbers
  std::uint64_t sign() const { return std::uint64_t{1} << (exponent_bits + fraction_bits); }
  std::uint64_t infinity() const { return ((std::uint64_t{1} << exponent_bits) - 1) << fraction_bits; }
  std::uint64_t nan() const { return sign() - 1; }  ///< the NaN that arithmetic produces
};

/// For f16, bf16, f32 and f64, and for the halves of a pair.
Format format_of(kernel::DataType type);

/// f16x2 and bf16x2.
constexpr bool is_pair(kernel::DataType type) {
  return type == kernel::DataType::f16x2 || type == kernel::DataType::bf16x2;
}

enum class Direction { nearest_even, nearest_away, zero, down, up };
Direction direction_of(kernel::Rounding rounding);

/// ± significand * 2^exponent, or a value that is not such a number.
struct Number {
  enum class Kind { finite, infinity, nan };
  Kind kind = Kind::finite;
  bool negative = false;
  Integer significand = 0;
  int exponent = 0;

  bool is_zero() const { return kind == Kind::finite && significand == 0; }
};

Number number_of(std::uint64_t bits, Format format);
Number number_of(long double value);
Number number_of(const Integer& value);
inline Number not_a_number() { return {Number::Kind::nan}; }

/// The bits of the value rounded to the format, with subnormals and overflow.
std::uint64_t encoded(const Number& number, Format format, Direction direction);

/// Whether .ftz flushes the value: rounded to the same number of digits with an unbounded exponent, it is below the
/// normal numbers.
bool is_flushed(const Number& number, Format format, Direction direction);

Number negated(Number number);
/// `direction` decides the sign of a zero that results from cancellation.
Number sum(const Number& a, const Number& b, Direction direction);
Number product(const Number& a, const Number& b);
// These have some 70 significant bits, and a last bit that says whether there would be more.
Number quotient(const Number& a, const Number& b);
Number square_root(const Number& a);
Number reciprocal_root(const Number& a);

/// .sat: clamps to [0, 1], NaN to zero. .relu: negative values to zero.
std::uint64_t saturated(std::uint64_t bits, Format format);
std::uint64_t rectified(std::uint64_t bits, Format format);

/// A finite number rounded to an integer.
Integer integral(const Number& number, Direction direction);

}  // namespace reconverge::reference

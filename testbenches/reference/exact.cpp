// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/exact.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace reconverge::reference {

namespace {

using kernel::DataType;
using kernel::Rounding;
using Kind = Number::Kind;

int bits_in(const Integer& value) { return value == 0 ? 0 : static_cast<int>(msb(value)) + 1; }

// value / 2^shift, rounded.
Integer shifted_right(const Integer& value, unsigned shift, bool negative, Direction direction) {
  Integer kept = value >> shift;
  const Integer lost = value - (kept << shift);
  if (lost == 0) return kept;
  const int to_middle = Integer(lost << 1).compare(Integer(1) << shift);
  bool away = false;
  switch (direction) {
    case Direction::nearest_even:
      away = to_middle > 0 || (to_middle == 0 && bit_test(kept, 0));
      break;
    case Direction::nearest_away:
      away = to_middle >= 0;
      break;
    case Direction::zero:
      break;
    case Direction::down:
      away = negative;
      break;
    case Direction::up:
      away = !negative;
      break;
  }
  if (away) ++kept;
  return kept;
}

bool overflows_to_largest(bool negative, Direction direction) {
  return direction == Direction::zero || (direction == Direction::down && !negative) ||
         (direction == Direction::up && negative);
}

// The significand with one more low bit, which says whether bits were lost.
Number with_mark(bool negative, const Integer& significand, int exponent, bool inexact) {
  return {Kind::finite, negative, (significand << 1) + (inexact ? 1 : 0), exponent - 1};
}

constexpr int working_bits = 70;

}  // namespace

Format format_of(DataType type) {
  switch (type) {
    case DataType::f16:
    case DataType::f16x2:
      return {5, 10};
    case DataType::bf16:
    case DataType::bf16x2:
      return {8, 7};
    case DataType::f64:
      return {11, 52};
    default:
      return {8, 23};
  }
}

Direction direction_of(Rounding rounding) {
  switch (rounding) {
    case Rounding::rz:
    case Rounding::rzi:
      return Direction::zero;
    case Rounding::rm:
    case Rounding::rmi:
      return Direction::down;
    case Rounding::rp:
    case Rounding::rpi:
      return Direction::up;
    default:
      return Direction::nearest_even;
  }
}

Number number_of(std::uint64_t bits, Format format) {
  const bool negative = (bits & format.sign()) != 0;
  const std::uint64_t magnitude = bits & (format.sign() - 1);
  if (magnitude > format.infinity()) return not_a_number();
  if (magnitude == format.infinity()) return {Kind::infinity, negative};
  const std::uint64_t fraction = magnitude & ((std::uint64_t{1} << format.fraction_bits) - 1);
  const auto field = static_cast<int>(magnitude >> format.fraction_bits);
  const std::uint64_t leading = field == 0 ? 0 : std::uint64_t{1} << format.fraction_bits;
  const int exponent = format.lowest_exponent() + std::max(field, 1) - 1 - static_cast<int>(format.fraction_bits);
  return {Kind::finite, negative, Integer(leading | fraction), exponent};
}

Number number_of(long double value) {
  if (std::isnan(value)) return not_a_number();
  const bool negative = std::signbit(value);
  if (std::isinf(value)) return {Kind::infinity, negative};
  int exponent = 0;
  const long double part = std::frexp(std::abs(value), &exponent);
  return {Kind::finite, negative, Integer(std::ldexp(part, 113)), exponent - 113};
}

Number number_of(const Integer& value) { return {Kind::finite, value < 0, abs(value), 0}; }

std::uint64_t encoded(const Number& number, Format format, Direction direction) {
  if (number.kind == Kind::nan) return format.nan();
  const std::uint64_t sign = number.negative ? format.sign() : 0;
  if (number.kind == Kind::infinity) return sign | format.infinity();
  if (number.is_zero()) return sign;
  const int exponent = std::max(number.exponent + bits_in(number.significand) - 1, format.lowest_exponent());
  const int shift = exponent - static_cast<int>(format.fraction_bits) - number.exponent;
  const Integer significand =
      shift <= 0 ? Integer(number.significand << -shift)
                 : shifted_right(number.significand, static_cast<unsigned>(shift), number.negative, direction);
  // The significand's leading one adds the last unit of the exponent field.
  const Integer field = Integer(exponent - format.lowest_exponent()) << format.fraction_bits;
  const Integer magnitude = field + significand;
  if (magnitude < format.infinity()) return sign | static_cast<std::uint64_t>(magnitude);
  return sign | (format.infinity() - (overflows_to_largest(number.negative, direction) ? 1 : 0));
}

bool is_flushed(const Number& number, Format format, Direction direction) {
  const Format wide{format.exponent_bits + 4, format.fraction_bits};
  const auto lowest = static_cast<std::uint64_t>(format.lowest_exponent() - wide.lowest_exponent() + 1)
                      << wide.fraction_bits;
  return (encoded(number, wide, direction) & (wide.sign() - 1)) < lowest;
}

Number negated(Number number) {
  number.negative = !number.negative;
  return number;
}

Number sum(const Number& a, const Number& b, Direction direction) {
  if (a.kind == Kind::nan || b.kind == Kind::nan) return not_a_number();
  if (a.kind == Kind::infinity && b.kind == Kind::infinity && a.negative != b.negative) return not_a_number();
  if (a.kind == Kind::infinity) return a;
  if (b.kind == Kind::infinity) return b;
  const int exponent = std::min(a.exponent, b.exponent);
  const auto aligned = [exponent](const Number& number) {
    const Integer magnitude = number.significand << (number.exponent - exponent);
    return number.negative ? Integer(-magnitude) : magnitude;
  };
  const Integer total = aligned(a) + aligned(b);
  if (total != 0) return {Kind::finite, total < 0, abs(total), exponent};
  const bool both_negative = a.negative && b.negative;
  return {Kind::finite, both_negative || (a.negative != b.negative && direction == Direction::down)};
}

Number product(const Number& a, const Number& b) {
  if (a.kind == Kind::nan || b.kind == Kind::nan) return not_a_number();
  const bool negative = a.negative != b.negative;
  if (a.kind == Kind::infinity || b.kind == Kind::infinity) {
    return a.is_zero() || b.is_zero() ? not_a_number() : Number{Kind::infinity, negative};
  }
  return {Kind::finite, negative, a.significand * b.significand, a.exponent + b.exponent};
}

Number quotient(const Number& a, const Number& b) {
  if (a.kind == Kind::nan || b.kind == Kind::nan) return not_a_number();
  const bool negative = a.negative != b.negative;
  if (a.kind == Kind::infinity) return b.kind == Kind::infinity ? not_a_number() : Number{Kind::infinity, negative};
  if (b.kind == Kind::infinity) return {Kind::finite, negative};
  if (b.is_zero()) return a.is_zero() ? not_a_number() : Number{Kind::infinity, negative};
  if (a.is_zero()) return {Kind::finite, negative};
  const int shift = working_bits + bits_in(b.significand);
  Integer whole;
  Integer remainder;
  divide_qr(Integer(a.significand << shift), b.significand, whole, remainder);
  return with_mark(negative, whole, a.exponent - b.exponent - shift, remainder != 0);
}

Number square_root(const Number& a) {
  if (a.kind == Kind::nan || a.is_zero()) return a;
  if (a.negative) return not_a_number();
  if (a.kind == Kind::infinity) return a;
  const int shift = 2 * working_bits + (a.exponent & 1);
  Integer remainder;
  const Integer root = sqrt(Integer(a.significand << shift), remainder);
  return with_mark(false, root, (a.exponent - shift) / 2, remainder != 0);
}

Number reciprocal_root(const Number& a) {
  if (a.kind == Kind::nan) return a;
  if (a.is_zero()) return {Kind::infinity, a.negative};
  if (a.negative) return not_a_number();
  if (a.kind == Kind::infinity) return {};
  // root = floor(sqrt(2^power / significand)), with `power` such that exponent + power is even.
  const int power = 2 * working_bits + 2 * bits_in(a.significand) + (a.exponent & 1);
  const Integer one = Integer(1) << power;
  const Integer root = sqrt(Integer(one / a.significand));
  const bool exact = root * root * a.significand == one;
  return with_mark(false, root, -(a.exponent + power) / 2, !exact);
}

Integer integral(const Number& number, Direction direction) {
  const Integer magnitude =
      number.exponent >= 0
          ? Integer(number.significand << number.exponent)
          : shifted_right(number.significand, static_cast<unsigned>(-number.exponent), number.negative, direction);
  return number.negative ? Integer(-magnitude) : magnitude;
}

}  // namespace reconverge::reference

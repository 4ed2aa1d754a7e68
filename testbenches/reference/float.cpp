// SPDX-License-Identifier: Apache-2.0
// Arithmetic on floats of every format, exact and then rounded: see exact.hpp.

#include <cmath>

#include "models/kernel/decode/float_modifier.hpp"
#include "testbenches/reference/bits.hpp"
#include "testbenches/reference/exact.hpp"
#include "testbenches/reference/operations.hpp"

namespace reconverge::reference {

namespace {

using kernel::DataType;
using kernel::FloatModifier;
using kernel::Instruction;
using kernel::Opcode;

// The functions that PTX only approximates, with more bits than any of its formats has. If the value is a number of the
// format or lies exactly between two, long double represents it exactly.
Number function_of(Opcode opcode, const Number& a) {
  long double x = a.kind == Number::Kind::nan        ? std::nanl("")
                  : a.kind == Number::Kind::infinity ? HUGE_VALL
                                                     : std::ldexp(static_cast<long double>(a.significand), a.exponent);
  if (a.negative) x = -x;
  switch (opcode) {
    case Opcode::sin:
      return number_of(std::sin(x));
    case Opcode::cos:
      return number_of(std::cos(x));
    case Opcode::ex2:
      return number_of(std::exp2(x));
    case Opcode::lg2:
      return number_of(std::log2(x));
    default:
      return number_of(std::tanh(x));
  }
}

/// One number of one format.
class Element {
 public:
  Element(const Instruction& instruction, const Sources& source)
      : instruction_(instruction), format_(format_of(instruction.type)), source_(source) {
    // The operands of add, sub and fma, except the last, may have another format.
    const bool is_mixed = instruction.source_type != DataType::none;
    const std::size_t last = instruction.opcode == Opcode::fma ? 2 : 1;
    for (std::size_t i = 0; i < number_.size(); ++i) {
      if (is_mixed && i < last) {
        number_[i] = number_of(low_bits(source[i], 16), format_of(instruction.source_type));
      } else {
        source_[i] = flushed(source_[i]);
        number_[i] = number_of(source_[i], format_);
      }
    }
  }

  std::uint64_t result() const {
    switch (instruction_.opcode) {  // only signs: nothing is computed
      case Opcode::abs:
        return source_[0] & ~format_.sign();
      case Opcode::neg:
        return source_[0] ^ format_.sign();
      case Opcode::copysign:
        return (source_[0] & format_.sign()) | (source_[1] & ~format_.sign());
      case Opcode::min:
      case Opcode::max:
        return finished(extreme());
      default: {
        const Number value = computed();
        const bool is_zero = instruction_.flush_subnormals && is_flushed(value, format_, direction());
        return finished(is_zero ? encoded({Number::Kind::finite, value.negative}, format_, direction())
                                : encoded(value, format_, direction()));
      }
    }
  }

 private:
  bool modified(FloatModifier modifier) const { return has(instruction_, modifier); }
  Direction direction() const { return direction_of(instruction_.rounding); }
  bool is_nan(std::uint64_t bits) const { return (bits & ~format_.sign()) > format_.infinity(); }

  std::uint64_t flushed(std::uint64_t bits) const {
    bits &= 2 * format_.sign() - 1;
    const bool subnormal = (bits & format_.infinity()) == 0;
    return instruction_.flush_subnormals && subnormal ? bits & format_.sign() : bits;
  }

  Number computed() const {
    const auto& [a, b, c] = number_;
    switch (instruction_.opcode) {
      case Opcode::add:
        return sum(a, b, direction());
      case Opcode::sub:
        return sum(a, negated(b), direction());
      case Opcode::mul:
        return product(a, b);
      case Opcode::mad:
      case Opcode::fma:
        return sum(product(a, b), c, direction());
      case Opcode::div:
        return divided();
      case Opcode::rcp:
        return quotient(number_of(Integer(1)), a);
      case Opcode::sqrt:
        return square_root(a);
      case Opcode::rsqrt:
        return reciprocal_root(a);
      case Opcode::sin:
      case Opcode::cos:
      case Opcode::ex2:
      case Opcode::lg2:
      case Opcode::tanh:
        return function_of(instruction_.opcode, a);
      default:
        unknown_instruction(instruction_);
    }
  }

  // div.approx, but not .full, uses zero as the reciprocal of values beyond 2^126.
  Number divided() const {
    const auto& [a, b, c] = number_;
    constexpr std::uint64_t two_to_126 = 0x7e800000;
    const std::uint64_t magnitude = source_[1] & ~format_.sign();
    if (instruction_.approximate && !modified(FloatModifier::full) && magnitude > two_to_126 && !is_nan(magnitude)) {
      return product(a, {Number::Kind::finite, b.negative, 0, 0});
    }
    return quotient(a, b);
  }

  // A NaN loses against a number unless .NaN is given; of two zeros the negative one is smaller.
  std::uint64_t extreme() const {
    const bool xors = modified(FloatModifier::xorsign_abs);
    const bool of_magnitudes = xors || modified(FloatModifier::abs);
    const std::uint64_t kept = of_magnitudes ? ~format_.sign() : ~std::uint64_t{0};
    std::uint64_t winner = winner_of(source_[0] & kept, source_[1] & kept);
    if (instruction_.source[2].present()) winner = winner_of(winner, source_[2] & kept);
    const bool opposite = ((source_[0] ^ source_[1]) & format_.sign()) != 0;
    return xors && opposite && !is_nan(winner) ? winner ^ format_.sign() : winner;
  }

  std::uint64_t winner_of(std::uint64_t a, std::uint64_t b) const {
    if (is_nan(a) || is_nan(b)) {
      const bool neither = modified(FloatModifier::nan) || (is_nan(a) && is_nan(b));
      return neither ? format_.nan() : is_nan(a) ? b : a;
    }
    const bool a_is_less = place_of(a) < place_of(b);
    return a_is_less == (instruction_.opcode == Opcode::min) ? a : b;
  }

  // Orders floats: sign and magnitude become one integer, with -0 just below +0.
  std::int64_t place_of(std::uint64_t bits) const {
    const auto magnitude = static_cast<std::int64_t>(bits & ~format_.sign());
    return (bits & format_.sign()) != 0 ? -magnitude - 1 : magnitude;
  }

  // Applies .ftz, .sat and .relu to the result.
  std::uint64_t finished(std::uint64_t bits) const {
    bits = flushed(bits);
    if (instruction_.saturate) return saturated(bits, format_);
    return modified(FloatModifier::relu) ? rectified(bits, format_) : bits;
  }

  const Instruction& instruction_;
  Format format_;
  Sources source_;
  std::array<Number, 3> number_;
};

// rcp and rsqrt .approx.ftz.f64 use only the upper word: a format with 20 bits of fraction.
std::uint64_t gross_result(const Instruction& instruction, std::uint64_t source) {
  constexpr Format format{11, 20};
  const auto flushed = [&](std::uint64_t bits) {
    return (bits & format.infinity()) == 0 ? bits & format.sign() : bits;
  };
  const Number a = number_of(flushed(source >> 32), format);
  const Number value = instruction.opcode == Opcode::rcp ? quotient(number_of(Integer(1)), a) : reciprocal_root(a);
  return flushed(encoded(value, format, Direction::nearest_even)) << 32;
}

bool has_property(const Instruction& instruction, std::uint64_t bits) {
  using kernel::FloatProperty;
  const Format format = format_of(instruction.type);
  const std::uint64_t magnitude = bits & (format.sign() - 1);
  const bool subnormal = magnitude != 0 && (magnitude & format.infinity()) == 0;
  switch (static_cast<FloatProperty>(instruction.variant)) {
    case FloatProperty::finite:
      return magnitude < format.infinity();
    case FloatProperty::infinite:
      return magnitude == format.infinity();
    case FloatProperty::number:
      return magnitude <= format.infinity();
    case FloatProperty::notanumber:
      return magnitude > format.infinity();
    case FloatProperty::normal:  // zero is one of them
      return magnitude < format.infinity() && !subnormal;
    case FloatProperty::subnormal:
      return subnormal;
  }
  unknown_instruction(instruction);
}

}  // namespace

std::uint64_t saturated(std::uint64_t bits, Format format) {
  const std::uint64_t one = format.infinity() / 2 & format.infinity();
  const bool nan_or_negative = bits > format.infinity();
  return nan_or_negative ? 0 : bits > one ? one : bits;
}

std::uint64_t rectified(std::uint64_t bits, Format format) {
  if ((bits & ~format.sign()) > format.infinity()) return format.nan();
  return (bits & format.sign()) != 0 ? 0 : bits;
}

std::uint64_t float_result(const Instruction& instruction, const Sources& source) {
  if (instruction.opcode == Opcode::testp) return has_property(instruction, source[0]) ? 1 : 0;
  if (instruction.type == DataType::f64 && instruction.flush_subnormals) return gross_result(instruction, source[0]);
  const std::uint64_t low = Element(instruction, source).result();
  const bool singles = instruction.type == DataType::f32x2;
  if (!singles && !is_pair(instruction.type)) return low;
  const unsigned width = singles ? 32 : 16;
  Sources upper = source;
  for (std::uint64_t& bits : upper) bits >>= width;
  return low | Element(instruction, upper).result() << width;
}

}  // namespace reconverge::reference

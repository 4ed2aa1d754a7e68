// SPDX-License-Identifier: Apache-2.0
// cvt: exact values with at most one rounding, see exact.hpp.

#include <algorithm>

#include "models/kernel/decode/float_modifier.hpp"
#include "testbenches/reference/bits.hpp"
#include "testbenches/reference/exact.hpp"
#include "testbenches/reference/operations.hpp"

namespace reconverge::reference {

namespace {

using kernel::DataType;
using kernel::FloatModifier;
using kernel::Instruction;
using kernel::Rounding;

Integer lowest(DataType type) {
  return kernel::is_signed(type) ? Integer(-(Integer(1) << (width_of(type) - 1))) : Integer(0);
}
Integer highest(DataType type) { return (Integer(1) << (width_of(type) - (kernel::is_signed(type) ? 1U : 0U))) - 1; }

bool rounds_to_integral(Rounding rounding) { return rounding >= Rounding::rni; }

Integer integer_of(std::uint64_t bits, DataType type) {
  const std::uint64_t wide = extended(bits, type);
  return kernel::is_signed(type) ? Integer(static_cast<std::int64_t>(wide)) : Integer(wide);
}

// The bits of an integer that fits `type`, or the low bits of one that does not.
std::uint64_t bits_of_integer(const Integer& value, DataType type) {
  const Integer modulus = Integer(1) << 64;
  const Integer positive = value < 0 ? Integer(modulus + value) : value;
  return extended(static_cast<std::uint64_t>(positive % modulus), type);
}

std::uint64_t clamped(const Integer& value, DataType type) {
  return bits_of_integer(std::min(std::max(value, lowest(type)), highest(type)), type);
}

// NaN gives zero, or only the top bit set if either side has 64 bits.
std::uint64_t float_to_integer(const Instruction& instruction, const Number& value) {
  const DataType type = instruction.type;
  switch (value.kind) {
    case Number::Kind::nan: {
      const bool long_form = instruction.source_type == DataType::f64 || width_of(type) == 64;
      return long_form ? extended(std::uint64_t{1} << (width_of(type) - 1), type) : 0;
    }
    case Number::Kind::infinity:
      return bits_of_integer(value.negative ? lowest(type) : highest(type), type);
    default:
      return clamped(integral(value, direction_of(instruction.rounding)), type);
  }
}

// .ftz applies only to f32, and leaves operands of cvt.f16.f32 unchanged.
std::uint64_t flushed(const Instruction& instruction, DataType type, std::uint64_t bits) {
  const Format format = format_of(type);
  const bool subnormal = (bits & format.infinity()) == 0;
  const bool flushes = instruction.flush_subnormals && type == DataType::f32 && instruction.type != DataType::f16;
  return flushes && subnormal ? bits & format.sign() : bits;
}

std::uint64_t finished(const Instruction& instruction, Format format, std::uint64_t bits) {
  const bool infinite = (bits & (format.sign() - 1)) == format.infinity();
  if (has(instruction, FloatModifier::satfinite) && infinite) --bits;
  if (has(instruction, FloatModifier::relu)) bits = rectified(bits, format);
  return instruction.saturate ? saturated(bits, format) : bits;
}

std::uint64_t to_float(const Instruction& instruction, const Number& value) {
  const Format format = format_of(instruction.type);
  const Direction direction = direction_of(instruction.rounding);
  const bool is_zero =
      instruction.flush_subnormals && instruction.type == DataType::f32 && is_flushed(value, format, direction);
  const Number kept = is_zero ? Number{Number::Kind::finite, value.negative} : value;
  return finished(instruction, format, encoded(kept, format, direction));
}

// A float converted to the same type: to an integral value if the rounding says so, where a zero keeps its sign;
// otherwise unchanged, so that a NaN keeps its bits.
std::uint64_t same_float(const Instruction& instruction, std::uint64_t bits) {
  const Format format = format_of(instruction.type);
  Number value = number_of(bits, format);
  if (!rounds_to_integral(instruction.rounding)) return finished(instruction, format, bits);
  if (value.kind == Number::Kind::finite) {
    const bool negative = value.negative;
    value = number_of(integral(value, direction_of(instruction.rounding)));
    value.negative = negative;
  }
  return to_float(instruction, value);
}

// tf32 has the layout of f32, with the low 13 bits of the fraction zero.
std::uint64_t to_tf32(const Instruction& instruction, std::uint64_t source) {
  constexpr Format format{8, 10};
  const Direction direction =
      has(instruction, FloatModifier::ties_away) ? Direction::nearest_away : direction_of(instruction.rounding);
  const Number value = number_of(source, format_of(DataType::f32));
  if (value.kind == Number::Kind::nan) return format_of(DataType::f32).nan();
  return finished(instruction, format, encoded(value, format, direction)) << 13;
}

}  // namespace

std::uint64_t converted(const Instruction& instruction, const Sources& source) {
  const DataType to = instruction.type;
  const DataType from = instruction.source_type;
  if (has(instruction, FloatModifier::tf32)) return to_tf32(instruction, low_bits(source[0], 32));
  if (is_pair(to)) {
    const auto half = [&](unsigned i) {
      return to_float(instruction, number_of(low_bits(source[i], 32), format_of(from)));
    };
    return half(0) << 16 | half(1);
  }
  if (!kernel::is_float(from)) {
    const Integer value = integer_of(source[0], from);
    if (kernel::is_float(to)) return to_float(instruction, number_of(value));
    return instruction.saturate ? clamped(value, to) : bits_of_integer(value, to);
  }
  const std::uint64_t bits = flushed(instruction, from, low_bits(source[0], width_of(from)));
  if (from == to) return same_float(instruction, bits);
  const Number value = number_of(bits, format_of(from));
  return kernel::is_float(to) ? to_float(instruction, value) : float_to_integer(instruction, value);
}

}  // namespace reconverge::reference

#include <algorithm>
#include <cmath>
#include <limits>

#include "testbenches/reference/bits.hpp"
#include "testbenches/reference/operations.hpp"
#include "testbenches/reference/rounding.hpp"

namespace reconverge::reference {

namespace {

using kernel::DataType;
using kernel::Instruction;
using kernel::Rounding;

__extension__ using Wide = __int128;

Wide lowest(DataType type) { return kernel::is_signed(type) ? -(Wide{1} << (width_of(type) - 1)) : Wide{0}; }
Wide highest(DataType type) { return (Wide{1} << (width_of(type) - (kernel::is_signed(type) ? 1U : 0U))) - 1; }

bool rounds_to_integral(Rounding rounding) {
  return rounding == Rounding::rni || rounding == Rounding::rzi || rounding == Rounding::rmi ||
         rounding == Rounding::rpi;
}

double half_value(std::uint64_t bits) {
  const auto exponent = static_cast<int>(bits >> 10 & 0x1f);
  const auto fraction = static_cast<double>(bits & 0x3ff);
  double magnitude = 0;
  if (exponent == 31) {
    magnitude = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else {
    magnitude = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  }
  return (bits >> 15 & 1) != 0 ? -magnitude : magnitude;
}

// Every half is a multiple of a power of two that its exponent gives; scaling by that is exact.
std::uint64_t half_bits(double value, Rounding rounding) {
  if (std::isnan(value)) return 0x7fff;
  const std::uint64_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isinf(value)) return sign | 0x7c00;
  if (value == 0) return sign;
  int exponent = std::ilogb(value);
  exponent = std::max(exponent, -14);
  double steps = 0;
  {
    const RoundingScope scope(rounding);
    steps = opaque(std::nearbyint(opaque(std::ldexp(value, 10 - exponent))));
  }
  const double rounded = std::fabs(std::ldexp(steps, exponent - 10));
  if (rounded > 65504) {
    const bool to_largest =
        rounding == Rounding::rz || (rounding == Rounding::rm && sign == 0) || (rounding == Rounding::rp && sign != 0);
    return sign | (to_largest ? 0x7bffU : 0x7c00U);
  }
  if (rounded < std::ldexp(1, -14)) return sign | static_cast<std::uint64_t>(std::ldexp(rounded, 24));
  const int result_exponent = std::ilogb(rounded);
  const auto fraction = static_cast<std::uint64_t>(std::ldexp(rounded, 10 - result_exponent)) - 1024;
  return sign | static_cast<std::uint64_t>(result_exponent + 15) << 10 | fraction;
}

float flushed(float value) { return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0F, value) : value; }

std::uint64_t integer_to_integer(const Instruction& instruction, Wide value) {
  const DataType type = instruction.type;
  if (instruction.saturate) value = std::min(std::max(value, lowest(type)), highest(type));
  return extended(static_cast<std::uint64_t>(value), type);
}

// NaN gives zero, or the top bit alone where either side has 64 bits.
std::uint64_t float_to_integer(const Instruction& instruction, double value) {
  const DataType type = instruction.type;
  if (std::isnan(value)) {
    const bool long_form = instruction.source_type == DataType::f64 || width_of(type) == 64;
    return long_form ? extended(static_cast<std::uint64_t>((Wide{1} << width_of(type)) / 2), type) : 0;
  }
  double integral = 0;
  {
    const RoundingScope scope(instruction.rounding);
    integral = opaque(std::nearbyint(opaque(value)));
  }
  // 2^64 and beyond do not fit the comparison below exactly, but they are clamped all the same.
  if (integral >= std::ldexp(1, 64)) return extended(static_cast<std::uint64_t>(highest(type)), type);
  if (integral <= -std::ldexp(1, 64)) return extended(static_cast<std::uint64_t>(lowest(type)), type);
  const Wide exact = static_cast<Wide>(integral);
  return extended(static_cast<std::uint64_t>(std::min(std::max(exact, lowest(type)), highest(type))), type);
}

template <typename F>
std::uint64_t finish(const Instruction& instruction, F value) {
  if constexpr (sizeof(F) == 4) {
    if (instruction.flush_subnormals) value = flushed(value);
  }
  if (instruction.saturate) value = value > 0 ? (value < 1 ? value : F{1}) : F{0};
  if (std::isnan(value)) return sizeof(F) == 4 ? 0x7fffffff : 0x7fffffffffffffff;
  return bits_of(value);
}

std::uint64_t to_float(const Instruction& instruction, double value) {
  if (rounds_to_integral(instruction.rounding)) {
    const RoundingScope scope(instruction.rounding);
    value = opaque(std::nearbyint(opaque(value)));
  }
  switch (instruction.type) {
    case DataType::f16:
      if (instruction.saturate) value = value > 0 ? (value < 1 ? value : 1) : 0;
      return half_bits(value, instruction.rounding);
    case DataType::f64:
      return finish(instruction, value);
    default: {
      const RoundingScope scope(instruction.rounding);
      return finish(instruction, opaque(static_cast<float>(opaque(value))));
    }
  }
}

template <typename Integer>
std::uint64_t integer_to_float(const Instruction& instruction, Integer value) {
  const RoundingScope scope(instruction.rounding);
  const Integer hidden = opaque(value);
  if (instruction.type == DataType::f64) return finish(instruction, opaque(static_cast<double>(hidden)));
  if (instruction.type == DataType::f32) return finish(instruction, opaque(static_cast<float>(hidden)));
  // Beyond 2^53 every integer is far above what a half can hold, so rounding twice changes nothing.
  return to_float(instruction, static_cast<double>(hidden));
}

// Between floats of one type without rounding nothing is computed: a NaN stays as it is.
template <typename F>
std::uint64_t copied(const Instruction& instruction, F value) {
  const bool flushes = sizeof(F) == 4 && instruction.flush_subnormals && std::fpclassify(value) == FP_SUBNORMAL;
  if (std::isnan(value) && !instruction.saturate) return bits_of(value);
  return finish(instruction, flushes ? std::copysign(F{0}, value) : value);
}

}  // namespace

std::uint64_t converted(const Instruction& instruction, std::uint64_t source) {
  const DataType from = instruction.source_type;
  if (from == instruction.type && instruction.rounding == Rounding::none) {
    if (from == DataType::f32) return copied(instruction, float_of<float>(source));
    if (from == DataType::f64) return copied(instruction, float_of<double>(source));
  }
  if (!kernel::is_float(from)) {
    const bool is_signed = kernel::is_signed(from);
    const std::uint64_t bits = extended(source, from);
    if (!kernel::is_float(instruction.type)) {
      return integer_to_integer(instruction,
                                is_signed ? Wide{static_cast<std::int64_t>(bits)} : static_cast<Wide>(bits));
    }
    return is_signed ? integer_to_float(instruction, static_cast<std::int64_t>(bits))
                     : integer_to_float(instruction, bits);
  }
  double value = 0;
  if (from == DataType::f16) {
    value = half_value(source);
  } else if (from == DataType::f64) {
    value = float_of<double>(source);
  } else {
    const auto single = float_of<float>(source);
    value = instruction.flush_subnormals ? flushed(single) : single;
  }
  return kernel::is_float(instruction.type) ? to_float(instruction, value) : float_to_integer(instruction, value);
}

}  // namespace reconverge::reference

#include <cmath>
#include <limits>

#include "testbenches/reference/bits.hpp"
#include "testbenches/reference/operations.hpp"
#include "testbenches/reference/rounding.hpp"

namespace reconverge::reference {

namespace {

using kernel::Comparison;
using kernel::DataType;
using kernel::Instruction;
using kernel::Opcode;

template <typename F>
F canonical_nan() {
  if constexpr (sizeof(F) == 4) {
    return float_of<F>(0x7fffffff);
  } else {
    return float_of<F>(0x7fffffffffffffff);
  }
}

template <typename F>
F flushed(F value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(F{0}, value) : value;
}

// One NaN loses against a number; of two zeros the negative one is the smaller.
template <typename F>
F lesser(F a, F b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <typename F>
F greater(F a, F b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? b : a;
  return a < b ? b : a;
}

// Functions that PTX only approximates: computed in double, rounded once.
template <typename F>
F approximated(Opcode opcode, F a) {
  const double x = a;
  switch (opcode) {
    case Opcode::rsqrt:
      return static_cast<F>(1.0 / std::sqrt(x));
    case Opcode::sin:
      return static_cast<F>(std::sin(x));
    case Opcode::cos:
      return static_cast<F>(std::cos(x));
    case Opcode::ex2:
      return static_cast<F>(std::exp2(x));
    case Opcode::lg2:
      return static_cast<F>(std::log2(x));
    default:
      return static_cast<F>(std::tanh(x));
  }
}

template <typename F>
F computed(const Instruction& instruction, F a, F b, F c) {
  switch (instruction.opcode) {
    case Opcode::add:
      return a + b;
    case Opcode::sub:
      return a - b;
    case Opcode::mul:
      return a * b;
    case Opcode::div:
      return a / b;
    case Opcode::mad:
    case Opcode::fma:
      return std::fma(a, b, c);
    case Opcode::rcp:
      return F{1} / a;
    case Opcode::sqrt:
      return std::sqrt(a);
    case Opcode::min:
      return lesser(a, b);
    case Opcode::max:
      return greater(a, b);
    case Opcode::rsqrt:
    case Opcode::sin:
    case Opcode::cos:
    case Opcode::ex2:
    case Opcode::lg2:
    case Opcode::tanh:
      return approximated(instruction.opcode, a);
    default:
      unknown_instruction(instruction);
  }
}

template <typename F>
std::uint64_t result(const Instruction& instruction, const Sources& source) {
  const bool flushes = instruction.flush_subnormals;
  const auto operand = [&](unsigned i) {
    const F value = float_of<F>(source[i]);
    return flushes ? flushed(value) : value;
  };
  const F a = operand(0);
  const F b = operand(1);
  switch (instruction.opcode) {  // signs only: nothing is computed
    case Opcode::abs:
      return bits_of(std::fabs(a));
    case Opcode::neg:
      return bits_of(-a);
    case Opcode::copysign:
      return bits_of(std::copysign(b, a));
    default:
      break;
  }
  F value{};
  {
    const RoundingScope scope(instruction.rounding);
    value = opaque(computed(instruction, opaque(a), opaque(b), opaque(operand(2))));
  }
  if (flushes) value = flushed(value);
  if (instruction.saturate) value = value > 0 ? (value < 1 ? value : F{1}) : F{0};
  if (std::isnan(value)) value = canonical_nan<F>();
  return bits_of(value);
}

template <typename F>
bool compare_floats(const Instruction& instruction, std::uint64_t a_bits, std::uint64_t b_bits) {
  F a = float_of<F>(a_bits);
  F b = float_of<F>(b_bits);
  if (instruction.flush_subnormals && sizeof(F) == 4) {  // .ftz is for f32 alone
    a = flushed(a);
    b = flushed(b);
  }
  const bool unordered = std::isnan(a) || std::isnan(b);
  switch (instruction.comparison) {
    case Comparison::eq:
      return !unordered && a == b;
    case Comparison::ne:
      return !unordered && a != b;
    case Comparison::lt:
      return !unordered && a < b;
    case Comparison::le:
      return !unordered && a <= b;
    case Comparison::gt:
      return !unordered && a > b;
    case Comparison::ge:
      return !unordered && a >= b;
    case Comparison::equ:
      return unordered || a == b;
    case Comparison::neu:
      return unordered || a != b;
    case Comparison::ltu:
      return unordered || a < b;
    case Comparison::leu:
      return unordered || a <= b;
    case Comparison::gtu:
      return unordered || a > b;
    case Comparison::geu:
      return unordered || a >= b;
    case Comparison::num:
      return !unordered;
    case Comparison::nan:
      return unordered;
    default:
      unknown_instruction(instruction);
  }
}

template <typename T>
bool compare_integers(const Instruction& instruction, T a, T b) {
  switch (instruction.comparison) {
    case Comparison::eq:
      return a == b;
    case Comparison::ne:
      return a != b;
    case Comparison::lt:
    case Comparison::lo:
      return a < b;
    case Comparison::le:
    case Comparison::ls:
      return a <= b;
    case Comparison::gt:
    case Comparison::hi:
      return a > b;
    case Comparison::ge:
    case Comparison::hs:
      return a >= b;
    default:
      unknown_instruction(instruction);
  }
}

bool compares_unsigned(Comparison comparison) {
  return comparison == Comparison::lo || comparison == Comparison::ls || comparison == Comparison::hi ||
         comparison == Comparison::hs;
}

}  // namespace

std::uint64_t float_result(const Instruction& instruction, const Sources& source) {
  return instruction.type == DataType::f64 ? result<double>(instruction, source) : result<float>(instruction, source);
}

bool compares(const Instruction& instruction, DataType type, std::uint64_t a, std::uint64_t b) {
  if (type == DataType::f64) return compare_floats<double>(instruction, a, b);
  if (type == DataType::f32) return compare_floats<float>(instruction, a, b);
  const unsigned width = width_of(type);
  if (kernel::is_signed(type) && !compares_unsigned(instruction.comparison)) {
    return compare_integers(instruction, signed_value(a, width), signed_value(b, width));
  }
  return compare_integers(instruction, low_bits(a, width), low_bits(b, width));
}

bool selects_first(const Instruction& instruction, std::uint64_t c) {
  if (instruction.source_type == DataType::s32) return signed_value(c, 32) >= 0;
  const float value = float_of<float>(c);
  return (instruction.flush_subnormals ? flushed(value) : value) >= 0;
}

}  // namespace reconverge::reference

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "models/execution/operations/arithmetic.hpp"
#include "models/execution/operations/minimum.hpp"
#include "models/execution/operations/rounding.hpp"
#include "models/kernel/decode/float_modifier.hpp"

// Arithmetic on f32 and f64 as specified by IEEE 754 and the PTX manual, to nearest; directed.cpp has the other
// roundings, approximate.cpp the functions that PTX approximates, half.cpp the types of 16 bits.

namespace reconverge::operations {

namespace {

using kernel::FloatModifier;
using kernel::Opcode;

// abs, neg and copysign change only the sign bit; NaN keeps its payload.
template <typename T>
constexpr Bits<T> sign_bit = Bits<T>{1} << (8 * sizeof(T) - 1);
struct Abs {
  template <typename T>
  T operator()(T a) const {
    return std::bit_cast<T>(static_cast<Bits<T>>(std::bit_cast<Bits<T>>(a) & ~sign_bit<T>));
  }
};
struct Neg {
  template <typename T>
  T operator()(T a) const {
    return std::bit_cast<T>(static_cast<Bits<T>>(std::bit_cast<Bits<T>>(a) ^ sign_bit<T>));
  }
};
struct Copysign {  // PTX: the sign of a, the magnitude of b
  template <typename T>
  T operator()(T a, T b) const {
    return std::bit_cast<T>(
        static_cast<Bits<T>>((std::bit_cast<Bits<T>>(a) & sign_bit<T>) | (std::bit_cast<Bits<T>>(b) & ~sign_bit<T>)));
  }
};

/// abs and neg with .ftz.
template <typename F>
struct OfFlushed {
  float operator()(float a) const { return F{}(flush(a)); }
};

struct Nearest {
  template <typename F, typename T, std::size_t Sources>
  static constexpr Operation of() {
    return same_type<F, T, Sources>();
  }
  template <typename F, typename H, std::size_t Sources>
  static constexpr Operation mixed() {
    return mixed_types<F, H, Sources>();
  }
};

/// min and max of three numbers: of the first two, then of the result and the third.
template <typename F>
struct OfThree {
  template <typename T>
  T operator()(T a, T b, T c) const {
    return F{}(F{}(a, b), c);
  }
};
template <typename F>
struct OfThreeMagnitudes {
  template <typename T>
  T operator()(T a, T b, T c) const {
    return OfThree<F>{}(std::abs(a), std::abs(b), std::abs(c));
  }
};

template <typename F>
Operation extreme_of_three(const Instruction& instruction) {
  return has(instruction, FloatModifier::abs) ? single<Nearest, OfThreeMagnitudes<F>, 3>(instruction)
                                              : single<Nearest, OfThree<F>, 3>(instruction);
}

template <template <bool> typename M>
Operation extreme(const Instruction& instruction) {
  const bool strict = has(instruction, FloatModifier::nan);
  if (instruction.source[2].present()) {
    return strict ? extreme_of_three<M<true>>(instruction) : extreme_of_three<M<false>>(instruction);
  }
  if (has(instruction, FloatModifier::xorsign_abs)) {
    return strict ? arithmetic<Nearest, OfMagnitudes<M<true>>, 2>(instruction)
                  : arithmetic<Nearest, OfMagnitudes<M<false>>, 2>(instruction);
  }
  return strict ? arithmetic<Nearest, M<true>, 2>(instruction) : arithmetic<Nearest, M<false>, 2>(instruction);
}

template <typename F, std::size_t Sources>
Operation sign_only(const Instruction& instruction) {
  return instruction.type == DataType::f32 ? same_type<F, float, Sources>() : same_type<F, double, Sources>();
}

template <typename F>
Operation sign_change(const Instruction& instruction) {
  if (instruction.flush_subnormals) return &lanewise<OfFlushed<F>, float, float>;
  return sign_only<F, 1>(instruction);
}

/// div.approx: a divisor beyond 2^126 has a reciprocal that the manual treats as zero.
struct DivApproximate {
  float operator()(float a, float b) const {
    const bool beyond = std::abs(b) > 0x1p126F;
    const float reciprocal = beyond ? std::copysign(0.0F, b) : 1.0F;
    return beyond ? a * reciprocal : a / b;
  }
  // Of a result near the lowest normal number, which `b` beyond 2^126 does not have.
  static float magnified(float a, float b) { return rounding_operation::Div::magnified(a, b); }
};

/// The same on the lower words of pairs of f32, or on the upper.
Instruction of_word(const Instruction& instruction, unsigned word) {
  Instruction part = instruction;
  part.type = DataType::f32;
  part.wide_operands = 0;
  const auto step = [&](Operand& operand) {
    if (operand.present()) operand = Operand(operand.bank(), operand.row() + word);
  };
  std::ranges::for_each(part.destination, step);
  std::ranges::for_each(part.source, step);
  return part;
}

/// The two numbers of f32x2 are in the two rows of a 64-bit value. No word of one row depends on the other row, so a
/// destination may also be a source.
void each_of_pair(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  for (unsigned word = 0; word < 2; ++word) {
    const Instruction part = of_word(instruction, word);
    select_float(part)(part, context, mask);
  }
}

}  // namespace

Operation select_float(const Instruction& instruction) {
  const DataType type = instruction.type;
  if (type == DataType::f32x2) return &each_of_pair;
  if (type != DataType::f32 && type != DataType::f64) return select_half(instruction);
  if (is_directed(instruction.rounding)) return select_directed(instruction);
  const bool is_double = type == DataType::f64;
  switch (instruction.opcode) {
    case Opcode::div:
      if (instruction.approximate && !has(instruction, FloatModifier::full)) {
        return single<Nearest, DivApproximate, 2>(instruction);
      }
      return select_rounded<Nearest>(instruction);
    case Opcode::rcp:
      return instruction.approximate && is_double ? select_approximate(instruction)
                                                  : select_rounded<Nearest>(instruction);
    case Opcode::min:
      return extreme<Min>(instruction);
    case Opcode::max:
      return extreme<Max>(instruction);
    case Opcode::abs:
      return sign_change<Abs>(instruction);
    case Opcode::neg:
      return sign_change<Neg>(instruction);
    case Opcode::copysign:
      return sign_only<Copysign, 2>(instruction);
    default: {
      const Operation rounded = select_rounded<Nearest>(instruction);
      return rounded != nullptr ? rounded : select_approximate(instruction);
    }
  }
}

}  // namespace reconverge::operations

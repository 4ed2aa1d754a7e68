// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The operations on f32 and f64 that round, and their selection. Two files instantiate loops from them: float.cpp for
/// rounding to nearest, directed.cpp in the host's current rounding mode.

#include <cmath>

#include "models/execution/operations/half.hpp"
#include "models/execution/operations/lanewise.hpp"

namespace reconverge::operations {

namespace rounding_operation {

// `magnified`: 2^32 times the result, for operations whose subnormal results may be rounded (flush_rounded).
constexpr float magnifier = 0x1p32F;

struct Add {
  template <typename T>
  T operator()(T a, T b) const {
    return a + b;
  }
};
struct Sub {
  template <typename T>
  T operator()(T a, T b) const {
    return a - b;
  }
};
struct Mul {
  template <typename T>
  T operator()(T a, T b) const {
    return a * b;
  }
  static float magnified(float a, float b) { return a * magnifier * b; }
};
struct Fma {
  template <typename T>
  T operator()(T a, T b, T c) const {
    return std::fma(a, b, c);
  }
  static float magnified(float a, float b, float c) { return std::fma(a * magnifier, b, c * magnifier); }
};
struct Div {
  template <typename T>
  T operator()(T a, T b) const {
    return a / b;
  }
  static float magnified(float a, float b) { return a * magnifier / b; }
};
struct Rcp {
  template <typename T>
  T operator()(T a) const {
    return T{1} / a;
  }
  static float magnified(float a) { return magnifier / a; }
};
struct Sqrt {
  template <typename T>
  T operator()(T a) const {
    return std::sqrt(a);
  }
};

}  // namespace rounding_operation

/// F with PTX's modifications: NaN made canonical, then .ftz and .sat.
template <typename F, bool Flush, bool Saturate>
struct Rounded {
  template <typename T, typename... Rest>
  T operator()(T a, Rest... rest) const {
    T value;
    if constexpr (Flush) {
      value = of_flushed(flush(a), flush(rest)...);
    } else {
      value = canonical(F{}(a, rest...));
    }
    if constexpr (Saturate) value = saturate(value);
    return value;
  }

 private:
  template <typename... Floats>
  static float of_flushed(Floats... operands) {
    const float value = canonical(F{}(operands...));
    if constexpr (requires { F::magnified(operands...); }) {
      return flush_rounded(value, F::magnified(operands...));
    } else {
      return flush(value);
    }
  }
};

/// Operands of 16 bits are used as the f32 of the same value.
template <typename F>
struct OfWidened {
  template <typename H>
  float operator()(H a, float c) const {
    return F{}(single_of(a), c);
  }
  template <typename H>
  float operator()(H a, H b, float c) const {
    return F{}(single_of(a), single_of(b), c);
  }
  template <typename H>
  static float single_of(H value) {
    return static_cast<float>(widen(value));
  }
};

template <typename F, typename H, std::size_t Sources>
constexpr Operation mixed_types() {
  if constexpr (Sources == 2) return &lanewise<F, float, H, float>;
  if constexpr (Sources == 3) return &lanewise<F, float, H, H, float>;
}

template <typename F, typename T, std::size_t Sources>
constexpr Operation same_type() {
  if constexpr (Sources == 1) return &lanewise<F, T, T>;
  if constexpr (Sources == 2) return &lanewise<F, T, T, T>;
  if constexpr (Sources == 3) return &lanewise<F, T, T, T, T>;
}

// `Loops::of<F, T, sources>()` is the operation that computes F; `Loops::mixed<F, H, sources>()` the same with all
// operands but the last of 16 bits.

template <typename Loops, typename F, std::size_t Sources>
Operation single(const Instruction& instruction) {
  if (instruction.flush_subnormals) {
    return instruction.saturate ? Loops::template of<Rounded<F, true, true>, float, Sources>()
                                : Loops::template of<Rounded<F, true, false>, float, Sources>();
  }
  return instruction.saturate ? Loops::template of<Rounded<F, false, true>, float, Sources>()
                              : Loops::template of<Rounded<F, false, false>, float, Sources>();
}

template <typename Loops, typename F, std::size_t Sources>
Operation arithmetic(const Instruction& instruction) {
  return instruction.type == DataType::f64 ? Loops::template of<Rounded<F, false, false>, double, Sources>()
                                           : single<Loops, F, Sources>(instruction);
}

template <typename Loops, typename F, std::size_t Sources>
Operation mixed(const Instruction& instruction) {
  using Plain = OfWidened<Rounded<F, false, false>>;
  using Saturated = OfWidened<Rounded<F, false, true>>;
  if (instruction.source_type == DataType::f16) {
    return instruction.saturate ? Loops::template mixed<Saturated, Half, Sources>()
                                : Loops::template mixed<Plain, Half, Sources>();
  }
  return instruction.saturate ? Loops::template mixed<Saturated, Bfloat, Sources>()
                              : Loops::template mixed<Plain, Bfloat, Sources>();
}

/// add, sub and fma in f32 of f16 or bf16.
template <typename Loops>
Operation select_mixed(const Instruction& instruction) {
  switch (instruction.opcode) {
    case kernel::Opcode::add:
      return mixed<Loops, rounding_operation::Add, 2>(instruction);
    case kernel::Opcode::sub:
      return mixed<Loops, rounding_operation::Sub, 2>(instruction);
    default:
      return mixed<Loops, rounding_operation::Fma, 3>(instruction);
  }
}

/// Returns nullptr for operations without rounding.
template <typename Loops>
Operation select_rounded(const Instruction& instruction) {
  if (instruction.source_type != DataType::none) return select_mixed<Loops>(instruction);
  switch (instruction.opcode) {
    case kernel::Opcode::add:
      return arithmetic<Loops, rounding_operation::Add, 2>(instruction);
    case kernel::Opcode::sub:
      return arithmetic<Loops, rounding_operation::Sub, 2>(instruction);
    case kernel::Opcode::mul:
      return arithmetic<Loops, rounding_operation::Mul, 2>(instruction);
    case kernel::Opcode::mad:
    case kernel::Opcode::fma:
      return arithmetic<Loops, rounding_operation::Fma, 3>(instruction);
    case kernel::Opcode::div:
      return arithmetic<Loops, rounding_operation::Div, 2>(instruction);
    case kernel::Opcode::rcp:
      return arithmetic<Loops, rounding_operation::Rcp, 1>(instruction);
    case kernel::Opcode::sqrt:
      return arithmetic<Loops, rounding_operation::Sqrt, 1>(instruction);
    default:
      return nullptr;
  }
}

}  // namespace reconverge::operations

#include <cmath>

#include "models/kernel/float_modifier.hpp"
#include "models/sm/lanes/lanewise.hpp"
#include "models/sm/lanes/minimum.hpp"
#include "models/sm/lanes/rounding.hpp"

// Arithmetic on f32 and f64 as IEEE 754 and the PTX manual have it, in every rounding; approximate.cpp has the
// functions that PTX approximates, half.cpp the types of 16 bits. Compiled with -frounding-math.

namespace reconverge::lanes {

namespace {

using kernel::FloatModifier;
using kernel::Opcode;

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
};
struct Fma {
  template <typename T>
  T operator()(T a, T b, T c) const {
    return std::fma(a, b, c);
  }
};
struct Div {
  template <typename T>
  T operator()(T a, T b) const {
    return a / b;
  }
};
struct Rcp {
  template <typename T>
  T operator()(T a) const {
    return T{1} / a;
  }
};
struct Sqrt {
  template <typename T>
  T operator()(T a) const {
    return std::sqrt(a);
  }
};
// abs, neg and copysign touch the sign bit alone; NaN keeps its payload.
template <typename T>
using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
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

/// F with what PTX adds around it: NaN made canonical, then .ftz and .sat.
template <typename F, bool Flush, bool Saturate>
struct Rounded {
  template <typename T, typename... Rest>
  T operator()(T a, Rest... rest) const {
    T value;
    if constexpr (Flush) {
      value = flush(canonical(F{}(flush(a), flush(rest)...)));
    } else {
      value = canonical(F{}(a, rest...));
    }
    if constexpr (Saturate) value = saturate(value);
    return value;
  }
};

/// abs and neg with .ftz.
template <typename F>
struct OfFlushed {
  float operator()(float a) const { return F{}(flush(a)); }
};

template <typename F, typename T, std::size_t Sources>
constexpr Operation same_type() {
  if constexpr (Sources == 1) return &lanewise<F, T, T>;
  if constexpr (Sources == 2) return &lanewise<F, T, T, T>;
  if constexpr (Sources == 3) return &lanewise<F, T, T, T, T>;
}

template <typename F, typename T, std::size_t Sources, bool Flush, bool Saturate>
Operation by_rounding(const Instruction& instruction) {
  constexpr Operation nearest = same_type<Rounded<F, Flush, Saturate>, T, Sources>();
  return is_directed(instruction.rounding) ? &in_rounding_mode<nearest> : nearest;
}

template <typename F, std::size_t Sources>
Operation arithmetic(const Instruction& instruction) {
  if (instruction.type == DataType::f64) return by_rounding<F, double, Sources, false, false>(instruction);
  if (instruction.flush_subnormals) {
    return instruction.saturate ? by_rounding<F, float, Sources, true, true>(instruction)
                                : by_rounding<F, float, Sources, true, false>(instruction);
  }
  return instruction.saturate ? by_rounding<F, float, Sources, false, true>(instruction)
                              : by_rounding<F, float, Sources, false, false>(instruction);
}

template <template <bool> typename M>
Operation extreme(const Instruction& instruction) {
  const bool strict = has(instruction, FloatModifier::nan);
  if (has(instruction, FloatModifier::xorsign_abs)) {
    return strict ? arithmetic<OfMagnitudes<M<true>>, 2>(instruction)
                  : arithmetic<OfMagnitudes<M<false>>, 2>(instruction);
  }
  return strict ? arithmetic<M<true>, 2>(instruction) : arithmetic<M<false>, 2>(instruction);
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

/// div.approx: a divisor beyond 2^126 has a reciprocal that the manual takes for zero.
struct DivApproximate {
  float operator()(float a, float b) const {
    const bool beyond = std::abs(b) > 0x1p126F;
    const float reciprocal = beyond ? std::copysign(0.0F, b) : 1.0F;
    return beyond ? a * reciprocal : a / b;
  }
};

}  // namespace

Operation select_float(const Instruction& instruction) {
  const DataType type = instruction.type;
  if (type != DataType::f32 && type != DataType::f64) return select_half(instruction);
  switch (instruction.opcode) {
    case Opcode::add:
      return arithmetic<Add, 2>(instruction);
    case Opcode::sub:
      return arithmetic<Sub, 2>(instruction);
    case Opcode::mul:
      return arithmetic<Mul, 2>(instruction);
    case Opcode::mad:
    case Opcode::fma:
      return arithmetic<Fma, 3>(instruction);
    case Opcode::div:
      if (instruction.approximate && !has(instruction, FloatModifier::full)) {
        return arithmetic<DivApproximate, 2>(instruction);
      }
      return arithmetic<Div, 2>(instruction);
    case Opcode::rcp:
      if (instruction.approximate && type == DataType::f64) return select_approximate(instruction);
      return arithmetic<Rcp, 1>(instruction);
    case Opcode::sqrt:
      return arithmetic<Sqrt, 1>(instruction);
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
    default:
      return select_approximate(instruction);
  }
}

}  // namespace reconverge::lanes

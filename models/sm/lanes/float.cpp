#include <cmath>

#include "models/sm/lanes/lanewise.hpp"

// Floating-point arithmetic as IEEE 754 and the PTX manual have it. The .approx forms are computed in double precision
// and rounded once: at least as accurate as any GPU's.

namespace reconverge::lanes {

namespace {

using kernel::Opcode;
using kernel::Rounding;

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
struct Rsqrt {
  float operator()(float a) const { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(a))); }
  double operator()(double a) const { return 1.0 / std::sqrt(a); }
};
struct Sin {
  float operator()(float a) const { return static_cast<float>(std::sin(static_cast<double>(a))); }
};
struct Cos {
  float operator()(float a) const { return static_cast<float>(std::cos(static_cast<double>(a))); }
};
struct Ex2 {
  float operator()(float a) const { return static_cast<float>(std::exp2(static_cast<double>(a))); }
};
struct Lg2 {
  float operator()(float a) const { return static_cast<float>(std::log2(static_cast<double>(a))); }
};
struct Tanh {
  float operator()(float a) const { return static_cast<float>(std::tanh(static_cast<double>(a))); }
};

// min and max: the operand that is a number wins over NaN, and -0 is below +0.
template <typename T>
using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
template <typename T>
bool negative(T value) {
  return (std::bit_cast<Bits<T>>(value) >> (8 * sizeof(T) - 1)) != 0;
}

struct Min {
  template <typename T>
  T operator()(T a, T b) const {
    const T smaller = a < b || (a == b && negative(a)) ? a : b;
    return is_nan(a) ? b : (is_nan(b) ? a : smaller);
  }
};
struct Max {
  template <typename T>
  T operator()(T a, T b) const {
    const T larger = a > b || (a == b && !negative(a)) ? a : b;
    return is_nan(a) ? b : (is_nan(b) ? a : larger);
  }
};

// abs, neg and copysign touch the sign bit alone; NaN keeps its payload.
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

template <typename F, std::size_t Sources>
Operation single(const Instruction& instruction) {
  if (instruction.flush_subnormals) {
    return instruction.saturate ? same_type<Rounded<F, true, true>, float, Sources>()
                                : same_type<Rounded<F, true, false>, float, Sources>();
  }
  return instruction.saturate ? same_type<Rounded<F, false, true>, float, Sources>()
                              : same_type<Rounded<F, false, false>, float, Sources>();
}

template <typename F, std::size_t Sources>
Operation arithmetic(const Instruction& instruction) {
  if (instruction.rounding != Rounding::none && instruction.rounding != Rounding::rn) return nullptr;
  if (instruction.type == DataType::f32) return single<F, Sources>(instruction);
  if (instruction.type == DataType::f64) return same_type<Rounded<F, false, false>, double, Sources>();
  return nullptr;
}

template <typename F, std::size_t Sources>
Operation approximate(const Instruction& instruction) {
  return instruction.type == DataType::f32 ? single<F, Sources>(instruction) : nullptr;
}

template <typename F, std::size_t Sources>
Operation sign_only(const Instruction& instruction) {
  if (instruction.type == DataType::f32) return same_type<F, float, Sources>();
  if (instruction.type == DataType::f64) return same_type<F, double, Sources>();
  return nullptr;
}

template <typename F>
Operation sign_change(const Instruction& instruction) {
  if (instruction.flush_subnormals) return &lanewise<OfFlushed<F>, float, float>;
  return sign_only<F, 1>(instruction);
}

}  // namespace

Operation select_float(const Instruction& instruction) {
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
      return arithmetic<Div, 2>(instruction);
    case Opcode::rcp:
      return arithmetic<Rcp, 1>(instruction);
    case Opcode::sqrt:
      return arithmetic<Sqrt, 1>(instruction);
    case Opcode::rsqrt:
      return arithmetic<Rsqrt, 1>(instruction);
    case Opcode::min:
      return arithmetic<Min, 2>(instruction);
    case Opcode::max:
      return arithmetic<Max, 2>(instruction);
    case Opcode::abs:
      return sign_change<Abs>(instruction);
    case Opcode::neg:
      return sign_change<Neg>(instruction);
    case Opcode::copysign:
      return sign_only<Copysign, 2>(instruction);
    case Opcode::sin:
      return approximate<Sin, 1>(instruction);
    case Opcode::cos:
      return approximate<Cos, 1>(instruction);
    case Opcode::ex2:
      return approximate<Ex2, 1>(instruction);
    case Opcode::lg2:
      return approximate<Lg2, 1>(instruction);
    case Opcode::tanh:
      return approximate<Tanh, 1>(instruction);
    default:
      return nullptr;
  }
}

}  // namespace reconverge::lanes

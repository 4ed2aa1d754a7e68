// SPDX-License-Identifier: Apache-2.0
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>

#include "models/execution/operations/lanewise.hpp"

// The functions for which PTX allows an approximation, here correctly rounded to nearest: the value that every
// approximation aims at, and the same on every host. Each is computed in double precision, and again in long double if
// the error could reach the middle between two results (Ziv's strategy).

namespace reconverge::operations {

namespace {

using kernel::Opcode;

struct Rsqrt {
  template <typename T>
  T operator()(T a) const {
    return T{1} / std::sqrt(a);
  }
};
struct Sin {
  template <typename T>
  T operator()(T a) const {
    return std::sin(a);
  }
};
struct Cos {
  template <typename T>
  T operator()(T a) const {
    return std::cos(a);
  }
};
struct Ex2 {
  template <typename T>
  T operator()(T a) const {
    return std::exp2(a);
  }
};
struct Lg2 {
  template <typename T>
  T operator()(T a) const {
    return std::log2(a);
  }
};
struct Tanh {
  template <typename T>
  T operator()(T a) const {
    return std::tanh(a);
  }
};

// The C library states errors of at most two units in the last place of these functions; this is eight.
constexpr double slack = 0x1p-49;

/// destination[0] = F(source[0]) to the nearest f32. Of all 2^32 operands, only ex2(-150) is undecided in long double:
/// it is exactly the middle between zero and the smallest subnormal, and so zero.
template <typename F, bool Flush>
void to_nearest(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const Reader<float> source(context, instruction.source[0]);
  alignas(64) float operand[warp_size];
  alignas(64) double value[warp_size];
  alignas(64) float result[warp_size];
  alignas(64) std::uint32_t undecided[warp_size];
  for (unsigned lane = 0; lane < warp_size; ++lane) operand[lane] = Flush ? flush(source[lane]) : source[lane];
  for (unsigned lane = 0; lane < warp_size; ++lane) value[lane] = F{}(static_cast<double>(operand[lane]));
  std::uint32_t any = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const auto low = static_cast<float>(value[lane] * (1 - slack));
    const auto high = static_cast<float>(value[lane] * (1 + slack));
    undecided[lane] = low < high || high < low ? 1 : 0;
    any |= undecided[lane];
    result[lane] = canonical(low);
  }
  for (unsigned lane = 0; any != 0 && lane < warp_size; ++lane) {
    if (undecided[lane] != 0) result[lane] = static_cast<float>(F{}(static_cast<long double>(operand[lane])));
  }
  for (unsigned lane = 0; lane < warp_size; ++lane) result[lane] = Flush ? flush(result[lane]) : result[lane];
  write_lanes<float>(context, instruction.destination[0], result, mask);
}

/// Whether the middle between `low` and the f64 above it is below 1 / sqrt(a): middle^2 * a < 1, in integers. Both are
/// positive, finite and normal.
bool middle_is_below_rsqrt(double low, double a) {
  using Integer = boost::multiprecision::uint256_t;
  int middle_exponent = 0;
  int a_exponent = 0;
  const auto integer_of = [](double value, int& exponent) {
    return static_cast<std::uint64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  };
  const std::uint64_t middle = 2 * integer_of(low, middle_exponent) + 1;
  const Integer square = Integer(middle) * middle * integer_of(a, a_exponent);
  // The product is square * 2^exponent; it is near one, so the power is that of a number of some 160 bits.
  const int exponent = 2 * (middle_exponent - 54) + a_exponent - 53;
  return square < Integer(1) << -exponent;
}

/// 1 / sqrt(a) to the nearest f64.
struct RsqrtExact {
  double operator()(double a) const {
    if (!(a > 0) || std::isinf(a)) return 1.0 / std::sqrt(a);
    // Subnormal operands are scaled by an even power of two, which the root halves.
    const bool tiny = a < std::numeric_limits<double>::min();
    if (tiny) a *= 0x1p64;
    const double near = 1.0 / std::sqrt(a);
    // Within two units of the result; comparisons with the middles around it select it.
    double low = std::nextafter(std::nextafter(near, 0.0), 0.0);
    while (middle_is_below_rsqrt(low, a)) low = std::nextafter(low, std::numeric_limits<double>::infinity());
    return tiny ? low * 0x1p32 : low;
  }
};

constexpr std::uint64_t upper_word = 0xffffffff00000000;

/// .ftz of f64, which only the gross approximations support.
double flush_double(double value) { return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0, value) : value; }

/// The gross approximations read and write only the upper 32 bits: a sign, 11 bits of exponent and 20 of fraction.
double upper_of(double value) { return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & upper_word); }

/// `value` to 20 bits of fraction, to nearest. A carry into the exponent is correct: it rounds up to a power of two.
double rounded_to_upper(double value) {
  if (std::isnan(value)) return value;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return std::bit_cast<double>((bits + 0x7fffffff + (bits >> 32U & 1U)) & upper_word);
}

template <typename F>
struct Gross {
  double operator()(double a) const {
    const double operand = flush_double(upper_of(a));
    const double value = flush_double(rounded_to_upper(F{}(operand)));
    return std::isnan(value) ? std::bit_cast<double>(std::uint64_t{0x7fffffff00000000}) : value;
  }
};

struct Reciprocal {
  double operator()(double a) const { return 1.0 / a; }
};

struct RsqrtCanonical {
  double operator()(double a) const { return canonical(RsqrtExact{}(a)); }
};

template <typename F>
Operation single(const Instruction& instruction) {
  if (instruction.type != DataType::f32) return nullptr;
  return instruction.flush_subnormals ? &to_nearest<F, true> : &to_nearest<F, false>;
}

}  // namespace

Operation select_approximate(const Instruction& instruction) {
  const bool gross = instruction.type == DataType::f64 && instruction.flush_subnormals;
  switch (instruction.opcode) {
    case Opcode::rcp:
      return gross ? &lanewise<Gross<Reciprocal>, double, double> : nullptr;
    case Opcode::rsqrt:
      if (gross) return &lanewise<Gross<Rsqrt>, double, double>;
      if (instruction.type == DataType::f64) return &lanewise<RsqrtCanonical, double, double>;
      return single<Rsqrt>(instruction);
    case Opcode::sin:
      return single<Sin>(instruction);
    case Opcode::cos:
      return single<Cos>(instruction);
    case Opcode::ex2:
      return single<Ex2>(instruction);
    case Opcode::lg2:
      return single<Lg2>(instruction);
    case Opcode::tanh:
      return single<Tanh>(instruction);
    default:
      return nullptr;
  }
}

}  // namespace reconverge::operations
